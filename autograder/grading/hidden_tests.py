"""The hidden tests of an assignment: their points, and their verdicts on a student's answers.

They run in the grader's process. Each gives a verdict, along with the calls that it made.
"""

import inspect
import math
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

import pytest

from autograder.course import Course, loading
from autograder.course.settings import FILE
from autograder.diagnosis.diagnosis import Finding
from autograder.errors import CourseError
from autograder.grading.pytest_plugin import (
    PREFIX,
    CollectedTests,
    Run,
    collect_tests,
    marker_args,
    tested_exercise,
)
from autograder.grading.transcripts import Transcripts
from autograder.report import TINY, Outcome, Verdict
from autograder.testing import describe
from autograder.testing.expect import PartlyRight, Revealing
from autograder.testing.failures import StudentFailure, one_line
from autograder.testing.student import Channel, Exchange

MAX_FRAMES = 12  # of a hidden test's traceback: the last ones, nearest to the error


@dataclass(frozen=True)
class HiddenTests:
    """The hidden tests of one assignment of a course, collected when they are first needed."""

    course: Course
    assignment: str
    _transcripts: Transcripts = field(default_factory=Transcripts, compare=False)

    def examine(
        self,
        exercise: str,
        channel_of: Callable[[], Channel],
        seed: int = 0,
        *,
        draws: int = 0,
        skip_slow: bool = False,
        exitfirst: bool = False,
    ) -> tuple[Finding, ...]:
        """Run the hidden tests of `exercise`; return what each found, in order.

        `channel_of()` is called before each test and returns a channel to the student. A test need
        not run where the student replies as was learned. `draws` is another number where the
        student's code should draw other random numbers than usual; `exitfirst` stops after the
        first test that fails.
        """
        findings: list[Finding] = []
        for item in self._items_of(exercise, skip_slow=skip_slow):
            found = self._transcripts.repeat((seed, draws, item.nodeid), channel_of())
            if not isinstance(found, Finding):
                found = self._run(item, seed, draws, found)
            findings.append(found)
            if exitfirst and not found.passed:
                break
        return tuple(findings)

    def learn(self, channel: Channel, seed: int) -> None:
        """Keep what is asked of a right answer, which `channel` leads to, for later students.

        Slow tests are left out.
        """
        for exercise in self.points:
            for item in self._items_of(exercise, skip_slow=True):
                run = partial(self._run, item, seed, 0)
                self._transcripts.keep((seed, 0, item.nodeid), channel, run)

    def _run(self, item: pytest.Item, seed: int, draws: int, channel: Channel) -> Finding:
        run = Run(channel, seed, draws)
        self._collected.run(item, run)
        exchanges = tuple(run.student._exchanges) if run.student else ()
        reveals = run.error.tag if isinstance(run.error, Revealing) else ""
        verdict = _verdict(item, run.error, exchanges, self._factor(item))
        return Finding(verdict, exchanges, _is_slow(item), reveals)

    def _items_of(self, exercise: str, *, skip_slow: bool) -> list[pytest.Item]:
        if exercise not in self._by_exercise:
            path = f"{PREFIX}{exercise}.py"
            raise CourseError(f"The exercise {exercise} has no hidden tests: write {path}.")
        return [i for i in self._by_exercise[exercise] if not (skip_slow and _is_slow(i))]

    @cached_property
    def points(self) -> dict[str, float]:
        """The points of each exercise: the sum over its hidden tests."""
        return {
            exercise: sum(_points(item) * self._factor(item) for item in items)
            for exercise, items in self._by_exercise.items()
        }

    @cached_property
    def forbidden(self) -> tuple[str, ...]:
        """All built-ins that any exercise forbids."""
        names = (marker_args(item, "forbids") or () for item in self._collected.items)
        return tuple(sorted({name for each in names for name in each}))

    @cached_property
    def seconds(self) -> float:
        """The time limit of all slow hidden tests together."""
        times = (marker_args(item, "seconds") or (0.0,) for item in self._collected.items)
        return sum(float(seconds) for (seconds,) in times)

    @cached_property
    def _collected(self) -> CollectedTests:
        return collect_tests(loading.package_of(self.course.exercises), self.assignment)

    @cached_property
    def _by_exercise(self) -> dict[str, list[pytest.Item]]:
        found: dict[str, list[pytest.Item]] = {}
        for item in self._collected.items:
            found.setdefault(tested_exercise(item), []).append(item)
        chosen = self.course.settings.assignment(self.assignment)
        for name in (*chosen.points, *chosen.left_out):
            if name not in found:
                raise CourseError(
                    f"{self.course.root / FILE}: `assignments.{self.assignment}` names {name!r}, "
                    f"which is not one of its exercises: {', '.join(found)}."
                )
        return {name: items for name, items in found.items() if name not in chosen.left_out}

    def _factor(self, item: pytest.Item) -> float:
        factors = self.course.settings.assignment(self.assignment).points
        return factors.get(tested_exercise(item), 1)


