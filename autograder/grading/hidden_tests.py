"""The hidden tests of an assignment: what each is worth, and what it finds in a student's answer.

They are plain pytest tests, and run in the grader's process.
"""

from __future__ import annotations

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
from autograder.diagnosis.banks import banks_of, bugs_of
from autograder.diagnosis.case import Finding
from autograder.errors import CourseError, in_digits
from autograder.grading.pytest_plugin import (
    PREFIX,
    CollectedTests,
    Run,
    collect_tests,
    marker_args,
    tested_exercise,
)
from autograder.grading.transcripts import Heard, Transcripts
from autograder.report import TINY, Outcome, Verdict
from autograder.testing import describe
from autograder.testing.bugs import Bugs
from autograder.testing.expect import PartlyRight, Revealing
from autograder.testing.failures import StudentFailure, one_line
from autograder.testing.misconceptions import Bank
from autograder.testing.student import Channel, Exchange

MAX_FRAMES = 12  # of a hidden test's traceback: the last ones, nearest to the error
WITHOUT_POINTS = "This exercise gives no points. You get feedback on it as on the others."


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
        is_early: bool = False,
        exitfirst: bool = False,
        first: str = "",
    ) -> tuple[Finding, ...]:
        """Run the hidden tests of `exercise`; return what each found, in order.

        `channel_of()` returns a channel to the student, a new one for each test. With other `draws`
        the student's code draws other random numbers. With `is_early`, tests are left out that run
        once the due date has passed. `exitfirst` stops after a test that fails, which doesn't even
        run for an exception that no right answer raises. The one that is named `first` comes first.
        """
        findings: list[Finding] = []
        tests = self._of(exercise, skip_slow=skip_slow)
        for test in sorted(tests, key=lambda test: test.item.name != first):
            if is_early and test.is_for_later:
                continue
            found = self._transcripts.repeat((seed, draws, test.item.nodeid), channel_of())
            if exitfirst and isinstance(found, Heard) and found.breaks_off:
                found = Finding(test.verdict(Outcome.ERROR), ())  # whatever the test says of it
            elif not isinstance(found, Finding):
                found = self._run(test, seed, draws, found)
            findings.append(found)
            if exitfirst and not found.passed:
                break
        return tuple(findings)

    def later(self, exercise: str) -> tuple[Verdict, ...]:
        """Return what stands for the tests that run once the due date has passed."""
        tests = self._of(exercise, skip_slow=False)
        return tuple(test.verdict(Outcome.LATER) for test in tests if test.is_for_later)

    def learn(self, channel: Channel, seed: int) -> None:
        """Keep what is asked of a right answer, which `channel` leads to, for later students.

        Slow tests are left out.
        """
        for exercise in self.points:
            for test in self._of(exercise, skip_slow=True):
                run = partial(self._run, test, seed, 0)
                self._transcripts.keep((seed, 0, test.item.nodeid), channel, run)

    def _run(self, test: HiddenTest, seed: int, draws: int, channel: Channel) -> Finding:
        run = Run(lambda: self.banks, lambda: self.bugs, channel, seed, draws)
        self._collected.run(test.item, run)
        exchanges = tuple(run.student._exchanges) if run.student else ()
        reveals = run.error.tag if isinstance(run.error, Revealing) else ""
        return Finding(test.found(run.error, exchanges), exchanges, test.is_compared, reveals)

    def _of(self, exercise: str, *, skip_slow: bool) -> list[HiddenTest]:
        if exercise not in self._by_exercise:
            path = f"{PREFIX}{exercise}.py"
            raise CourseError(f"The exercise {exercise} has no hidden tests: write {path}.")
        return [t for t in self._by_exercise[exercise] if not (skip_slow and t.is_slow)]

    @cached_property
    def banks(self) -> dict[str, Bank]:
        return banks_of(self.course, self.assignment)

    @cached_property
    def bugs(self) -> dict[str, Bugs]:
        return bugs_of(self.course, self.assignment)

    @cached_property
    def points(self) -> dict[str, float]:
        return {
            exercise: sum(test.max_score for test in tests)
            for exercise, tests in self._by_exercise.items()
        }

    @cached_property
    def ideas(self) -> dict[str, tuple[str, ...]]:
        """What each exercise gives points for, in the order of its tests; "" where none says so."""
        return {
            exercise: tuple(dict.fromkeys(test.idea for test in tests))
            for exercise, tests in self._by_exercise.items()
        }

    def table_of_ideas(self, exercise: str) -> str:
        """Return a Markdown table of the ideas of `exercise` and their points; "" if it has none.

        An exercise that is worth nothing in this course has a sentence in its place.

        Raises `CourseError` if only some of its tests say what their points are for.
        """
        worth: dict[str, float] = {}
        for test in self._by_exercise[exercise]:
            worth[test.idea] = worth.get(test.idea, 0) + test.max_score
        if not any(worth.values()):
            return WITHOUT_POINTS
        if "" in worth:
            if len(worth) > 1:
                raise CourseError(
                    f"Some hidden tests of {exercise} have an idea and others have none: write "
                    "@points(n, idea) in all of them."
                )
            return ""
        rows = [f"| {idea} | {in_digits(number)} |" for idea, number in worth.items()]
        return "\n".join(["| graded idea | points |", "|:--|--:|", *rows])

    def collect(self) -> None:
        """Import the hidden tests, and with them what they compare answers with."""
        _ = self._collected

    @cached_property
    def forbidden(self) -> tuple[str, ...]:
        names = (marker_args(item, "forbids") or () for item in self._collected.items)
        return tuple(sorted({name for each in names for name in each}))

    @cached_property
    def seconds(self) -> float:
        times = (marker_args(item, "seconds") or (0.0,) for item in self._collected.items)
        return sum(float(seconds) for (seconds,) in times)

    @cached_property
    def _collected(self) -> CollectedTests:
        return collect_tests(loading.package_of(self.course.exercises), self.assignment)

    @cached_property
    def _by_exercise(self) -> dict[str, list[HiddenTest]]:
        chosen = self.course.settings.assignment(self.assignment)
        found: dict[str, list[HiddenTest]] = {}
        for item in self._collected.items:
            exercise = tested_exercise(item)
            test = HiddenTest(item, chosen.points.get(exercise, 1))
            found.setdefault(exercise, []).append(test)
        for name in (*chosen.points, *chosen.left_out):
            if name not in found:
                raise CourseError(
                    f"{self.course.root / FILE}: `assignments.{self.assignment}` names {name!r}, "
                    f"which is not one of its exercises: {', '.join(found)}."
                )
        return {name: tests for name, tests in found.items() if name not in chosen.left_out}


