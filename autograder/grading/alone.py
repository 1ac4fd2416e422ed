"""Grade one notebook alone; nothing is stored."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor
from pathlib import Path

from autograder.errors import GraderFault, SubmissionError
from autograder.grading.settings import Settings
from autograder.grading.worker import grade_bytes
from autograder.intake.notebook import read_file
from autograder.report import Report
from autograder.work.processes import call_beside


def grade_alone(raw: bytes, settings: Settings, assignment: str = "") -> Report:
    """Grade a notebook file of `assignment`, or of any assignment of the course if none is given.

    Raises `SubmissionError` if it isn't a notebook of it, and `GraderFault` if the grader fails.
    """
    try:
        return call_beside(grade_bytes, raw, settings, assignment)
    except BrokenExecutor:
        raise GraderFault("The process that graded it was killed: try again.") from None


def check_file(path: Path, settings: Settings) -> Report:
    """Grade the notebook at `path`, which may be of any assignment of the course."""
    try:
        raw = read_file(path)
    except OSError as error:
        raise SubmissionError(f"The file can't be read ({error.strerror}).") from None
    return grade_alone(raw, settings)
