"""Let nbgrader write the pages that students get back."""

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

_ALL = "*"  # nbgrader's pattern for every student


def generate(course: Course, names: Iterable[str]) -> None:
    """Write the feedback on every recorded submission of the assignments `names`."""
    config = configuration.load(course)
    with database.write_lock(course), database.shared_engine(configuration.url(course)):
        for assignment in names:
            if any(course.root.glob(f"autograded/*/{assignment}")):
                coursedir = CourseDirectory(
                    config=config, assignment_id=assignment, student_id=_ALL
                )
                step = GenerateFeedback(coursedir=coursedir, config=config, force=True)
                if complaint := _run(step):
                    raise GraderFault(f"The feedback on {assignment} is incomplete: {complaint}")


def _run(step: GenerateFeedback) -> str:
    """Run a step of nbgrader's; return why it failed, or nothing."""
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
