"""pytest, as the grader uses it: it collects hidden tests once, and runs each again and again.

pytest's own run ends after the collection, and its protocol runs each of the collected items for
one student after the other.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np
import pytest

from autograder.course import loading
from autograder.course.bugs import FILE as BUGS_FILE
from autograder.errors import AutograderError, CourseError
from autograder.testing.bugs import Bugs
from autograder.testing.failures import one_line
from autograder.testing.misconceptions import Bank
from autograder.testing.student import Channel, OwnGenerator, Student

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


def tested_exercise(item: pytest.Item) -> str:
    return item.path.stem.removeprefix(PREFIX)


def marker_args(item: pytest.Item, marker: str) -> tuple[Any, ...] | None:
    found = item.get_closest_marker(marker)
    return tuple(found.args) if found else None


@dataclass
class Run:
    """One run of a hidden test: what it is given if it asks, the student, and how it ended.

    Nobody may keep the `error`: its traceback holds all of the student's replies.
    """

    banks: Callable[[], Mapping[str, Bank]]
    bugs: Callable[[], Mapping[str, Bugs]]
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
        return self._run.banks()

    @pytest.fixture
    def bugs(self, request: pytest.FixtureRequest) -> Bugs:
        exercise = tested_exercise(request.node)
        bugs = self._run.bugs()
        if exercise not in bugs:
            raise CourseError(f"No bugs are chosen for {exercise}: write them into {BUGS_FILE}.")
        return bugs[exercise]

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
