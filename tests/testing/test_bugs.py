"""Each student gets a bug of their own, and an input shows it or doesn't."""

import base64
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.testing import Bugs, expect_difference, implementation, own_bug

SOURCES = tuple(f"def f(x):\n    return {n} * x" for n in range(5))
BUGS = Bugs("find_it", "def f(x):\n    return x", SOURCES)
SETUP = "import numpy as np"


def test_an_id_has_the_same_bug_whenever_it_is_asked_for_and_however_it_is_typed() -> None:
    assert {BUGS.of(each) for each in ("ada", "ada", " Ada ", "A d a\n")} == {BUGS.of("ada")}


def test_every_bug_is_somebodys_and_another_exercise_draws_anew() -> None:
    ids = [f"student{n}" for n in range(60)]
    drawn = [BUGS.of(each) for each in ids]
    assert set(drawn) == set(SOURCES)
    assert drawn != [Bugs("other", "", SOURCES).of(each) for each in ids]


@pytest.mark.parametrize("student_id", ["", " \n", None, 7, np.str_(" ")])
def test_without_an_id_there_is_no_bug(student_id: Any) -> None:
    with pytest.raises(AssertionError, match="Your id should be a text"):
        BUGS.of(student_id)


def test_a_notebook_shows_a_student_the_bug_that_the_grader_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(own_bug, "BUGS", BUGS.packed)
    for student_id in ("ada", "bo", "çağla"):
        own_bug.my_bug(student_id)
        assert capsys.readouterr().out == BUGS.of(student_id) + "\n"
    own_bug.my_bug(" ")
    assert capsys.readouterr().out.startswith("Write your id")
    assert b"return" not in base64.b64decode(BUGS.packed)


def outcome(right: str, wrong: str, x: Any) -> str:
    """Return what is said of an input on which a function returns `right` and a bug `wrong`."""
    functions: list[Callable[[Any], Any]] = [
        implementation(SETUP, f"def f(x):\n    return {each}").f for each in (right, wrong)
    ]
    try:
        expect_difference(*functions, x)
    except AssertionError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    "wrong",
    ["x + 0.01", "x[:1]", "None", "x * np.nan", "x[9]", "(x, x)", "x.tolist()"],
)
def test_a_bug_shows_where_another_number_or_kind_of_value_comes_back(wrong: str) -> None:
    assert outcome("x", wrong, np.ones(3)) == ""


@pytest.mark.parametrize(
    "right", ["'abc'", "{'a': x, 'b': 'c'}", "np.array(['a'])", "None", "{x[0]}"]
)
def test_a_right_result_may_be_other_than_numbers(right: str) -> None:
    assert outcome(right, "x", np.ones(3)) == ""


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("x", "x + 0", "your bug returns what a right implementation does"),
        ("x", "x * (1 + 1e-12)", "your bug returns what a right implementation does"),
        ("x", "x + 1e-4", "the difference is so small that rounding might make it"),
        ("(x, 2 * x)", "(x, x + x)", "your bug returns what a right implementation does"),
        ("x / 0", "x", "a right implementation returns nan or an infinite number, too"),
        ("(x, x / 0)", "x", "a right implementation returns nan or an infinite number, too"),
        ("{'a': [1.0, x / 0]}", "x", "a right implementation returns nan or an infinite number"),
        ("x @ np.ones(5)", "x", r"a right implementation breaks off, too (ValueError)"),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_an_input_that_shows_nothing_is_told_why(right: str, wrong: str, says: str) -> None:
    assert says in outcome(right, wrong, np.ones(3))
