"""A mistake is named when all that was seen is explained by it, and nothing is named otherwise."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from autograder.diagnosis.diagnosis import Diagnosis
from autograder.errors import CourseError
from autograder.testing import expect
from autograder.testing.student import Student
from tests.diagnosis.answers import SETUP, Ask, Room, finding_of, variant
from tests.toys import TOYS

DRAWN = np.array([[0.3, -1.7], [2.2, 1.3]])
REFERENCE = """
def double(x):
    if x.ndim == 1:
        result = x + x
        return result
    if x.ndim == 2:
        return x + x + 0
    return 2 * x
"""
SQUARE = variant("square", {"result = x + x": "result = x * x"})
NEGATIVE = variant("negative", {"return result": "return -result"})
TABLES = variant("tables", {"x + x + 0": "x * x * x"}, pairs=False)
BLOCKS = variant("blocks", {"2 * x": "x / 3"}, pairs=False)


def right(x: Any) -> Ask:
    """Ask for the double of `x`."""

    def ask(student: Student) -> None:
        expect.close(student.double(x), 2 * x, "This isn't twice what you got.")

    return ask


ROW, TABLE, BLOCK = right(DRAWN[0]), right(DRAWN), right(DRAWN[None])


def made(*edits: tuple[str, str]) -> str:
    """Make an answer in words of its own, with mistakes in it."""
    source = REFERENCE.replace("result", "twice")
    for old, new in edits:
        assert old in source
        source = source.replace(old, new)
    return source


@pytest.fixture(autouse=True)
def bank(room: Room) -> None:
    room.give(REFERENCE, SQUARE, NEGATIVE, TABLES, BLOCKS)


IN_ROWS = ("= x + x", "= x ** 2")
MINUS = ("return twice", "return 0 - twice")
IN_TABLES = ("x + x + 0", "x ** 3")
IN_BLOCKS = ("2 * x", "x + 1")


@pytest.mark.parametrize(
    ("mistakes", "tags"),
    [
        ([IN_ROWS], ["square"]),
        ([IN_ROWS, MINUS], ["square", "negative"]),  # at once, in the same calls
        ([IN_ROWS, IN_TABLES], ["square", "tables"]),  # each in some of them
    ],
)
def test_mistakes_on_file_are_named_however_they_are_written(
    room: Room, mistakes: list[tuple[str, str]], tags: list[str]
) -> None:
    assert room.named(made(*mistakes), ROW, TABLE, BLOCK) == tags


def test_of_two_mistakes_the_one_is_named_that_every_explanation_has(room: Room) -> None:
    """Twice negative and of the size either way: what became of the sign can't be told."""
    other = variant("doubled-negative", {"return result": "return 0 - result"})
    room.give(REFERENCE, SQUARE, NEGATIVE, other)
    assert room.named(made(IN_ROWS, MINUS), ROW, TABLE, BLOCK) == ["square"]


def test_a_mistake_is_named_in_another_style_too(room: Room) -> None:
    """Alone, the style changes nothing; behind the mistake, it leaves no fraction."""
    style = variant("style-whole", {"return result": "return result * (result != result.round())"})
    half = made(
        ("= x + x", "= (x * x).round(1)"),
        ("return twice", "return twice * (twice != twice.round())"),
    )
    rounded = variant("rounded", {"result = x + x": "result = (x * x).round(1)"})
    asks = (right(np.array([0.3, -1.7])), right(np.array([1.0, 3.0])))
    room.give(REFERENCE, rounded)
    assert room.named(half, *asks) == []
    room.give(REFERENCE, rounded, styles=(style,))
    assert room.named(half, *asks) == ["rounded"]


