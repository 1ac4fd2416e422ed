"""The hidden tests of an assignment: collected once, run for one student after the other.

They are plain pytest tests, and run in the grader's process: pytest's own run ends after the
collection, and its protocol runs each of the collected items again for every student.
"""

from __future__ import annotations

import hashlib
import inspect
import math
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np
import pytest

from autograder.course import Course, loading
from autograder.course.bugs import FILE as BUGS_FILE
from autograder.course.settings import FILE
from autograder.diagnosis.banks import banks_of
from autograder.diagnosis.bugs import bugs_of
from autograder.diagnosis.case import Finding
from autograder.errors import AutograderError, CourseError
from autograder.grading.transcripts import Transcripts
from autograder.report import TINY, Outcome, Verdict
from autograder.testing import describe
from autograder.testing.bugs import Bugs
from autograder.testing.expect import PartlyRight, Revealing
from autograder.testing.failures import StudentFailure, one_line
from autograder.testing.misconceptions import Bank
from autograder.testing.student import Channel, Exchange, OwnGenerator, Student

MAX_FRAMES = 12  # of a hidden test's traceback: the last ones, nearest to the error
WITHOUT_POINTS = "This exercise gives no points. You get feedback on it as on the others."
PREFIX = "test_"
FOLDER = "hidden_tests"
# Load only the plugins that the hidden tests use: each further one costs time.
_OPTIONS = [
    "--assert=plain",  # a rewritten assertion would print expected values to students
    "--disable-plugin-autoload",
    *(f"-pno:{name}" for name in ("cacheprovider", "terminal", "capture", "logging", "warnings")),
    *(f"-pno:{name}" for name in ("unraisableexception", "threadexception", "faulthandler")),
    *(f"-pno:{name}" for name in ("junitxml", "pastebin", "doctest", "unittest", "debugging")),
    "--noconftest",  # the course's own are registered here; those of other folders are ignored
    f"-c={os.devnull}",
]
_MARKERS = (
    "points(number, idea): the points that the test is worth, and what for",
    "forbids(*names): built-ins that raise during its calls",
    "seconds(number): the time limit for its calls together",
    "open_ended: what it calls returns is compared with no other answer",
    "after_deadline: it runs once the student's due date has passed",
)


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
    ) -> tuple[Finding, ...]:
        """Run the hidden tests of `exercise`; return what each found, in order.

        `channel_of()` returns a channel to the student, a new one for each test. With other `draws`
        the student's code draws other random numbers. With `is_early`, tests are left out that run
        once the due date has passed. `exitfirst` stops after a test that fails.
        """
        findings: list[Finding] = []
        for item in self._items_of(exercise, skip_slow=skip_slow):
            if is_early and _is_for_later(item):
                continue
            found = self._transcripts.repeat((seed, draws, item.nodeid), channel_of())
            if not isinstance(found, Finding):
                found = self._run(item, seed, draws, found)
            findings.append(found)
            if exitfirst and not found.passed:
                break
        return tuple(findings)

    def later(self, exercise: str) -> tuple[Verdict, ...]:
        """Return what stands for the tests that run once the due date has passed."""
        items = filter(_is_for_later, self._items_of(exercise, skip_slow=False))
        return tuple(
            Verdict(
                name=item.name,
                title=_title(item),
                outcome=Outcome.LATER,
                score=0,
                max_score=_points(item) * self._factor(item),
                idea=_idea(item),
            )
            for item in items
        )

    def learn(self, channel: Channel, seed: int) -> None:
        """Keep what is asked of a right answer, which `channel` leads to, for later students.

        Slow tests are left out.
        """
        for exercise in self.points:
            for item in self._items_of(exercise, skip_slow=True):
                run = partial(self._run, item, seed, 0)
                self._transcripts.keep((seed, 0, item.nodeid), channel, run)

    def _run(self, item: pytest.Item, seed: int, draws: int, channel: Channel) -> Finding:
        run = Run(self, channel, seed, draws)
        self._collected.run(item, run)
        exchanges = tuple(run.student._exchanges) if run.student else ()
        reveals = run.error.tag if isinstance(run.error, Revealing) else ""
        verdict = _verdict(item, run.error, exchanges, self._factor(item))
        is_compared = not _is_slow(item) and marker_args(item, "open_ended") is None
        return Finding(verdict, exchanges, is_compared, reveals)

    def _items_of(self, exercise: str, *, skip_slow: bool) -> list[pytest.Item]:
        if exercise not in self._by_exercise:
            path = f"{PREFIX}{exercise}.py"
            raise CourseError(f"The exercise {exercise} has no hidden tests: write {path}.")
        return [i for i in self._by_exercise[exercise] if not (skip_slow and _is_slow(i))]

    @cached_property
    def banks(self) -> dict[str, Bank]:
        return banks_of(self.course, self.assignment)

    @cached_property
    def bugs(self) -> dict[str, Bugs]:
        return bugs_of(self.course, self.assignment)

    @cached_property
    def points(self) -> dict[str, float]:
        return {
            exercise: sum(_points(item) * self._factor(item) for item in items)
            for exercise, items in self._by_exercise.items()
        }

    @cached_property
    def ideas(self) -> dict[str, tuple[str, ...]]:
        """What each exercise gives points for, in the order of its tests; "" where none says so."""
        return {
            exercise: tuple(dict.fromkeys(map(_idea, items)))
            for exercise, items in self._by_exercise.items()
        }

    def table_of_ideas(self, exercise: str) -> str:
        """Return a Markdown table of the ideas of `exercise` and their points; "" if it has none.

        An exercise that is worth nothing in this course has a sentence in its place.

        Raises `CourseError` if only some of its tests say what their points are for.
        """
        worth: dict[str, float] = {}
        for item in self._by_exercise[exercise]:
            worth[_idea(item)] = worth.get(_idea(item), 0) + _points(item) * self._factor(item)
        if not any(worth.values()):
            return WITHOUT_POINTS
        if "" in worth:
            if len(worth) > 1:
                raise CourseError(
                    f"Some hidden tests of {exercise} have an idea and others have none: write "
                    "@points(n, idea) in all of them."
                )
            return ""
        rows = [f"| {idea} | {number:g} |" for idea, number in worth.items()]
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


