"""Due dates as nbgrader stores them."""

from __future__ import annotations

from datetime import UTC, datetime

from autograder.course import Course


def due_in_utc(course: Course, assignment: str) -> datetime | None:
    """Return when `assignment` is due by `course.toml`: in UTC, without a time zone."""
    due = course.settings.due(assignment)
    return due.astimezone(UTC).replace(tzinfo=None) if due else None
