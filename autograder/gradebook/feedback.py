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


def generate(course: Course, names: Iterable[str]) -> None:
    """Write the feedback pages for all recorded submissions of the assignments `names`."""
    config = configuration.load(course)
    with database.write_lock(course), database.shared_engine(configuration.url(course)):
        for assignment in names:
            if any(course.root.glob(f"autograded/*/{assignment}")):
                coursedir = CourseDirectory(
                    config=config, assignment_id=assignment, student_id=_ALL, ignore=[_ALL]
                )
                step = GenerateFeedback(coursedir=coursedir, config=config, force=True)
                if reason := _failure_of(step):
                    raise GraderFault(f"The feedback on {assignment} is incomplete: {reason}")


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
        if message.startswith("Traceback") and not self.reason:
            *_, last = (line for line in message.splitlines() if line[:1].isalpha())
            self.reason = re.sub(rf"^{errors.__name__}\.\w+: ", "", last)