def _idea(item: pytest.Item) -> str:
    return str(next(iter((marker_args(item, "points") or ())[1:]), ""))


def _is_slow(item: pytest.Item) -> bool:
    return marker_args(item, "seconds") is not None


def _is_for_later(item: pytest.Item) -> bool:
    return marker_args(item, "after_deadline") is not None


def _title(item: pytest.Item) -> str:
    words = getattr(getattr(item, "function", None), "__doc__", None) or item.name
    return one_line(inspect.cleandoc(words).split("\n\n")[0])


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
    return Verdict(
        name=item.name,
        title=_title(item),
        outcome=outcome,
        score=math.floor(earned * points + TINY) * factor,  # 22 * (15 / 22) is less than 15
        max_score=points * factor,
        message=message,
        fault=fault,
        idea=_idea(item),
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


def tested_exercise(item: pytest.Item) -> str:
    return item.path.stem.removeprefix(PREFIX)


def marker_args(item: pytest.Item, marker: str) -> tuple[Any, ...] | None:
    found = item.get_closest_marker(marker)
    return tuple(found.args) if found else None


@dataclass
class Run:
    """One run of one of the `tests`: the channel to the student, and how it ended.

    Nobody may keep the `error`: its traceback holds all of the student's replies.
    """

    tests: HiddenTests
    channel: Channel
    seed: int
    draws: int
    student: Student | None = None
    error: BaseException | None = None


class CollectedTests:
    """A pytest plugin that collects tests, provides their fixtures and runs them."""

    def __init__(self, package: str, assignment: str) -> None:
        """Let pytest collect the tests of `assignment`; raise `CourseError` if it can't."""
        self.items: list[pytest.Item] = []
        self._package, self._assignment = package, assignment
        self._broken = ""
        self._unusable: CourseError | None = None
        self._run: Run
        (self._root,) = map(Path, sys.modules[package].__path__)
        self._files = sorted((self._root / assignment / FOLDER).glob(f"{PREFIX}*.py"))
        if not self._files:
            return
        os.environ.pop("PYTEST_ADDOPTS", None)  # it is not meant for these tests
        options = [*_OPTIONS, f"--rootdir={self._root}", *map(str, self._files)]
        status = pytest.main(options, plugins=[self])
        if self._unusable is not None:
            raise self._unusable
        if status != pytest.ExitCode.OK:
            what = one_line(self._broken or str(status), 600)
            raise CourseError(f"The hidden tests of {assignment} can't be run: {what}")

    def run(self, item: pytest.Item, run: Run) -> None:
        """Run one of the tests; raise the `AutograderError`, if any, that interrupted it."""
        self._run = run
        try:
            item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
            if isinstance(run.error, AutograderError):
                raise run.error
        except BaseException:  # pytest may be in the middle of a test: it must not resume there
            collect_tests.cache_clear()
            raise
        finally:
            del self._run  # it holds all of the student's replies

    @pytest.hookimpl(trylast=True)  # when pytest knows of the markers that modules use
    def pytest_configure(self, config: pytest.Config) -> None:
        for line in _MARKERS:
            config.addinivalue_line("markers", line)
        # what is nearer to a test comes last, and overrides
        fixtures = (self._root / "conftest.py", self._root / self._assignment / "conftest.py")
        try:
            for path in filter(Path.is_file, fixtures):
                config.pluginmanager.register(self._module_at(path))
            for path in self._files:
                self._module_at(path)
        except CourseError as error:  # for one sentence of ours
            self._unusable = error

    def _module_at(self, path: Path) -> ModuleType:
        name = ".".join(path.relative_to(self._root).with_suffix("").parts)
        return loading.load_module(self._package, name)

    def pytest_pycollect_makemodule(
        self, module_path: Path, parent: pytest.Collector
    ) -> pytest.Module:
        module: pytest.Module = pytest.Module.from_parent(parent, path=module_path)
        module._getobj = partial(self._module_at, module_path)  # type: ignore[method-assign]
        return module

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._broken = report.longreprtext.strip().splitlines()[-1]

    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Keep the collected tests; returning True tells pytest that they have been run."""
        if session.testsfailed:  # a file can't be collected
            return None
        self.items = list(session.items)
        return True

    @pytest.fixture
    def student(self, request: pytest.FixtureRequest) -> Student:
        test = request.node
        (seconds,) = marker_args(test, "seconds") or (None,)
        run, forbidden = self._run, marker_args(test, "forbids") or ()
        run.student = Student(run.channel, run.draws, forbidden, seconds)
        return run.student

    @pytest.fixture
    def rng(self, request: pytest.FixtureRequest) -> np.random.Generator:
        """A generator seeded per test: adding or removing another test doesn't change its draws."""
        seed = f"{self._run.seed}:{tested_exercise(request.node)}:{request.node.name}"
        digest = hashlib.blake2s(seed.encode()).digest()
        return OwnGenerator(np.random.PCG64(int.from_bytes(digest[:8], "little")))

    @pytest.fixture
    def banks(self) -> Mapping[str, Bank]:
        return self._run.tests.banks

    @pytest.fixture
    def bugs(self, request: pytest.FixtureRequest) -> Bugs:
        exercise = tested_exercise(request.node)
        if exercise not in self._run.tests.bugs:
            raise CourseError(f"No bugs are chosen for {exercise}: write them into {BUGS_FILE}.")
        return self._run.tests.bugs[exercise]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> pytest.TestReport:
        """Note how the test ended; leave out the traceback, which takes long to make."""
        error = call.excinfo.value if call.excinfo else None
        if call.when != "teardown" or isinstance(error, AutograderError):
            self._run.error = self._run.error or error
        assert call.when != "collect"  # for the type checker: an item has been collected
        outcome: Literal["passed", "failed"] = "failed" if error else "passed"
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, call.when)


collect_tests = lru_cache(maxsize=8)(CollectedTests)  # by the course's package and the assignment
