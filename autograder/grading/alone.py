"""Grade one notebook in this process, for somebody who waits for the report.

The warm process imports what students need while this one imports what hidden tests need, so it is
started first. A process with several threads can't fork safely, and has it done in one beside it.
"""

import threading
from contextlib import nullcontext
from pathlib import Path

from autograder.errors import SubmissionError
from autograder.grading.settings import Settings
from autograder.grading.warming import needed_by_one, warm_process
from autograder.intake.notebook import read_file
from autograder.intake.release import Release
from autograder.report import Report
from autograder.sandbox.host.launch import WarmProcess
from autograder.work.processes import call_beside


def check_file(path: Path, settings: Settings) -> Report:
    """Grade the notebook at `path`, which may be of any assignment of the course.

    Raises `SubmissionError` if it isn't one, and `GraderFault` if the grader fails.
    """
    if threading.active_count() > 1:
        return call_beside(check_file, path.absolute(), settings)
    try:
        raw = read_file(path)
    except OSError as error:
        raise SubmissionError(
            f"The file can't be read ({error.strerror}): check its name and its rights."
        ) from None
    name = path.stem  # most are called as their assignment is
    is_released = name in settings.course.released()
    with _warm(settings, name) if is_released else nullcontext() as warm:
        from autograder.grading.worker import assignment_in

        assignment = assignment_in(raw, settings)
        if warm is not None and assignment == name:
            return _grade(raw, settings, assignment, warm)
    return grade_alone(raw, settings, assignment)


def grade_alone(raw: bytes, settings: Settings, assignment: str) -> Report:
    """Grade a notebook file of `assignment`; raise as `check_file` does."""
    if threading.active_count() > 1:
        return call_beside(grade_alone, raw, settings, assignment)
    with _warm(settings, assignment) as warm:
        return _grade(raw, settings, assignment, warm)


def _warm(settings: Settings, assignment: str) -> WarmProcess:
    release = Release.load(settings.course, assignment)
    return warm_process(settings, release, needed_by_one(release))


def _grade(raw: bytes, settings: Settings, assignment: str, warm: WarmProcess) -> Report:
    from autograder.grading.grader import Grader
    from autograder.grading.worker import grade_forked

    grader = Grader(settings, assignment)
    grader.warm = warm
    return grade_forked(grader, raw)
