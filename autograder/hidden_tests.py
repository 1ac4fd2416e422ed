"""Run the hidden tests of an assignment against a student, in the grader's process.

What they find becomes verdicts, with the questions that each test asked on its way.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from autograder.collection import (
    PREFIX,
    ChannelOf,
    HiddenTests,
    Run,
    collected,
    exercise_of,
    marked,
)
from autograder.course import hidden_tests_of
from autograder.errors import CourseError
from autograder.failures import StudentFailure, one_line
from autograder.report import Outcome, Verdict
from autograder.student import Exchange, Student
from autograder.testing import PartlyRight, describe


@dataclass(frozen=True)
class Finding:
    """What one hidden test found, and the questions it asked the student on the way.

    `lengthy`: too much is computed to answer them to ask anybody else.
    """

    verdict: Verdict
    exchanges: tuple[Exchange, ...]
    lengthy: bool = False


def examine(
    assignment: str,
    exercises: Iterable[str],
    channel_of: ChannelOf,
    seed: int = 0,
    *,
    brief: bool = False,
    exitfirst: bool = False,
) -> dict[str, tuple[Finding, ...]]:
    """Run the hidden tests of `exercises`; return each one's findings in the order of its tests.

    `channel_of(exercise)` is asked for a channel to the student before each test. `brief` leaves
    out the tests that need long; `exitfirst` leaves out what comes after the first that fails.
    """
    tests = _tests_of(assignment)
    by_exercise = _by_exercise(tests)
    findings: dict[str, list[Finding]] = {}

    def take_down(item: pytest.Item, error: BaseException | None, student: Student | None) -> None:
        exchanges = tuple(student._exchanges) if student else ()
        finding = Finding(_verdict(item, error, exchanges), exchanges, _needs_long(item))
        findings[exercise_of(item)].append(finding)

    items = []
    for exercise in exercises:
        if exercise not in by_exercise:
            path = f"{PREFIX}{exercise}.py"
            raise CourseError(f"The exercise {exercise} has no hidden tests: write {path}.")
        findings[exercise] = []
        items += [item for item in by_exercise[exercise] if not (brief and _needs_long(item))]
    tests.run(items, Run(channel_of, seed, take_down), exitfirst=exitfirst)
    return {exercise: tuple(found) for exercise, found in findings.items()}


def run(
    assignment: str,
    exercises: Iterable[str],
    channel_of: ChannelOf,
    seed: int = 0,
    *,
    brief: bool = False,
) -> dict[str, tuple[Verdict, ...]]:
    """Do as `examine` does; return the verdicts alone."""
    findings = examine(assignment, exercises, channel_of, seed, brief=brief)
    return {name: tuple(found.verdict for found in each) for name, each in findings.items()}


def points_of(assignment: str) -> dict[str, int]:
    """Return what each exercise is worth: the points of its hidden tests, added up."""
    found = _by_exercise(_tests_of(assignment))
    return {exercise: sum(map(_points, items)) for exercise, items in found.items()}


def forbidden_of(assignment: str) -> tuple[str, ...]:
    """Return every built-in that some exercise of `assignment` forbids."""
    names = (marked(item, "forbids") or () for item in _tests_of(assignment).items)
    return tuple(sorted({name for each in names for name in each}))


def seconds_of(assignment: str) -> float:
    """Return how much time the hidden tests that need long may take together."""
    times = (marked(item, "seconds") or (0.0,) for item in _tests_of(assignment).items)
    return sum(float(seconds) for (seconds,) in times)


def _tests_of(assignment: str) -> HiddenTests:
    return collected(hidden_tests_of(assignment))


def _by_exercise(tests: HiddenTests) -> dict[str, list[pytest.Item]]:
    found: dict[str, list[pytest.Item]] = {}
    for item in tests.items:
        found.setdefault(exercise_of(item), []).append(item)
    return found


def _points(item: pytest.Item) -> int:
    points = marked(item, "points")
    if points is None:
        raise CourseError(f"The hidden test {item.name} has no points: mark it with @points(n).")
    return int(points[0])


def _needs_long(item: pytest.Item) -> bool:
    return marked(item, "seconds") is not None


def _title(item: pytest.Item) -> str:
    function = getattr(item, "function", None)
    text = inspect.cleandoc(getattr(function, "__doc__", None) or item.name)
    return one_line(text.split("\n\n")[0])


def _verdict(
    item: pytest.Item, error: BaseException | None, exchanges: tuple[Exchange, ...]
) -> Verdict:
    outcome, message, earned = Outcome.FAILED, "", 0.0
    match error:
        case None:
            outcome, earned = Outcome.PASSED, 1.0
        case PartlyRight():
            message, earned = one_line(str(error), 600), error.fraction
        case AssertionError():
            message = one_line(str(error), 600)
        case StudentFailure():
            outcome, message = error.outcome, str(error)
        case _:
            outcome, message = Outcome.GRADER_ERROR, _stumbled(exchanges, error)
    points = _points(item)
    return Verdict(
        name=item.name,
        title=_title(item),
        outcome=outcome,
        score=math.floor(earned * points),
        max_score=points,
        message=message,
    )


def _stumbled(exchanges: tuple[Exchange, ...], error: BaseException) -> str:
    """Say what the test could not work with: nearly always what the last call returned.

    Whether the test or the student is at fault is not known here; the verdict is provisional.
    """
    if not exchanges:
        return f"The hidden test raised {type(error).__name__}: {one_line(str(error))}"
    last = exchanges[-1]
    returned = describe(last.reply.get("value"))
    return f"`{last.name}` returned {returned}, and the check can't go on from there."