def _points(item: pytest.Item) -> int:
    points = marker_args(item, "points")
    if points is None:
        raise CourseError(f"The hidden test {item.name} has no points: mark it with @points(n).")
    return int(points[0])


def _is_slow(item: pytest.Item) -> bool:
    return marker_args(item, "seconds") is not None


def _verdict(
    item: pytest.Item, error: BaseException | None, exchanges: tuple[Exchange, ...], factor: float
) -> Verdict:
    outcome, message, fault, earned = Outcome.FAILED, "", "", 0.0
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
            outcome, message = Outcome.GRADER_ERROR, _unexpected_error(exchanges, error)
            fault = _traceback_of(error, item.path.parents[2])
    points = _points(item)
    words = getattr(getattr(item, "function", None), "__doc__", None) or item.name
    return Verdict(
        name=item.name,
        title=one_line(inspect.cleandoc(words).split("\n\n")[0]),
        outcome=outcome,
        score=math.floor(earned * points + TINY) * factor,  # 22 * (15 / 22) is less than 15
        max_score=points * factor,
        message=message,
        fault=fault,
    )


def _unexpected_error(exchanges: tuple[Exchange, ...], error: BaseException) -> str:
    """Say what the test could not process: nearly always the value that the last call returned.

    The verdict is provisional: the examiner decides whether the test or the student is at fault.
    """
    if not exchanges:
        return f"The hidden test raised {type(error).__name__}: {one_line(str(error))}"
    last = exchanges[-1]
    returned = describe(last.reply.get("value"))
    return f"`{last.name}` returned {returned}, and the check can't continue with that."


def _traceback_of(error: BaseException, root: Path) -> str:
    """Return the error and where it was raised, from the course's own code at `root` on.

    Paths are those within the course, so that the same fault reads the same on every machine.
    """
    frames = traceback.extract_tb(error.__traceback__)
    first = next((n for n, frame in enumerate(frames) if _is_below(frame.filename, root)), 0)
    lines = [_line(frame, root) for frame in frames[first:][-MAX_FRAMES:]]
    summary = f"{type(error).__name__}: {one_line(str(error), 600)}"
    if isinstance(error, pytest.FixtureLookupError):  # its own text is many lines long
        asked = f"a fixture {error.argname!r}, which no conftest.py defines"
        summary = f"The hidden test asks for {asked}"
    return "\n".join([*lines, summary])


def _line(frame: traceback.FrameSummary, root: Path) -> str:
    path = Path(frame.filename)
    shown = path.relative_to(root) if _is_below(frame.filename, root) else path.name
    return f"{shown}, line {frame.lineno}, in {frame.name}: {one_line(frame.line or '')}"


def _is_below(name: str, root: Path) -> bool:
    return Path(name).is_relative_to(root)
