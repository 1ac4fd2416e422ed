"""Settle due dates, extensions and late penalties, whatever changed last.

A penalty depends on the score, and so on what a person gives later. It is settled whenever grades
are recorded and whenever they are read, so that the order of these actions doesn't matter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, Engine, Row, Select, inspect, select
from traitlets.config import Config

from autograder.course import Course
from autograder.gradebook import configuration, database
from autograder.gradebook.tables import (
    ASSIGNMENT,
    GRADED_SCORE,
    NOTEBOOK,
    SUBMISSION,
    SUBMITTED,
    make_tables,
)
from autograder.intake.times import handed_in_at


def due_in_utc(course: Course, assignment: str) -> datetime | None:
    """Return when `assignment` is due by `course.toml`: in UTC, without a time zone."""
    due = course.settings.due(assignment)
    return due.astimezone(UTC).replace(tzinfo=None) if due else None


def handed_in_utc(course: Course, student: str, assignment: str) -> datetime | None:
    """Return when a submission was handed in, if anything says so: in UTC, without a time zone."""
    folder = course.submission_path(student, assignment).parent
    time = handed_in_at(folder, course.settings.time_zone)
    return time.astimezone(UTC).replace(tzinfo=None) if time else None


def settle_course(course: Course) -> None:
    """Settle lateness in the gradebook of `course`, if there is one."""
    url = configuration.url(course)
    if database.exists(url):
        with database.opened(url) as engine:
            settle(course, engine)


def settle(
    course: Course, engine: Engine, assignment: str | None = None, student: str | None = None
) -> None:
    """Make lateness in the gradebook what the course and the present scores make of it.

    Without `assignment` or `student`, for all of them.
    """
    if not inspect(engine).has_table(NOTEBOOK.name):
        return
    make_tables(engine)
    with engine.begin() as connection:
        _Settlement(course, connection).settle(assignment, student)


@dataclass
class _Settlement:
    """Settles what is late in one transaction."""

    course: Course
    connection: Connection
    _plugins: dict[str, Any] = field(default_factory=dict)

    def settle(self, assignment: str | None, student: str | None) -> None:
        names = self.connection.execute(select(ASSIGNMENT.c.name, ASSIGNMENT.c.duedate)).all()
        for name, in_gradebook in names:
            if assignment in (None, name):
                due = due_in_utc(self.course, name)
                if due is not None and due != in_gradebook:
                    which = ASSIGNMENT.c.name == name
                    self.connection.execute(ASSIGNMENT.update().where(which).values(duedate=due))
                self._settle_submissions(name, due or in_gradebook, student)

    def _settle_submissions(
        self, assignment: str, due: datetime | None, student: str | None
    ) -> None:
        for row in self.connection.execute(_submissions(assignment, student)).all():
            extension = self._extension(assignment, row)
            if extension != row.extension:
                which = SUBMISSION.c.id == row.submission
                change = SUBMISSION.update().where(which).values(extension=extension)
                self.connection.execute(change)
            penalty = self._penalty(assignment, row, _seconds_late(row.timestamp, due, extension))
            if penalty != row.penalty:
                change = NOTEBOOK.update().where(NOTEBOOK.c.id == row.notebook)
                self.connection.execute(change.values(late_submission_penalty=penalty))

    def _extension(self, assignment: str, row: Row[Any]) -> timedelta | None:
        """Return the extension of the submission's author.

        If `course.toml` sets the due date, it decides; otherwise the gradebook's own stands.
        """
        due = self.course.settings.due(assignment)
        own = self.course.settings.due(assignment, row.student)
        if due is None or own is None:
            stands: timedelta | None = row.extension
            return stands
        return own - due if own != due else None

    def _penalty(self, assignment: str, row: Row[Any], seconds_late: float) -> float | None:
        if seconds_late <= 0:
            return None
        plugin = self._plugin(assignment)
        penalty: float | None = plugin.late_submission_penalty(row.student, row.score, seconds_late)
        return None if penalty is None else min(max(0.0, penalty), row.score)

    def _plugin(self, assignment: str) -> Any:
        """Return nbgrader's plugin that computes late penalties."""
        if assignment not in self._plugins:
            # here: importing nbgrader takes seconds, and most often nothing is late
            from nbgrader.preprocessors import AssignLatePenalties

            step = AssignLatePenalties(config=self._config)
            step.assignment_id = assignment
            step.init_plugin()
            self._plugins[assignment] = step.plugin_inst
        return self._plugins[assignment]

    @cached_property
    def _config(self) -> Config:
        return configuration.load_settings(self.course)


def _submissions(assignment: str, student: str | None) -> Select[Any]:
    columns = (
        SUBMISSION.c.id.label("submission"),
        SUBMISSION.c.student_id.label("student"),
        SUBMISSION.c.timestamp,
        SUBMISSION.c.extension,
        NOTEBOOK.c.id.label("notebook"),
        NOTEBOOK.c.late_submission_penalty.label("penalty"),
        GRADED_SCORE.label("score"),
    )
    found = select(*columns).select_from(SUBMITTED).where(ASSIGNMENT.c.name == assignment)
    return found if student is None else found.where(SUBMISSION.c.student_id == student)


def _seconds_late(
    timestamp: datetime | None, due: datetime | None, extension: timedelta | None
) -> float:
    if timestamp is None or due is None:
        return 0
    return (timestamp - due - (extension or timedelta())).total_seconds()
