"""Run the hidden tests of an assignment against a student, in the grader's process.

The tests are plain pytest, and pytest runs them; this module gives them their fixtures and turns
what pytest finds into verdicts.
"""

from __future__ import annotations

import hashlib
import inspect
import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from autograder.course import hidden_tests_of
from autograder.errors import AutograderError, CourseError, GraderFault
from autograder.failures import StudentFailure, one_line
from autograder.report import Outcome, Verdict
from autograder.student import Channel, Exchange, Student
from autograder.testing import PartlyRight, describe

_PREFIX = "test_"
# Only what the hidden tests use: each further plugin costs time in every submission.
_OPTIONS = [
    "--assert=plain",  # a rewritten assertion would print expected values to students
    "--disable-plugin-autoload",
    *(f"-pno:{name}" for name in ("cacheprovider", "terminal", "capture", "logging", "warnings")),
    *(f"-pno:{name}" for name in ("unraisableexception", "threadexception", "faulthandler")),
    *(f"-pno:{name}" for name in ("junitxml", "pastebin", "doctest", "unittest", "debugging")),
    "--import-mode=importlib",
    f"-c={os.devnull}",
]

BRIEF = ("-m", "not seconds")  # leave out the tests that need long

ChannelOf = Callable[[str], Channel]


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
    options: Sequence[str] = (),
) -> dict[str, tuple[Finding, ...]]:
    """Run the hidden tests of `exercises`; return each one's findings in the order of its tests.

    `channel_of(exercise)` is asked for a channel to the student before each test; `options` are
    further ones of pytest's.
    """
    grading = _Grading(channel_of=channel_of, seed=seed)
    if files := [_file_of(assignment, exercise) for exercise in exercises]:
        _pytest(files, grading, *options)
    return {exercise: tuple(findings) for exercise, findings in grading.findings.items()}


def run(
    assignment: str,
    exercises: Iterable[str],
    channel_of: ChannelOf,
    seed: int = 0,
    options: Sequence[str] = (),
) -> dict[str, tuple[Verdict, ...]]:
    """Do as `examine` does; return the verdicts alone."""
    findings = examine(assignment, exercises, channel_of, seed, options)
    return {name: tuple(found.verdict for found in each) for name, each in findings.items()}


def points_of(assignment: str) -> dict[str, int]:
    """Return what each exercise is worth: the points of its hidden tests, added up."""
    found = _collect(assignment)
    return {exercise: sum(map(_points, items)) for exercise, items in found.by_exercise.items()}


def forbidden_of(assignment: str) -> tuple[str, ...]:
    """Return every built-in that some exercise of `assignment` forbids."""
    items = (item for items in _collect(assignment).by_exercise.values() for item in items)
    return tuple(sorted({name for item in items for name in _forbidden(item)}))


def seconds_of(assignment: str) -> float:
    """Return how much time the hidden tests that need long may take together."""
    found = _collect(assignment).by_exercise.values()
    return sum(_seconds(item) or 0 for items in found for item in items)


def _collect(assignment: str) -> _Collecting:
    found, files = _Collecting(), sorted(hidden_tests_of(assignment).glob(f"{_PREFIX}*.py"))
    if files:
        _pytest(files, found, "--collect-only")
    return found


def _pytest(files: list[Path], plugin: _Plugin, *options: str) -> None:
    root = f"--rootdir={files[0].parents[2]}"  # so that each module has a name of its own
    os.environ.pop("PYTEST_ADDOPTS", None)  # meant for other tests than these
    status = pytest.main([*_OPTIONS, *options, root, *map(str, files)], plugins=[plugin])
    if plugin.interrupt is not None:
        raise plugin.interrupt
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise GraderFault(
            f"The hidden tests can't be run: {one_line(plugin.broken or str(status))}"
        )


