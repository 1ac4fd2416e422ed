"""Lines of a file are told apart by unique ids; nothing is guessed."""

from hypothesis import given
from hypothesis import strategies as st

from autograder.course.roster import as_name, folded
from autograder.platforms.points import NAME, match

KINDS = ("id", "login", NAME)
FEW = st.sampled_from(["", "1", "2", "x", "X", "ada", "Ada ", "bo"])
KEYS = st.fixed_dictionaries(dict.fromkeys(KINDS, FEW))


def matched(line: dict[str, str], student: dict[str, str], name: str = "s") -> bool:
    return match(KINDS, {1: line}, {name: student}) == {1: name}


def test_the_surest_id_decides_and_the_others_follow() -> None:
    lines = {1: {"id": "1", "login": "b"}, 2: {"id": "", "login": "a"}, 3: {"id": "", "login": ""}}
    students = {"s": {"id": "1", "login": "a"}, "t": {"login": "a"}}
    assert match(KINDS, lines, students) == {1: "s"}


def test_spelling_does_not_divide_a_student() -> None:
    assert matched({NAME: "ZOË  Müller"}, {NAME: "Zoe\u0308 Mu\u0308ller"})
    assert matched({NAME: as_name("O'Brien, Seán")}, {NAME: as_name("Seán O'Brien")})
    assert not matched({NAME: "Sean O'Brien"}, {NAME: "Seán O'Brien"})


def test_an_id_that_differs_outweighs_a_name_that_agrees() -> None:
    assert not matched({"id": "1", NAME: "Ada"}, {"id": "2", NAME: "Ada"})
    assert matched({"id": "1", NAME: "Ada"}, {"id": "", NAME: "Ada"})


def test_a_student_id_counts_unless_it_could_be_two() -> None:
    assert matched({"id": "7"}, {}, "7")
    assert not matched({"id": "7"}, {"id": "8"}, "7")
    assert match(KINDS, {1: {"id": "7"}, 2: {"login": "7"}}, {"7": {}}) == {}
    assert match(KINDS, {1: {"id": "7", "login": "ada"}}, {"7": {}, "ada": {}}) == {}
    assert not matched({NAME: "ada"}, {}, "ada")


LINES = st.lists(KEYS, max_size=6).map(lambda lines: dict(enumerate(lines, 1)))


@given(LINES, st.dictionaries(FEW.filter(bool), KEYS, max_size=6))
def test_no_student_has_two_lines_and_every_pair_shares_an_id(
    lines: dict[int, dict[str, str]], students: dict[str, dict[str, str]]
) -> None:
    found = match(KINDS, lines, students)
    assert len(found) == len(set(found.values()))
    for row, owner in found.items():
        line = lines[row]
        theirs = {(kind, folded(line[kind])) for kind in KINDS if line[kind]}
        ours = {(kind, folded(students[owner][kind])) for kind in KINDS}
        ours |= {("id", folded(owner)), ("login", folded(owner))}
        assert theirs & ours
