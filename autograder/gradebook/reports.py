"""The report on a submission that nbgrader asks about: the one on file, or a new one."""

from __future__ import annotations

import os

from pydantic import ValidationError

from autograder.course import Course
from autograder.errors import GraderFault, SubmissionError
from autograder.report import Report
from autograder.submission import sha256


def report_on(course: Course, student: str, assignment: str) -> Report:
    """Return the report on what `student` handed in; grade it now if there is none."""
    raw = course.submission_path(student, assignment).read_bytes()
    return _on_file(course, student, assignment, raw) or _graded(course, student, assignment)


def _on_file(course: Course, student: str, assignment: str, raw: bytes) -> Report | None:
    """Return the report on file, if it is about exactly these bytes."""
    try:
        text = course.report_path(student, assignment).read_text(encoding="utf-8")
        report = Report.model_validate_json(text)
    except (OSError, ValidationError):
        return None
    return report if report.notebook_sha256 == sha256(raw) else None


def _graded(course: Course, student: str, assignment: str) -> Report:
    from autograder.classroom import save  # here: what is on file needs no sandbox
    from autograder.grade import Settings
    from autograder.pool import Job, grade_one
    from autograder.sandbox.isolation import strongest

    seed = int(os.environ.get("AUTOGRADER_SEED", "0"))
    settings = Settings(course, strongest(), seed)
    graded = grade_one(
        Job(student, assignment, course.submission_path(student, assignment)), settings
    )
    if graded.report is None:
        raise SubmissionError(graded.rejection) if graded.rejection else GraderFault(graded.fault)
    save(course, graded)
    return graded.report
