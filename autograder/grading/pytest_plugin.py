"""Collect the hidden tests of an assignment once, and run them for one student after the other.

They are plain pytest tests. pytest's own run ends after the collection; the collected items and
their fixtures are kept, and pytest's protocol runs each of them again for every student.
"""

from __future__ import annotations

import hashlib
import os
import sys
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np
import pytest

from autograder.course import loading
from autograder.errors import AutograderError, CourseError
from autograder.testing.failures import one_line
from autograder.testing.student import Channel, Student

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
    "points(number): the points that the test is worth",
    "forbids(*names): built-ins that raise during its calls",
    "seconds(number): the time limit for its calls together",
)

_SOURCE = pytest.StashKey[tuple[str, str]]()  # the course's package and the assignment


@lru_cache(maxsize=8)
def collect_tests(package: str, assignment: str) -> CollectedTests:
    """Return the hidden tests of `assignment` in the course's `package`; they are cached."""
    tests = CollectedTests(package, assignment)
    tests.collect()
    return tests


def tested_exercise(item: pytest.Item) -> str:
    """Return the exercise that a hidden test is about."""
    return item.path.stem.removeprefix(PREFIX)


def marker_args(item: pytest.Item, marker: str) -> tuple[Any, ...] | None:
    """Return the arguments of a test's marker; None if it has no such marker."""
    found = item.get_closest_marker(marker)
    return tuple(found.args) if found else None


@dataclass
class Run:
    """One run of a hidden test: the channel to the student, and how it ended.

    `seed` decides what the test draws, `draws` what the student's code does. Nobody may keep the
    `error`: its traceback holds all of the student's replies.
    """

    channel: Channel
    seed: int
    draws: int
    student: Student | None = None
    error: BaseException | None = None


class _HiddenTestModule(pytest.Module):
    """A file of hidden tests, imported as a module of the course's package."""

    def _getobj(self) -> ModuleType:
        package, assignment = self.config.stash[_SOURCE]
        return loading.load_module(package, f"{assignment}.{FOLDER}.{self.path.stem}")


@dataclass(eq=False)  # pytest wants plugins hashable
class CollectedTests:
    """A pytest plugin that collects tests, provides their fixtures and runs them."""

    package: str
    assignment: str
    items: list[pytest.Item] = field(default_factory=list)
    _broken: str = ""
    _unusable: CourseError | None = None
    _run: Run = field(init=False)

    def collect(self) -> None:
        """Let pytest collect the tests; raise `CourseError` if it can't."""
        (root,) = sys.modules[self.package].__path__
        files = sorted(Path(root, self.assignment, FOLDER).glob(f"{PREFIX}*.py"))
        if not files:
            return
        os.environ.pop("PYTEST_ADDOPTS", None)  # it is not meant for these tests
        status = pytest.main([*_OPTIONS, f"--rootdir={root}", *map(str, files)], plugins=[self])
        if self._unusable is not None:
            raise self._unusable
        if status != pytest.ExitCode.OK:
            what = one_line(self._broken or str(status), 600)
            raise CourseError(f"The hidden tests of {self.assignment} can't be run: {what}")

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
        config.stash[_SOURCE] = (self.package, self.assignment)
        (root,) = sys.modules[self.package].__path__
        for folder in ("", self.assignment):  # what is nearer to a test comes last, and overrides
            if Path(root, folder, "conftest.py").is_file():
                name = f"{folder}.conftest".lstrip(".")
                if (module := self._loaded(name)) is not None:
                    config.pluginmanager.register(module)
        for path in sorted(Path(root, self.assignment, FOLDER).glob(f"{PREFIX}*.py")):
            self._loaded(f"{self.assignment}.{FOLDER}.{path.stem}")

    def _loaded(self, name: str) -> ModuleType | None:
        """Import a module; keep what goes wrong, for one sentence of ours."""
        try:
            return loading.load_module(self.package, name)
        except CourseError as error:
            self._unusable = self._unusable or error
            return None

    def pytest_pycollect_makemodule(
        self, module_path: Path, parent: pytest.Collector
    ) -> pytest.Module:
        module: pytest.Module = _HiddenTestModule.from_parent(parent, path=module_path)
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
        draws = f"{run.draws}:{tested_exercise(test)}:{test.name}"
        run.student = Student(run.channel, draws, forbidden, seconds)
        return run.student

    @pytest.fixture
    def rng(self, request: pytest.FixtureRequest) -> np.random.Generator:
        """A generator seeded per test: adding or removing another test doesn't change its draws."""
        seed = f"{self._run.seed}:{tested_exercise(request.node)}:{request.node.name}"
        digest = hashlib.blake2s(seed.encode()).digest()
        return np.random.default_rng(int.from_bytes(digest[:8], "little"))

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
