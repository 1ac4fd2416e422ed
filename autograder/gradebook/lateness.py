"""Settle due dates, extensions and late penalties, whatever changed last.

A penalty depends on the score, and so on what a person gives later. It is settled whenever grades
are recorded and whenever they are read, so that the order of these actions doesn't matter.
"""

from datetime import UTC, datetime, timedelta
from functools import cache, partial
from typing import Any

from sqlalchemy import Connection, Engine, Select, inspect, select

from autograder.course import Course
from autograder.course.settings import LatePolicy
from autograder.gradebook import configuration, database
from autograder.gradebook.settling import settle_decisions
from autograder.gradebook.tables import (
    ASSIGNMENT,
    GRADED_SCORE,
    NOTEBOOK,
    SUBMISSION,
    SUBMITTED,
    make_tables,
)
from autograder.intake.times import handed_in_at


def due_in_utc(course: Course, assignment: str, student: str | None = None) -> datetime | None:
    """Return when `assignment` is due by `course.toml`, as nbgrader stores it: in UTC, naive."""
    return _in_utc(course.settings.due(assignment, student))


def handed_in_utc(course: Course, student: str, assignment: str) -> datetime | None:
    """Return when a submission was handed in, if anything says so, as nbgrader stores it."""
    folder = course.submission_path(student, assignment).parent
    return _in_utc(handed_in_at(folder, course.settings.time_zone))


def _in_utc(time: datetime | None) -> datetime | None:
    return time.astimezone(UTC).replace(tzinfo=None) if time else None


def late_penalty(policy: LatePolicy, score: float, seconds_late: float) -> float:
    days = -(-(seconds_late - 60 * policy.grace_minutes) // 86_400)  # each day begun counts
    return score * min(policy.at_most, policy.per_day * max(0, days))


def settle(
    course: Course, engine: Engine, assignment: str | None = None, student: str | None = None
) -> None:
    """Make decisions and lateness what they come to now: everywhere, if nothing is named.

    A penalty is as `course.toml` says, or else as nbgrader's own settings do.
    """
    if not inspect(engine).has_table(NOTEBOOK.name):
        return
    make_tables(engine)
    with database.writing(engine) as connection:
        dates = connection.execute(select(ASSIGNMENT.c.name, ASSIGNMENT.c.duedate)).all()
        for name, due in dates:
            if assignment in (None, name):
                _settle(connection, course, name, due, student)


def _settle(
    connection: Connection,
    course: Course,
    assignment: str,
    in_gradebook: datetime | None,
    student: str | None,
) -> None:
    due, policy = due_in_utc(course, assignment), course.settings.late_policy(assignment)
    plugin = cache(partial(_plugin, course, assignment))
    if due is not None and due != in_gradebook:
        change = ASSIGNMENT.update().where(ASSIGNMENT.c.name == assignment)
        connection.execute(change.values(duedate=due))
    found, until = _submissions(assignment, student), due or in_gradebook
    # Locked first, in the order of the recorder: scores that are read then are the newest.
    keys = found.with_only_columns(SUBMISSION.c.id).order_by(SUBMISSION.c.id)
    connection.execute(keys.with_for_update(of=(SUBMISSION, NOTEBOOK)))
    settle_decisions(connection, course, assignment, student)  # a penalty is a share of the rest
    for row in connection.execute(found).all():
        own = due_in_utc(course, assignment, row.student)
        # If `course.toml` sets the due date, it decides; otherwise the gradebook's stands.
        extension = row.extension if due is None or own is None else (own - due) or None
        late, penalty = 0.0, None
        if row.timestamp is not None and until is not None:
            late = (row.timestamp - until - (extension or timedelta())).total_seconds()
        if late > 0 and policy:
            penalty = late_penalty(policy, row.score, late)
        elif late > 0:
            penalty = plugin().late_submission_penalty(row.student, row.score, late)
        if penalty is not None:
            penalty = min(max(0.0, penalty), row.score)
        if extension != row.extension:
            change = SUBMISSION.update().where(SUBMISSION.c.id == row.submission)
            connection.execute(change.values(extension=extension))
        if penalty != row.penalty:
            change = NOTEBOOK.update().where(NOTEBOOK.c.id == row.notebook)
            connection.execute(change.values(late_submission_penalty=penalty))


def _plugin(course: Course, assignment: str) -> Any:
    # here: importing nbgrader takes seconds, and most often nothing is late
    from nbgrader.preprocessors import AssignLatePenalties

    step = AssignLatePenalties(config=configuration.load_settings(course))
    step.assignment_id = assignment
    step.init_plugin()
    return step.plugin_inst


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
