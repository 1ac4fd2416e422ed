"""The report on a submission that nbgrader autogrades: the stored one, or a new one."""

from __future__ import annotations

from autograder.course import Course
from autograder.errors import GraderFault, SubmissionError
from autograder.grading.fingerprint import fingerprint
from autograder.grading.settings import Settings
from autograder.grading.store import holds, load, save
from autograder.grading.worker import Job, grade_one
from autograder.report import Report
from autograder.sandbox.host.probe import strongest
from autograder.sandbox.limits import Isolation
from autograder.work.processes import call_beside


def report_on(course: Course, student: str, assignment: str) -> Report:
    """Return the report on a submission; grade it now if the stored report is out of date."""
    report = load(course, student, assignment)
    if report is not None and _holds(course, report):
        return report
    return _graded(course, student, assignment)


def _holds(course: Course, report: Report) -> bool:
    """Tell whether a report is up to date, apart from its level of isolation and its seed.

    Those two were chosen when the class was graded.
    """
    try:
        isolation = Isolation(report.isolation)
    except ValueError:  # an unknown level
        return False
    settings = Settings(course.with_seed(report.seed), isolation)
    path = course.submission_path(report.student, report.assignment)
    return holds(report, path, fingerprint(settings, report.assignment), isolation)


def _graded(course: Course, student: str, assignment: str) -> Report:
    settings = Settings(course, strongest())
    job = Job(student, assignment, course.submission_path(student, assignment))
    graded = call_beside(grade_one, job, settings)
    if graded.report is None:
        raise SubmissionError(graded.rejection) if graded.rejection else GraderFault(graded.fault)
    save(course, graded.report)
    return graded.report