def _file_of(assignment: str, exercise: str) -> Path:
    path = hidden_tests_of(assignment) / f"{_PREFIX}{exercise}.py"
    if not path.is_file():
        raise CourseError(f"The exercise {exercise} has no hidden tests: write {path.name}.")
    return path


def _exercise_of(item: pytest.Item) -> str:
    return item.path.stem.removeprefix(_PREFIX)


def _points(item: pytest.Item) -> int:
    marker = item.get_closest_marker("points")
    if marker is None:
        raise CourseError(f"The hidden test {item.name} has no points: mark it with @points(n).")
    return int(marker.args[0])


def _forbidden(item: pytest.Item) -> tuple[str, ...]:
    marker = item.get_closest_marker("forbids")
    return tuple(marker.args) if marker else ()


def _seconds(item: pytest.Item) -> float | None:
    marker = item.get_closest_marker("seconds")
    return float(marker.args[0]) if marker else None


def _title(item: pytest.Item) -> str:
    function = getattr(item, "function", None)
    text = inspect.cleandoc(getattr(function, "__doc__", None) or item.name)
    return one_line(text.split("\n\n")[0])


@dataclass(eq=False)  # pytest wants plugins hashable
class _Plugin:
    """What every run of the hidden tests knows: their markers, and what went wrong with them."""

    interrupt: BaseException | None = None
    broken: str = ""

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "points(number): what the test is worth")
        config.addinivalue_line("markers", "forbids(*names): built-ins that raise during its calls")
        config.addinivalue_line("markers", "seconds(number): what its calls together may take")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken = report.longreprtext

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        if type(excinfo.value) is KeyboardInterrupt:  # not pytest's own `Interrupted`
            self.interrupt = excinfo.value


@dataclass(eq=False)  # pytest wants plugins hashable
class _Collecting(_Plugin):
    """Looks at the tests without running them."""

    by_exercise: dict[str, list[pytest.Item]] = field(default_factory=dict)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            self.by_exercise.setdefault(_exercise_of(item), []).append(item)


@dataclass(eq=False)  # pytest wants plugins hashable
class _Grading(_Plugin):
    """Gives the tests their fixtures, and takes down a verdict for each."""

    channel_of: ChannelOf = field(kw_only=True)
    seed: int = field(kw_only=True)
    findings: dict[str, list[Finding]] = field(default_factory=dict)

    @pytest.fixture
    def student(self, request: pytest.FixtureRequest) -> Student:
        channel = self.channel_of(_exercise_of(request.node))
        test = request.node
        student = Student(channel, self._seed_of(test), _forbidden(test), _seconds(test))
        test.stash[_STUDENT] = student
        return student

    @pytest.fixture
    def rng(self, request: pytest.FixtureRequest) -> np.random.Generator:
        """Random numbers of the test's own: another test added or removed changes none of them."""
        return np.random.default_rng(self._seed_of(request.node))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> pytest.TestReport:
        """Take down the verdict; report to pytest without a traceback, which takes long to make."""
        error = call.excinfo.value if call.excinfo else None
        if isinstance(error, AutograderError):  # ours: it ends the run and is no verdict
            self.interrupt, item.session.shouldstop = error, str(error)
        elif call.when == "call" or (call.when == "setup" and error):
            student = item.stash.get(_STUDENT, None)
            exchanges = tuple(student._exchanges) if student else ()
            lengthy = _seconds(item) is not None
            finding = Finding(_verdict(item, error, exchanges), exchanges, lengthy)
            self.findings.setdefault(_exercise_of(item), []).append(finding)
        assert call.when != "collect"  # for the type checker: an item has been collected
        outcome: Literal["passed", "failed"] = "failed" if error else "passed"
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, call.when)

    def _seed_of(self, item: pytest.Item) -> int:
        digest = hashlib.blake2s(f"{self.seed}:{_exercise_of(item)}:{item.name}".encode())
        return int.from_bytes(digest.digest()[:8], "little")


_STUDENT = pytest.StashKey[Student]()


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
