"""Let nbgrader write the feedback pages."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable

from nbgrader.converters import GenerateFeedback
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory

from autograder import errors
from autograder.course import Course
from autograder.errors import GraderFault
from autograder.gradebook import configuration, database

_ALL = "*"  # nbgrader's pattern for every student, and for every file that isn't a notebook


def generate(course: Course, names: Iterable[str]) -> list[str]:
    """Write the feedback pages for all recorded submissions of the assignments `names`.

    Returns a sentence for each page that had to be plainer than it should be.
    """
    config = configuration.load(course)
    said: list[str] = []
    with database.write_lock(course), database.shared_engine(configuration.url(course)):
        for assignment in names:
            if any(course.root.glob(f"autograded/*/{assignment}")):
                coursedir = CourseDirectory(
                    config=config, assignment_id=assignment, student_id=_ALL, ignore=[_ALL]
                )
                step = _Pages(coursedir=coursedir, config=config, force=True)
                try:
                    reason = _failure_of(step)
                finally:
                    said += step.exporter.said
                if reason:
                    raise GraderFault(f"The feedback on {assignment} is incomplete: {reason}")
    return said


class _Pages(GenerateFeedback):  # type: ignore[misc]
    """Writes the pages and nothing else: they contain all that they show."""

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        """Copy no file that came with a submission."""


def _failure_of(step: GenerateFeedback) -> str:
    """Run one of nbgrader's steps; return why it failed, or an empty string."""
    handler = _TracebackHandler(logging.ERROR)
    step.log.addHandler(handler)
    try:
        step.start()
    except NbGraderException as error:
        return handler.reason or str(error)
    finally:
        step.log.removeHandler(handler)
    return ""


class _TracebackHandler(logging.Handler):
    """Extracts the reason for a failure, which nbgrader only logs."""

    reason = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the last line of the first traceback, without the class name of our own errors."""
        message = record.getMessage().strip()
        if "Traceback (most recent call last)" in message and not self.reason:
            *_, last = (line for line in message.splitlines() if line[:1].isalpha())
            self.reason = re.sub(rf"^{errors.__name__}\.\w+: ", "", last)
