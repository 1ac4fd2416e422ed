"""A slip costs the points of its own idea alone, if all the rest is shown to be right."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from autograder.diagnosis.case import Finding
from autograder.diagnosis.diagnosis import Diagnosis
from autograder.testing import expect
from autograder.testing.student import Student
from tests.diagnosis.answers import SETUP, Ask, Room, finding_of, variant
from tests.toys import TOYS

ROW, TABLE = np.array([0.3, -1.7]), np.array([[0.3, -1.7], [2.2, 1.3]])
REFERENCE = """
def double(x):
    total = x + x
    return total
"""
SQUARE = "def double(x):\n    return x**2\n"
IDEAS = ("rows", "tables", "blocks")


def right(x: Any) -> Ask:
    """Ask for the double of `x`."""

    def ask(student: Student) -> None:
        expect.close(student.double(x), 2 * x, "This isn't twice what you got.")

    return ask


@pytest.fixture(autouse=True)
def bank(room: Room) -> None:
    room.give(REFERENCE, variant("square", {"x + x": "x * x"}), ideas={"square": 1})


def found_in(source: str, **asks: Ask) -> list[Finding]:
    """Put an answer to a hidden test for each idea, worth a point."""
    found = [(idea, finding_of(source, ask)) for idea, ask in asks.items()]
    return [
        replace(each, verdict=each.verdict.model_copy(update={"name": idea, "idea": idea}))
        for idea, each in found
    ]


def earned(room: Room, tests: list[Finding]) -> list[str]:
    """Return the idea of each test that has its point."""
    diagnosis = Diagnosis(room.course, TOYS, [SETUP])
    slip = diagnosis.slip("double", diagnosis.of("double", tests), tests)
    verdicts = slip.spares([test.verdict for test in tests], IDEAS)
    return [verdict.idea for verdict in verdicts if verdict.score]


def test_a_slip_costs_its_own_idea_and_no_other(room: Room) -> None:
    assert earned(room, found_in(SQUARE, rows=right(ROW), tables=right(TABLE))) == ["tables"]


def test_a_slip_in_another_style_costs_its_own_idea_and_no_other(room: Room) -> None:
    style = variant("whole", {"return total": "return total * (total != total.round())"})
    square = variant("square", {"x + x": "(x * x).round(1)"})
    room.give(REFERENCE, square, styles=(style,), ideas={"square": 1})
    answer = "def double(x):\n    x = (x * x).round(1)\n    return x * (x != x.round())\n"
    row = right(np.array([0.3, 1.0]))
    assert earned(room, found_in(answer, rows=row, tables=right(TABLE))) == ["tables"]


def test_what_is_no_slip_of_one_idea_costs_all_that_it_fails(room: Room) -> None:
    room.give(REFERENCE, variant("square", {"x + x": "x * x"}))
    assert earned(room, found_in(SQUARE, rows=right(ROW), tables=right(TABLE))) == []


def test_another_mistake_beside_the_slip_is_paid(room: Room) -> None:
    both = "def double(x):\n    return x**2 if x.ndim == 1 else x**3\n"
    assert earned(room, found_in(both, rows=right(ROW), tables=right(TABLE))) == []


def test_two_mistakes_at_once_are_both_paid(room: Room) -> None:
    square, negative = (
        variant("square", {"x + x": "x * x"}),
        variant("negative", {"return total": "return -total"}),
    )
    room.give(REFERENCE, square, negative, ideas={"square": 1, "negative": 2})
    both = "def double(x):\n    return -(x**2)\n"
    assert earned(room, found_in(both, rows=right(ROW), tables=right(TABLE))) == []


BOTH = "def double(x):\n    return -(x**2) if x.ndim < 3 else x**2\n"
ASKS = {"rows": right(ROW), "tables": right(TABLE), "blocks": right(TABLE[None])}
MINUS = variant("minus", {"return total": "return -total if x.ndim < 3 else total"})


@pytest.mark.parametrize(
    ("ideas", "paid"),
    [
        ({"square": 1, "minus": 2}, ["blocks", "twos"]),  # each its own
        # one that is told no idea costs all that it fails alone
        ({"square": 1}, ["blocks", "twos"]),
        ({}, ["twos"]),
    ],
)
def test_of_two_mistakes_at_once_neither_costs_a_third_idea(
    room: Room, ideas: dict[str, int], paid: list[str]
) -> None:
    room.give(REFERENCE, variant("square", {"x + x": "x * x"}), MINUS, ideas=ideas)
    asks = ASKS | {"twos": right(np.full((1, 1, 1), 2.0))}
    assert earned(room, found_in(BOTH, **asks)) == paid


def test_two_mistakes_under_which_nothing_is_right_spare_nothing(room: Room) -> None:
    """Together they may come to what computes nothing, such as to return what was given."""
    ideas = {"square": 1, "minus": 2}
    room.give(REFERENCE, variant("square", {"x + x": "x * x"}), MINUS, ideas=ideas)
    assert earned(room, found_in(BOTH, **ASKS)) == []


def test_where_the_answer_breaks_off_nothing_is_shown_to_be_right(room: Room) -> None:
    crash = variant("crash", {"total = x + x": "total = x * x if x.ndim == 1 else x @ x[0, :1]"})
    room.give(REFERENCE, crash, ideas={"crash": 1})
    answer = "def double(x):\n    return x**2 if x.ndim == 1 else x @ x[0, :1]\n"
    assert earned(room, found_in(answer, rows=right(ROW), tables=right(TABLE))) == []


def test_a_slip_that_costs_nothing_in_its_own_idea_costs_the_others(room: Room) -> None:
    """Else it would cost nothing at all."""
    room.give(REFERENCE, variant("square", {"x + x": "x * x"}), ideas={"square": 1})
    tests = found_in(SQUARE, rows=right(np.array([2.0])), tables=right(TABLE))
    assert [test.passed for test in tests] == [True, False]
    assert earned(room, tests) == ["rows"]


def test_a_slip_costs_no_less_than_its_idea_is_worth(room: Room) -> None:
    """Of its own two points it loses one; so of two others, one more stays lost."""
    tests = found_in(SQUARE, rows=right(ROW), tables=right(TABLE), blocks=right(TABLE[None]))
    passed = found_in(SQUARE, rows=right(np.array([2.0])))
    assert earned(room, [*passed, *tests]) == ["rows", "tables"]


def test_a_slip_of_an_idea_that_the_exercise_lacks_spares_nothing(room: Room) -> None:
    room.give(REFERENCE, variant("square", {"x + x": "x * x"}), ideas={"square": 9})
    assert earned(room, found_in(SQUARE, rows=right(ROW), tables=right(TABLE))) == []


def twice(x: Any) -> Ask:
    """Ask for the double of `x` two times."""

    def ask(student: Student) -> None:
        found = [student.double(x) for _ in range(2)]
        expect.close(found[0], found[1], "You gave two answers.")

    return ask


NORMAL = "return total + np.random.normal(size=x.shape)"
UNIFORM = "return total + np.random.uniform(size=x.shape)"


@pytest.mark.parametrize(
    ("answer", "same_draws", "named", "paid"),
    [
        (NORMAL, False, ["noise"], ["tables"]),
        (UNIFORM, False, ["noise"], []),  # for all we know it is; what else is wrong, nobody knows
        (NORMAL, True, ["noise"], ["tables"]),
        (UNIFORM, True, ["relation-not-repeatable"], []),
    ],
)
def test_random_results_are_a_slip_only_if_the_same_numbers_were_drawn(
    room: Room, answer: str, same_draws: bool, named: list[str], paid: list[str]
) -> None:
    noise = replace(variant("noise", {"return total": NORMAL}), same_draws=same_draws)
    room.give(REFERENCE, noise, ideas={"noise": 1})
    source = REFERENCE.replace("return total", answer)
    assert room.named(source, twice(ROW), twice(TABLE)) == named
    assert earned(room, found_in(source, rows=twice(ROW), tables=twice(TABLE))) == paid


def test_a_slip_beside_a_parameter_of_another_name_costs_both(room: Room) -> None:
    def by_name(student: Student) -> None:
        expect.close(student.double(x=TABLE), 2 * TABLE, "This isn't twice what you got.")

    renamed = "def double(rows):\n    return rows**2\n"
    tests = found_in(renamed, rows=right(ROW), tables=right(TABLE), blocks=by_name)
    assert earned(room, tests) == ["tables"]
    passed = found_in(renamed, rows=right(2 * np.ones(2)))
    assert earned(room, tests + passed) == ["rows"], "as much is lost as both are worth"
