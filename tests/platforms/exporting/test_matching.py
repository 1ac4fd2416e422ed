"""Lines of a file are told apart by unique ids; nothing is guessed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from autograder.course.roster import as_name, folded
from autograder.platforms.exporting.matching import NAME, match

KINDS = ("id", "login", NAME)
FEW = st.sampled_from(["", "1", "2", "x", "X", "ada", "Ada ", "bo"])
KEYS = st.fixed_dictionaries(dict.fromkeys(KINDS, FEW))


def matched(line: dict[str, str], student: dict[str, str], name: str = "s") -> bool:
    return match(KINDS, [line], {name: student}) == [name]


def test_the_surest_id_decides_and_the_others_follow() -> None:
    lines = [{"id": "1", "login": "b"}, {"id": "", "login": "a"}, {"id": "", "login": ""}]
    students = {"s": {"id": "1", "login": "a"}, "t": {"login": "a"}}
    assert match(KINDS, lines, students) == ["s", "", ""]


def test_spelling_does_not_divide_a_student() -> None:
    assert matched({NAME: "ZOË  Müller"}, {NAME: "Zoe\u0308 Mu\u0308ller"})
    assert matched({NAME: as_name("O'Brien, Seán")}, {NAME: as_name("Seán O'Brien")})
    assert not matched({NAME: "Sean O'Brien"}, {NAME: "Seán O'Brien"})
    assert not matched({NAME: "Seán"}, {NAME: "Seán O'Brien"})


def test_an_id_that_differs_outweighs_a_name_that_agrees() -> None:
    assert not matched({"id": "1", NAME: "Ada"}, {"id": "2", NAME: "Ada"})
    assert matched({"id": "1", NAME: "Ada"}, {"id": "", NAME: "Ada"})


def test_a_student_id_counts_unless_it_could_be_two() -> None:
    assert matched({"id": "7"}, {}, "7")
    assert not matched({"id": "7"}, {"id": "8"}, "7")
    assert match(KINDS, [{"id": "7"}, {"login": "7"}], {"7": {}}) == ["", ""]
    assert match(KINDS, [{"id": "7", "login": "ada"}], {"7": {}, "ada": {}}) == [""]
    assert not matched({NAME: "ada"}, {}, "ada")


@given(st.lists(KEYS, max_size=6), st.dictionaries(FEW.filter(bool), KEYS, max_size=6))
def test_no_student_has_two_lines_and_every_pair_shares_an_id(
    lines: list[dict[str, str]], students: dict[str, dict[str, str]]
) -> None:
    found = match(KINDS, lines, students)
    owners = [owner for owner in found if owner]
    assert len(owners) == len(set(owners))
    for line, owner in zip(lines, found, strict=True):
        if owner:
            theirs = {(kind, folded(line[kind])) for kind in KINDS if line[kind]}
            ours = {(kind, folded(students[owner][kind])) for kind in KINDS}
            ours |= {("id", folded(owner)), ("login", folded(owner))}
            assert theirs & ours


@given(st.lists(KEYS, max_size=5), st.dictionaries(FEW.filter(bool), KEYS, max_size=5))
def test_the_order_of_lines_and_students_changes_nothing(
    lines: list[dict[str, str]], students: dict[str, dict[str, str]]
) -> None:
    backwards = dict(reversed(students.items()))
    assert match(KINDS, lines[::-1], backwards) == match(KINDS, lines, students)[::-1]
