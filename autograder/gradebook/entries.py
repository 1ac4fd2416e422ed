"""Write the scores and comments of a graded notebook to nbgrader's tables.

nbgrader's own way takes a hundred queries per notebook.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Base
from sqlalchemy import Connection, Table, bindparam, or_, select

from autograder.gradebook.cells import graded_cell
from autograder.gradebook.comments import comment_on
from autograder.report import Outcome, Report

_TABLES: Mapping[str, Table] = Base.metadata.tables
_ASSIGNMENT, _NOTEBOOK, _CELL = (_TABLES[n] for n in ("assignment", "notebook", "base_cell"))
_STUDENT, _SUBMISSION = _TABLES["student"], _TABLES["submitted_assignment"]
_SUBMITTED, _GRADE, _COMMENT = (_TABLES[n] for n in ("submitted_notebook", "grade", "comment"))
# A manual score stays, but has to be reviewed by hand.
_NEEDS_MANUAL_GRADE = or_(_GRADE.c.manual_score.is_not(None), bindparam("needs_review"))


@dataclass(frozen=True)
class AssignmentKeys:
    """The primary keys of an assignment, its notebook and its cells in nbgrader's tables."""

    assignment: str
    notebook: str
    graded: Mapping[str, str]  # keys of graded cells, by name
    commented: Mapping[str, str]  # keys of cells with comments, by name

    @classmethod
    def of(cls, connection: Connection, assignment: str) -> AssignmentKeys:
        """Look up the keys of an assignment that has been entered."""
        key = connection.scalar(select(_ASSIGNMENT.c.id).where(_ASSIGNMENT.c.name == assignment))
        known = (_NOTEBOOK.c.assignment_id == key, _NOTEBOOK.c.name == assignment)
        notebook = connection.scalar(select(_NOTEBOOK.c.id).where(*known))
        found: dict[str, dict[str, str]] = {"GradeCell": {}, "SolutionCell": {}, "TaskCell": {}}
        cells = select(_CELL.c.type, _CELL.c.name, _CELL.c.id)
        rows = connection.execute(cells.where(_CELL.c.notebook_id == notebook))
        for cell_type, name, cell in rows:
            found[cell_type][name] = cell
        graded, commented = (found[n] | found["TaskCell"] for n in ("GradeCell", "SolutionCell"))
        return cls(str(key), str(notebook), graded, commented)


def extend(
    connection: Connection, keys: AssignmentKeys, student: str, extension: timedelta | None
) -> None:
    """Set the extension of a student's submission; None removes it."""
    known = _SUBMISSION.c.assignment_id == keys.assignment, _SUBMISSION.c.student_id == student
    connection.execute(_SUBMISSION.update().where(*known).values(extension=extension))


def submit(
    connection: Connection, keys: AssignmentKeys, student: str, timestamp: datetime | None = None
) -> str:
    """Return the key of a student's notebook; enter it if it is new.

    Without a `timestamp`, the present one stays. A late penalty is removed.
    """
    if not knows_student(connection, student):
        connection.execute(_STUDENT.insert().values(id=student))
    submission = _row(connection, _SUBMISSION, assignment_id=keys.assignment, student_id=student)
    if timestamp is not None:
        row = _SUBMISSION.c.id == submission
        connection.execute(_SUBMISSION.update().where(row).values(timestamp=timestamp))
    notebook = _row(connection, _SUBMITTED, assignment_id=submission, notebook_id=keys.notebook)
    row = _SUBMITTED.c.id == notebook
    connection.execute(_SUBMITTED.update().where(row).values(late_submission_penalty=None))
    return notebook


def timestamp_of(connection: Connection, submitted: str) -> datetime | None:
    """Return when a notebook was handed in; None if the gradebook doesn't know."""
    known = _SUBMITTED.c.assignment_id == _SUBMISSION.c.id, _SUBMITTED.c.id == submitted
    found: datetime | None = connection.scalar(select(_SUBMISSION.c.timestamp).where(*known))
    return found


def knows_student(connection: Connection, student: str) -> bool:
    """Tell whether the gradebook has a student with this id."""
    key = select(_STUDENT.c.id).where(_STUDENT.c.id == student)
    return connection.scalar(key) is not None


def write(
    connection: Connection,
    keys: AssignmentKeys,
    submitted: str,
    notebook: NotebookNode,
    report: Report,
) -> None:
    """Write the scores in `notebook`, which holds its verdicts, and the comments from `report`."""
    scores, comments = _scores(notebook, report), _comments(notebook, report)
    _make_rows(connection, _GRADE, submitted, keys.graded)
    _make_rows(connection, _COMMENT, submitted, keys.commented)
    grade = _GRADE.update().where(
        _GRADE.c.notebook_id == submitted, _GRADE.c.cell_id == bindparam("cell")
    )
    rows = [{"cell": keys.graded[name], **score} for name, score in scores.items()]
    values = {"auto_score": bindparam("auto"), "needs_manual_grade": _NEEDS_MANUAL_GRADE}
    connection.execute(grade.values(values), rows)
    comment = _COMMENT.update().where(
        _COMMENT.c.notebook_id == submitted, _COMMENT.c.cell_id == bindparam("cell")
    )
    rows = [{"cell": keys.commented[name], "text": text} for name, text in comments.items()]
    connection.execute(comment.values(auto_comment=bindparam("text")), rows)


def _scores(notebook: NotebookNode, report: Report) -> dict[str, dict[str, Any]]:
    """Return the automatic score of each graded cell, and whether it needs a manual review."""
    faulty = {
        graded_cell(exercise.name)
        for exercise in report.exercises
        if any(test.outcome is Outcome.GRADER_ERROR for test in exercise.tests)
    }
    scores = {}
    for cell in notebook.cells:
        if utils.is_grade(cell):
            name = cell.metadata.nbgrader.grade_id
            auto, _ = utils.determine_grade(cell)
            scores[name] = {"auto": auto, "needs_review": auto is None or name in faulty}
    return scores


def _comments(notebook: NotebookNode, report: Report) -> dict[str, str | None]:
    """Return the comment on each answer; an unchanged one gets "No response."."""
    comments: dict[str, str | None] = {}
    for cell in notebook.cells:
        if utils.is_solution(cell):
            mark = cell.metadata.nbgrader
            unchanged = mark.get("checksum") == utils.compute_checksum(cell)
            comments[mark.grade_id] = "No response." if unchanged else None
    attempted = (e for e in report.exercises if e.outcome is not Outcome.NOT_ATTEMPTED)
    return comments | {exercise.name: comment_on(exercise) for exercise in attempted}


def _row(connection: Connection, table: Table, **values: str) -> str:
    """Return the key of the row with these values; insert it if it is missing."""
    found = connection.scalar(select(table.c.id).filter_by(**values))
    if found is None:
        found = connection.scalar(table.insert().values(values).returning(table.c.id))
    return str(found)


def _make_rows(
    connection: Connection, table: Table, submitted: str, cells: Mapping[str, str]
) -> None:
    """Insert the missing rows for the cells of a submitted notebook."""
    present = select(table.c.cell_id).where(table.c.notebook_id == submitted)
    missing = set(cells.values()) - set(connection.scalars(present))
    if missing:
        rows = [{"notebook_id": submitted, "cell_id": cell} for cell in sorted(missing)]
        connection.execute(table.insert(), rows)