def test_a_mistake_is_named_in_a_style_that_shows_beside_it_alone(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alone, the style changes nothing, so that another pair seems likelier."""
    monkeypatch.setattr("autograder.diagnosis.steps.MAX_PAIRS", 1)
    monkeypatch.setattr("autograder.diagnosis.steps.MAX_FURTHER", 0)
    style = variant("style-whole", {"return result": "return result * (result != result.round())"})
    half = made(
        ("= x + x", "= (x * x).round(1)"),
        ("return twice", "return twice * (twice != twice.round())"),
    )
    rounded = variant("rounded", {"result = x + x": "result = (x * x).round(1)"})
    asks = (right(np.array([0.3, -1.7])), right(np.array([1.0, 3.0])), TABLE, BLOCK)
    room.give(REFERENCE, rounded, NEGATIVE, styles=(style,))
    assert room.named(half, *asks) == ["rounded"]


def test_two_mistakes_are_named_in_another_style_too(room: Room) -> None:
    """The style keeps the sign of zero from being lost, which only squares of both have."""
    style = variant("style-sign", {"return result": "return abs(result)"})
    small = variant("small", {"result = x + x": "result = x * 0.1"})
    thirds = variant("thirds", {"if x.ndim == 1:": "if x.ndim == 1:\n        x = x / 3"})
    answer = made(
        ("= x + x", "= x * 0.1"), ("if x.ndim == 1:", "if x.ndim == 1:\n        x = x / 3")
    )
    answer = answer.replace("return twice", "return abs(twice)")
    asks = (right(np.array([0.3, -1.7])), right(np.array([1.0, 3.0])))
    room.give(REFERENCE, small, thirds)
    assert room.named(answer, *asks) == []
    room.give(REFERENCE, small, thirds, styles=(style,))
    assert room.named(answer, *asks) == ["small", "thirds"]


def test_two_mistakes_are_likelier_than_others_where_one_of_them_draws(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal calls give different results, so that what draws nothing can't explain them."""
    monkeypatch.setattr("autograder.diagnosis.steps.MAX_PAIRS", 1)
    drawn = ("return twice", "return twice * (np.random.rand() if len(x) > 1 else 1)")
    draws = variant("draws", {"return result": drawn[1].replace("twice", "result")})
    room.give(REFERENCE, NEGATIVE, variant("half", {"= x + x": "= x / 2"}), SQUARE, draws)

    def asked_twice(student: Student) -> None:
        first, second = student.double(DRAWN[0]), student.double(DRAWN[0])
        expect.close(first, second, "These aren't the same.")

    assert room.named(made(IN_ROWS, drawn), right(DRAWN[0, :1]), asked_twice) == ["square", "draws"]


def test_what_chance_would_explain_is_named_only_where_the_student_was_seen_to_draw(
    room: Room,
) -> None:
    """Drawn numbers may be any, so results that are wrong in some way would do as well."""
    drawn = "return twice * (1 if x[0] == 1 else np.random.rand())"
    draws = variant("draws", {"return result": drawn.replace("twice", "result"), "+ x\n": "* 3\n"})
    room.give(REFERENCE, draws)
    other = made(("= x + x", "= x * 3"), ("return twice", "return twice * (1 if x[0] == 1 else 5)"))
    in_own_words = made(
        ("= x + x", "= x * 3"), ("return twice", f"np.random.rand()\n        {drawn}")
    )

    def asked_twice(student: Student) -> None:
        first, second = student.double(DRAWN[0]), student.double(DRAWN[0])
        expect.close(first, second, "These aren't the same.")

    shown = right(np.array([1.0, 4.0]))
    assert room.named(other, shown, right(DRAWN[0])) == []
    assert room.named(in_own_words, shown, right(DRAWN[0])) == []
    assert room.named(in_own_words, shown, right(DRAWN[0]), asked_twice) == ["draws"]


def test_two_mistakes_are_likelier_if_one_has_an_effect_where_a_test_first_goes_wrong(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A single call is looked at besides, in the smaller test, and tells nothing of tables."""
    monkeypatch.setattr("autograder.diagnosis.steps.MAX_PAIRS", 1)
    monkeypatch.setattr("autograder.diagnosis.pairs.MAX_CALLS", 1)
    cubes, thirds = (replace(each, pairs=True) for each in (TABLES, BLOCKS))
    room.give(REFERENCE, SQUARE, thirds, cubes)

    def table_and_row(student: Student) -> None:
        table, _ = student.double(DRAWN), student.double(DRAWN[0])
        expect.close(table, 2 * DRAWN, "This isn't twice what you got.")

    assert room.named(made(IN_ROWS, IN_TABLES), ROW, table_and_row) == ["square", "tables"]


def test_a_mistake_is_named_with_another_that_explains_what_it_leaves_to_chance(
    room: Room,
) -> None:
    """What the first one draws in a table may be any number, but nothing was drawn there."""
    draws = REFERENCE.replace("x + x + 0", "x + np.random.rand(*x.shape)")
    room.give(draws, SQUARE, NEGATIVE, variant("whole", {"np.random.rand(*x.shape)": "x"}))

    def drawn(student: Student) -> None:
        expect.that(not np.allclose(student.double(DRAWN), 2 * DRAWN), "Nothing is drawn.")

    assert room.named(made(IN_ROWS), ROW, drawn) == ["square", "whole"]


def test_another_is_named_for_the_calls_of_a_test_that_a_mistake_leaves_to_chance(
    room: Room,
) -> None:
    """In the same test, the first one explains a row to the number, and of a table it draws."""
    draws = REFERENCE.replace("x + x + 0", "x + np.random.rand(*x.shape)")
    room.give(draws, SQUARE, NEGATIVE, variant("whole", {"np.random.rand(*x.shape)": "x"}))

    def row_and_drawn(student: Student) -> None:
        row, table = student.double(DRAWN[0]), student.double(DRAWN)
        expect.close(row, 2 * DRAWN[0], "This isn't twice what you got.")
        expect.that(not np.allclose(table, 2 * DRAWN), "Nothing is drawn.")

    assert room.named(made(IN_ROWS), ROW, row_and_drawn) == ["square", "whole"]


def test_another_is_named_for_the_type_of_what_comes_back(room: Room) -> None:
    wide = variant("wide", {"return result": "return result.double()"})
    room.give("def double(x):\n    result = x + x\n    return result\n", SQUARE, wide)
    row = torch.tensor([0.3, -1.7])

    def of_float32(student: Student) -> None:
        expect.close(student.double(row), 2 * row, "This isn't twice what you got.")

    squared = "def double(x):\n    return (x * x).double()\n"
    assert room.named(squared, of_float32) == ["square", "wide"]


def test_in_another_style_two_come_first_that_explain_most_without_it(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten pairs are as likely, five are tried in each style; the style shows in the last call."""
    monkeypatch.setattr("autograder.diagnosis.steps.MAX_PAIRS", 20)
    styles = [
        variant(f"style-{most}", {"return result": f"return result.clip(max={most})"})
        for most in (6000, 7000, 8000, 70)
    ]
    others = [variant(f"other-{n}", {"result = x + x": f"result = x / {n}"}) for n in (7, 8, 9)]
    thirds = ("if x.ndim == 1:", "if x.ndim == 1:\n        x = x / 3")
    room.give(REFERENCE, *others, SQUARE, variant("thirds", dict([thirds])), styles=tuple(styles))
    answer = made(("= x + x", "= x * x"), thirds, ("return twice", "return twice.clip(max=70)"))
    asks = [right(np.array(row)) for row in ([0.5, -1.7], [1.5, 2.0], [1.0, 30.0])]
    assert room.named(answer, *asks) == ["square", "thirds"]


def test_two_come_soon_that_by_themselves_give_most_of_what_is_wrong(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what is squared gets large enough to be clipped, which speaks against the two."""
    monkeypatch.setattr("autograder.diagnosis.steps.MAX_PAIRS", 6)
    monkeypatch.setattr("autograder.diagnosis.steps.MAX_FURTHER", 0)
    reference = "def double(x):\n    once = x + x\n    result = once\n    return result\n"
    square = variant("square", {"= x + x": "= x * x"})
    clipped = variant("clipped", {"return result": "return result.clip(max=70)"})
    change_all = [variant(f"first-{n}", {"= x + x": f"= x / {n}"}) for n in (7, 8, 9)]
    change_all += [variant(f"then-{n}", {"= once": f"= once / {n}"}) for n in (3, 5)]
    room.give(reference, *change_all, square, clipped)
    answer = "def double(x):\n    return (x**2).clip(max=70)\n"
    assert room.named(answer, right(np.array([1.5, 2.5, 30.0]))) == ["square", "clipped"]


def test_a_mistake_that_raises_makes_a_likely_pair_whatever_its_words(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.diagnosis.steps.MAX_PAIRS", 1)

    def too_short(words: str) -> tuple[str, str]:
        return (
            "if x.ndim == 1:",
            f"if len(x) < 2:\n        raise ValueError('{words}')\n    if True:",
        )

    edit = dict([too_short("One number is no row")])
    room.give(REFERENCE, NEGATIVE, SQUARE, variant("too-short", edit))
    answer = made(IN_ROWS, too_short("Give me two numbers"))
    assert room.named(answer, ROW, right(DRAWN[0, :1])) == ["square", "too-short"]


@pytest.fixture
def sought(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Each search for two mistakes at once, which finds none."""
    searches = list[int]()

    def seek(*asked: Any) -> list[tuple[str, str]]:
        searches.append(len(asked))
        return []

    monkeypatch.setattr("autograder.diagnosis.steps.likely_pairs", seek)
    return searches


MISSPELT = variant("misspelt", {"= x + x": "= x.as_tipe(float)"})


def test_no_two_mistakes_are_sought_for_an_error_that_no_known_one_raises(
    room: Room, sought: list[int]
) -> None:
    in_rows = ("= x + x", "= x.as_tipe(float)")
    assert room.named(made(IN_TABLES, in_rows), ROW, TABLE) == []
    assert not sought
    room.give(REFERENCE, SQUARE, MISSPELT)
    assert room.named(made(IN_TABLES, in_rows), ROW, TABLE) == []
    assert sought


def test_no_two_mistakes_are_sought_where_every_test_breaks_off(
    room: Room, sought: list[int]
) -> None:
    room.give(REFERENCE, SQUARE, MISSPELT)
    everywhere = ("if x.ndim == 1:", "x.as_tipe(float)\n    if x.ndim == 1:")
    assert room.named(made(IN_TABLES, everywhere), ROW, BLOCK) == ["crash-attribute"]
    assert not sought


def test_several_mistakes_are_not_named_if_a_failure_is_left_unexplained(room: Room) -> None:
    answer = made(IN_ROWS, IN_TABLES, IN_BLOCKS)
    assert room.named(answer, ROW, TABLE) == ["square", "tables"]
    assert room.named(answer, ROW, TABLE, BLOCK) == []


def test_several_mistakes_are_not_named_if_a_slow_test_that_fails_may_have_another_cause(
    room: Room,
) -> None:
    assert room.named(made(IN_ROWS, IN_TABLES), ROW, TABLE, slow=[right(DRAWN[1])]) == []


def test_a_single_mistake_is_named_beside_a_slow_test(room: Room) -> None:
    assert room.named(made(IN_ROWS), ROW, TABLE, slow=[ROW]) == ["square"]


def test_a_mistake_is_not_named_for_what_the_student_passes(room: Room) -> None:
    """The replies to a test that passes agree with a mistake; the one that fails asks nothing."""

    def passed(student: Student) -> None:
        student.double(DRAWN[0])

    def failed(student: Student) -> None:
        student.double(DRAWN)
        expect.that(False, "Something that no reply shows.")

    assert room.named(made(IN_ROWS), passed, failed) == []


def test_every_question_of_a_failing_test_is_asked(room: Room) -> None:
    """The first two replies are a mistake's, the third is not."""

    def all_three(student: Student) -> None:
        replies = [student.double(x) for x in (DRAWN[0], DRAWN, DRAWN[None])]
        expect.close(replies[0], 2 * DRAWN[0], "This isn't twice what you got.")

    assert room.named(made(IN_ROWS), all_three) == ["square"]
    assert room.named(made(IN_ROWS, IN_BLOCKS), all_three) == []


def test_a_test_that_fails_without_a_call_is_explained_by_no_mistake(room: Room) -> None:
    def nothing_asked(student: Student) -> None:
        expect.that(False, "Nothing could be asked.")

    assert room.named(made(IN_ROWS), ROW, nothing_asked) == []


def test_an_answer_that_passes_is_called_no_name(room: Room) -> None:
    assert room.named(made(), ROW, TABLE, BLOCK) == []
    assert room.named(made(IN_ROWS), lambda student: student.double(DRAWN[0])) == []


def reveal(tag: str) -> Ask:
    def ask(student: Student) -> None:
        student.double(DRAWN)
        expect.that(False, "It can't be compared.", reveals=tag)

    return ask


def test_a_check_names_a_mistake_where_replies_are_none_on_file(room: Room) -> None:
    assert room.named(made(IN_BLOCKS), BLOCK, reveal("tables")) == ["tables"]


def by_name(student: Student) -> None:
    expect.close(student.double(x=DRAWN[0]), 2 * DRAWN[0], "This isn't twice what you got.")


def test_a_mistake_is_named_beside_a_parameter_of_another_name(room: Room) -> None:
    renamed = made(IN_ROWS).replace("x", "rows")
    assert room.named(renamed, ROW, TABLE, by_name) == ["square"]
    assert room.named(made().replace("x", "rows"), ROW, by_name) == ["crash-arguments"]


def test_an_error_of_a_name_that_nobody_passed_has_to_be_explained(room: Room) -> None:
    """The student hands an argument of another name to a function of their own."""
    inside = (
        "if x.ndim == 1:",
        "np.zeros_like(x, size=2) if x.ndim == 3 else x\n    if x.ndim == 1:",
    )
    assert room.named(made(IN_ROWS, inside), ROW, TABLE, BLOCK) == []


def test_what_a_check_reveals_gives_way_to_a_mistake_that_explains_all(room: Room) -> None:
    assert room.named(made(IN_ROWS), ROW, reveal("tables")) == ["square"]


def test_a_failed_test_that_a_named_mistake_alone_would_pass_is_left_unexplained(
    room: Room,
) -> None:
    tests = [
        replace(each, verdict=each.verdict.model_copy(update={"name": name}))
        for name, ask in (("blocks", BLOCK), ("tables", TABLE), ("check", reveal("tables")))
        for each in [finding_of(made(IN_BLOCKS, IN_TABLES), ask)]
    ]
    diagnosis = Diagnosis(room.course, TOYS, [SETUP])
    named = diagnosis.of("double", tests)
    assert [each.tag for each in named] == ["tables"]
    assert diagnosis.unexplained("double", named, tests) == ("blocks",)


def test_beside_an_input_that_is_changed_the_mistake_in_the_results_is_named(room: Room) -> None:
    """In every call `changed` tells of the writing, so that no reply is a known mistake's."""
    begin = "def double(x):\n"
    writes = made(IN_ROWS, (begin, f"{begin}    given, x = x, x.copy()\n    given[:] = 7\n"))

    def leave_alone(student: Student) -> None:
        student.double(DRAWN[0])
        is_alone = not student._exchanges[-1].reply["changed"]
        expect.that(is_alone, "This isn't what it was.", reveals="tables")

    assert room.named(writes, ROW, leave_alone) == ["tables", "square"]
    assert room.named(made(IN_BLOCKS), BLOCK, leave_alone) == []
    room.give(REFERENCE, NEGATIVE, TABLES)
    assert room.named(writes, ROW, leave_alone) == ["tables"]


def test_a_check_that_reveals_an_unknown_mistake_is_refused(room: Room) -> None:
    with pytest.raises(CourseError, match=r"test of double reveals 'tabels', .* correct the tag"):
        room.named(made(IN_BLOCKS), BLOCK, reveal("tabels"))


def test_a_mistake_that_never_returns_ends_no_diagnosis(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.diagnosis.suspect.MAX_SECONDS", 0.2)
    endless = variant("endless", {"result = x + x": "\n        while True: pass"})
    room.give(REFERENCE, endless, SQUARE)
    assert room.named(made(IN_ROWS), ROW, TABLE) == ["square"]
