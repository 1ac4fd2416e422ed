"""When work is due and what lateness costs, by `course.toml`, in nbgrader's terms.

Where `course.toml` gives an assignment a due date, it alone decides on extensions too; else the
gradebook's own dates stand.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from nbgrader.plugins import LateSubmissionPlugin
from sqlalchemy import Connection

from autograder.course import Course
from autograder.gradebook import entries
from autograder.gradebook.entries import Outline
from autograder.report import Report


class LatePenalty(LateSubmissionPlugin):  # type: ignore[misc]
    """The penalty by `course.toml`; nbgrader's own settings stand where that says nothing."""

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        """Return how many points a late notebook of `score` points loses."""
        course = Course.load(Path(self.config.CourseDirectory.root))
        policy = course.settings.late_policy(self.parent.assignment_id)
        if policy is None:
            penalty: float | None = super().late_submission_penalty(
                student_id, score, total_seconds_late
            )
            return penalty
        return policy.penalty(score, total_seconds_late)


def due_in_utc(course: Course, assignment: str) -> datetime | None:
    """Return when `assignment` is due, as nbgrader keeps it: UTC, without saying so."""
    due = course.settings.due(assignment)
    return due.astimezone(UTC).replace(tzinfo=None) if due else None


def extend(course: Course, connection: Connection, outline: Outline, report: Report) -> None:
    """Enter by how much the author of a submission may be later than the others."""
    due = course.settings.due(report.assignment)
    own = course.settings.due(report.assignment, report.student)
    if due and own:
        entries.extend(connection, outline, report.student, own - due if own != due else None)
