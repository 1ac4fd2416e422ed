"""Where every failing test breaks off in one explained way, that is named."""

from typing import Any

import numpy as np
import pytest

from autograder.diagnosis.case import Case, Finding
from autograder.diagnosis.steps import crash
from autograder.diagnosis.suspect import Suspect
from autograder.report import Outcome, Verdict
from autograder.testing import expect
from autograder.testing.failures import StudentFailure, StudentRaised, StudentTimedOut
from autograder.testing.misconceptions import Candidate
from autograder.testing.student import Exchange, Student
from tests.diagnosis.answers import Ask, Room

SHAPES = """
def helper(x):
    return x @ np.ones((7, 2))

def double(x):
    {} if x.shape != (2, 2) else 0
    return 2 * x
"""


def of_ones(*shape: int) -> Ask:
    def ask(student: Student) -> None:
        expect.close(student.double(np.ones(shape)), 2, "You don't double.")

    return ask


@pytest.fixture(autouse=True)
def bank(room: Room) -> None:
    room.give("def double(x):\n    return x + x\n")


def test_one_kind_of_exception_in_one_place_is_named_with_the_place(room: Room) -> None:
    (found,) = room.diagnosed(SHAPES.format("helper(x)"), of_ones(3, 3), of_ones(2, 2))
    assert found.tag == "crash-shapes"
    assert found.message.startswith("The check that fails breaks off at `helper`, line 3. In a ")
    assert "here 3 meets 7. Print both shapes just before line 3" in found.message


def test_what_differs_between_the_failing_tests_is_told_of_the_first(room: Room) -> None:
    (found,) = room.diagnosed(SHAPES.format("helper(x)"), of_ones(3, 3), of_ones(4, 4))
    assert found.message.startswith(
        "Every check that fails breaks off at `helper`, line 3. The first one: In a matrix"
    )


def test_one_kind_of_exception_in_several_places_is_named_without_a_place(room: Room) -> None:
    answer = SHAPES.format("np.ones((2, 9)) @ x if x.shape == (3, 3) else helper(x)")
    (found,) = room.diagnosed(answer, of_ones(3, 3), of_ones(4, 4))
    assert found.message.startswith("Every check that fails breaks off with an error of the same ")


@pytest.mark.parametrize(
    "body",
    [
        "helper(x) if x.shape == (3, 3) else np.ones((2, 9)).sum(5)",  # two kinds
        "helper(x) if x.shape == (3, 3) else x.__setitem__(0, 7)",  # one fails, one breaks off
        "int('seven')",  # not explained
        "(_ for _ in ()).throw(NotImplementedError())",
        "(_ for _ in ()).throw(MemoryError('NoneType'))",
    ],
)
def test_nothing_is_named_where_failures_differ_or_are_no_common_exception(
    room: Room, body: str
) -> None:
    assert room.named(SHAPES.format(body), of_ones(3, 3), of_ones(4, 4)) == []


def test_a_test_that_times_out_is_none_that_breaks_off(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(student: Student) -> Any:
        def ask(*_: object) -> Any:
            failure: StudentFailure = StudentTimedOut("`double` didn't answer: name 'x' is not …")
            raise failure

        monkeypatch.setattr(student._channel, "ask", ask)
        return student.double(1)

    assert room.named(SHAPES.format("helper(x)"), of_ones(3, 3), late) == []


def test_without_a_bank_exceptions_are_named_too(room: Room) -> None:
    def ask(student: Student) -> None:
        student.count(3)

    answer = "def count(times):\n    return missing\n"
    (found,) = room.diagnosed(answer, ask, exercise="Counter")
    assert found.tag == "crash-misspelt"
    assert found.message.startswith("The check that fails breaks off at `count`, line 2. ")


def test_of_sizes_that_do_not_fit_the_most_frequent_is_named(room: Room) -> None:
    body = "x + np.ones(99) if len(x) == 3 else helper(x)"
    sizes = ((3, 3), (4, 4), (5, 5))
    (found,) = room.diagnosed(SHAPES.format(body), *(of_ones(*size) for size in sizes))
    assert found.tag == "crash-shapes"
    assert ". One of them, at `helper`, line 3: In a matrix product" in found.message


@pytest.mark.parametrize(
    ("name", "tag"), [("factor", "crash-missing-self"), ("fct", "crash-misspelt")]
)
def test_a_name_that_the_module_has_as_an_attribute_lacks_its_self(
    room: Room, name: str, tag: str
) -> None:
    error = {"type": "NameError", "message": f"name '{name}' is not defined"}
    raised = StudentRaised("Scale", {**error, "bases": ["NameError"], "line": 1, "traceback": ""})
    exchanges = (
        Exchange("Scale", {"op": "load", "state": {"factor.weight": np.ones(2)}}, {"value": None}),
        Exchange("Scale", {"op": "forward"}, {"error": error}, raised),
    )
    verdict = Verdict(name="", title="", outcome=Outcome.ERROR, score=0, max_score=1)
    test = Finding(verdict, exchanges)
    right = Suspect(Candidate((), ""), {})
    (found,) = crash(
        Case("Scale", {}, [test], right, single={}, styles={}, together=lambda *_: None)
    )
    assert found.tag == tag
