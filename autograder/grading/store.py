"""The stored reports: a JSON file for each submission."""

from collections.abc import Mapping
from pathlib import Path

from autograder.course import Course
from autograder.course.loading import is_installed
from autograder.course.saving import save_whole
from autograder.errors import SubmissionError
from autograder.intake.notebook import read_submitted
from autograder.intake.submission import sha256
from autograder.report import Report
from autograder.sandbox.limits import Isolation


def save_report(course: Course, report: Report) -> None:
    """Store a report atomically: an interrupted run leaves either the old one or the new one."""
    save_whole(report.to_json().encode(), course.report_path(report.student, report.assignment))


def load_report(course: Course, student: str, assignment: str) -> Report | None:
    """Return the stored report; None if it is missing or damaged."""
    try:
        return read_report(course.report_path(student, assignment))
    except (OSError, ValueError):
        return None


def read_report(path: Path) -> Report:
    """Read a report; raise ValueError if it is damaged, or about another submission."""
    report = Report.model_validate_json(path.read_bytes())
    if (report.student, report.assignment) != (path.stem, path.parent.name):
        raise ValueError(f"{path} is about another submission")
    return report


def is_about(report: Report, path: Path) -> bool:
    """Tell whether `report` is about the file at `path` as it is now."""
    try:
        return report.notebook_sha256 == sha256(read_submitted(path))
    except (OSError, SubmissionError):
        return False


def holds(report: Report, path: Path, fingerprint: Mapping[str, str], isolation: Isolation) -> bool:
    """Tell whether `report` is up to date: about the file at `path`, with this fingerprint.

    All levels of isolation give the same score, except `unsafe`. What the grader could not grade
    is tried again, and so is what imports a module that is installed by now.
    """
    if any(map(is_installed, report.missing_modules)):
        return False
    if not report.is_graded or report.isolation == Isolation.UNSAFE != isolation:
        return False
    return report.fingerprint == fingerprint and is_about(report, path)
