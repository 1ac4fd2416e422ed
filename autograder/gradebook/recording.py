"""Run nbgrader's own steps on a course, one submission after the other, in this process."""

from __future__ import annotations

import glob
import logging
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import nbgrader.api
from filelock import FileLock
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import Engine, event
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

from autograder import errors
from autograder.course import Course
from autograder.errors import GraderFault
from autograder.gradebook import assignments, configuration, ledger
from autograder.report import Report

_ALL = "*"  # nbgrader's pattern for every student


def record(course: Course, reports: Iterable[Report]) -> None:
    """Let nbgrader autograde the submissions that `reports` are about.

    Each one that fails is left out and the others are recorded all the same; raises `GraderFault`
    in the end to say which and why.
    """
    config = configuration.load(course)
    entered, failures = set[str](), []
    with _alone(course), _one_connection():
        for report in reports:
            if report.assignment not in entered:
                assignments.enter(course, report.assignment)
                entered.add(report.assignment)
            autograde = _step(Autograde, config, report.assignment, report.student)
            if complaint := _run(autograde):
                failures.append(f"{report.student}, {report.assignment}: {complaint}")
            else:
                ledger.note(course, report)
    if failures:
        raise GraderFault("Not recorded: " + "; ".join(failures))


def generate_feedback(course: Course, names: Iterable[str]) -> None:
    """Let nbgrader write the feedback on every recorded submission of the assignments `names`."""
    config = configuration.load(course)
    with _alone(course), _one_connection():
        for assignment in names:
            step = _step(GenerateFeedback, config, assignment, _ALL)
            if any(course.root.glob(f"autograded/*/{assignment}")) and (complaint := _run(step)):
                raise GraderFault(f"The feedback on {assignment} is incomplete: {complaint}")


def _step(
    converter: type[BaseConverter], config: Config, assignment: str, student: str
) -> BaseConverter:
    coursedir = CourseDirectory(config=config, assignment_id=assignment, student_id=student)
    return converter(coursedir=coursedir, config=config, force=True)


def _run(step: BaseConverter) -> str:
    """Run a step of nbgrader's; return why it failed, or nothing."""
    student = step.coursedir.student_id
    if student != _ALL and student != glob.escape(student):
        return "nbgrader can't find a folder with *, ? or [ in its name. Rename the folder."
    complaints = _Complaints(logging.ERROR)
    step.log.addHandler(complaints)
    try:
        step.start()
    except NbGraderException as error:
        return complaints.reason or str(error)
    finally:
        step.log.removeHandler(complaints)
    return ""


class _Complaints(logging.Handler):
    """Finds the reason of a failure, which nbgrader tells its log alone."""

    reason = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the last line of the first traceback, without the name of an error of ours."""
        message = record.getMessage().strip()
        if message.startswith("Traceback") and not self.reason:
            *_, last = (line for line in message.splitlines() if line[:1].isalpha())
            self.reason = re.sub(rf"^{errors.__name__}\.\w+: ", "", last)


def _alone(course: Course) -> FileLock:
    """Only one of us writes the gradebook and the notebooks beside it; others wait."""
    folder = course.root / ".course"
    folder.mkdir(exist_ok=True)
    return FileLock(folder / "gradebook.lock")


@contextmanager
def _one_connection() -> Iterator[None]:
    """Let nbgrader's gradebooks share an engine: it opens ten of them for each submission."""
    create_engine = nbgrader.api.create_engine
    nbgrader.api.create_engine = cache(_tuned(create_engine))
    try:
        with warnings.catch_warnings():
            # nbgrader was written for an older SQLAlchemy, which did not mind.
            warnings.simplefilter("ignore", SAWarning)
            yield
    finally:
        nbgrader.api.create_engine = create_engine


def _tuned(create_engine: Callable[..., Engine]) -> Callable[..., Engine]:
    """Let SQLite append to a log: readers and a writer don't wait for each other."""

    def create(url: str, **options: Any) -> Engine:
        engine = create_engine(url, **options)
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _use_a_log)
        return engine

    return create


def _use_a_log(connection: Any, _: object) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
