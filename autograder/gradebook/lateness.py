"""Due dates, extensions and late penalties from `course.toml`, in nbgrader's terms.

If `course.toml` sets an assignment's due date, it also decides all extensions; otherwise the
gradebook's own dates apply.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from nbgrader.plugins import LateSubmissionPlugin
from sqlalchemy import Connection

from autograder.course import Course
from autograder.gradebook import entries
from autograder.gradebook.entries import AssignmentKeys
from autograder.report import Report


class LatePenalty(LateSubmissionPlugin):  # type: ignore[misc]
    """The penalty that `course.toml` sets; without one, nbgrader's own settings apply."""

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        """Return how many points a late notebook with `score` points loses."""
        course = Course.load(Path(self.config.CourseDirectory.root))
        policy = course.settings.late_policy(self.parent.assignment_id)
        if policy is None:
            penalty: float | None = super().late_submission_penalty(
                student_id, score, total_seconds_late
            )
            return penalty
        return policy.penalty(score, total_seconds_late)


def due_in_utc(course: Course, assignment: str) -> datetime | None:
    """Return when `assignment` is due, as nbgrader stores it: in UTC, without a time zone."""
    due = course.settings.due(assignment)
    return due.astimezone(UTC).replace(tzinfo=None) if due else None


def extend(course: Course, connection: Connection, keys: AssignmentKeys, report: Report) -> None:
    """Enter the extension of a submission's author; without one, remove it."""
    due = course.settings.due(report.assignment)
    own = course.settings.due(report.assignment, report.student)
    if due and own:
        entries.extend(connection, keys, report.student, own - due if own != due else None)
