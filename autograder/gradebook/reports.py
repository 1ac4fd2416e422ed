"""The report on a submission that nbgrader asks about: the one on file, or a new one."""

from __future__ import annotations

import os

from autograder.classroom import holds, load, save
from autograder.course import Course
from autograder.errors import GraderFault, SubmissionError
from autograder.grade import Settings
from autograder.pool import Job, grade_one
from autograder.report import Report
from autograder.rules import rules_of
from autograder.sandbox.isolation import Isolation, strongest


def report_on(course: Course, student: str, assignment: str) -> Report:
    """Return the report on what `student` handed in; grade it now if there is none."""
    report = load(course, student, assignment)
    if report is not None and _holds(course, report):
        return report
    return _graded(course, student, assignment)


def _holds(course: Course, report: Report) -> bool:
    """Tell whether a report is about the bytes handed in, and by the rules as they are now."""
    try:
        settings = Settings(course, Isolation(report.isolation), report.seed)
    except ValueError:  # no level that we know
        return False
    path = course.submission_path(report.student, report.assignment)
    return holds(report, path, rules_of(settings, report.assignment))


def _graded(course: Course, student: str, assignment: str) -> Report:
    seed = int(os.environ.get("AUTOGRADER_SEED", "0"))
    settings = Settings(course, strongest(), seed)
    job = Job(student, assignment, course.submission_path(student, assignment))
    graded = grade_one(job, settings)
    if graded.report is None:
        raise SubmissionError(graded.rejection) if graded.rejection else GraderFault(graded.fault)
    save(course, graded.report)
    return graded.report