@dataclass(frozen=True)
class HiddenTest:
    """One of them; its points are multiplied by `factor`, which the course sets."""

    item: pytest.Item
    factor: float

    @property
    def _points(self) -> int:
        points = marker_args(self.item, "points")
        if points is None:
            raise CourseError(
                f"The hidden test {self.item.name} has no points: mark it with @points(n)."
            )
        return int(points[0])

    @property
    def max_score(self) -> float:
        return self._points * self.factor

    @property
    def idea(self) -> str:
        return str(next(iter((marker_args(self.item, "points") or ())[1:]), ""))

    @property
    def is_slow(self) -> bool:
        return marker_args(self.item, "seconds") is not None

    @property
    def is_for_later(self) -> bool:
        return marker_args(self.item, "after_deadline") is not None

    @property
    def is_compared(self) -> bool:
        """Whether its calls are replayed against other answers."""
        return not self.is_slow and marker_args(self.item, "open_ended") is None

    def found(self, error: BaseException | None, exchanges: tuple[Exchange, ...]) -> Verdict:
        """Return the verdict of a run that ended with `error`, or without one."""
        match error:
            case None:
                return self.verdict(Outcome.PASSED, earned=1)
            case PartlyRight():
                message = one_line(str(error), 600)
                return self.verdict(Outcome.FAILED, message, earned=error.fraction)
            case AssertionError():
                return self.verdict(Outcome.FAILED, one_line(str(error), 600))
            case StudentFailure():
                return self.verdict(error.outcome, str(error))
            case _:
                fault = _traceback_of(error, self.item.path.parents[2])
                message = _unexpected_error(exchanges, error)
                return self.verdict(Outcome.GRADER_ERROR, message, fault)

    def verdict(
        self, outcome: Outcome, message: str = "", fault: str = "", earned: float = 0
    ) -> Verdict:
        """Return a verdict for which the share `earned` of the points is given."""
        words = getattr(getattr(self.item, "function", None), "__doc__", None) or self.item.name
        return Verdict(
            name=self.item.name,
            title=one_line(inspect.cleandoc(words).split("\n\n")[0]),
            outcome=outcome,
            score=math.floor(earned * self._points + TINY) * self.factor,  # 22 * (15 / 22) < 15
            max_score=self.max_score,
            message=message,
            fault=fault,
            idea=self.idea,
        )


def _unexpected_error(exchanges: tuple[Exchange, ...], error: BaseException) -> str:
    """Say what the test could not process; the examiner decides whose fault it is."""
    if not exchanges:
        return f"The hidden test raised {type(error).__name__}: {one_line(str(error))}"
    last = exchanges[-1]
    returned = describe(last.reply.get("value"))
    return f"`{last.name}` returned {returned}, and the check can't continue with that."


def _traceback_of(error: BaseException, root: Path) -> str:
    """Return the error and where it was raised, from the course's code on, by relative paths."""
    frames = [(Path(frame.filename), frame) for frame in traceback.extract_tb(error.__traceback__)]
    first = next((n for n, (path, _) in enumerate(frames) if path.is_relative_to(root)), 0)
    lines = []
    for path, frame in frames[first:][-MAX_FRAMES:]:
        shown = path.relative_to(root) if path.is_relative_to(root) else path.name
        lines.append(f"{shown}, line {frame.lineno}, in {frame.name}: {one_line(frame.line or '')}")
    summary = f"{type(error).__name__}: {one_line(str(error), 600)}"
    if isinstance(error, pytest.FixtureLookupError):  # its own text is many lines long
        asked = f"a fixture {error.argname!r}, which no conftest.py defines"
        summary = f"The hidden test asks for {asked}"
    return "\n".join([*lines, summary])
