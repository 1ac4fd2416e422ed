"""What a graded notebook says about a submission, entered in nbgrader's tables.

nbgrader's own way of doing this asks the database a hundred questions a notebook.
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
# What a person gave stays; a person has to look again.
_WAITS = or_(_GRADE.c.manual_score.is_not(None), bindparam("waits"))


@dataclass(frozen=True)
class Outline:
    """The keys under which the gradebook knows an assignment, its notebook and its cells."""

    assignment: str
    notebook: str
    graded: Mapping[str, str]  # by name
    commented: Mapping[str, str]

    @classmethod
    def of(cls, connection: Connection, assignment: str) -> Outline:
        """Look them up; the assignment has been entered."""
        key = connection.scalar(select(_ASSIGNMENT.c.id).where(_ASSIGNMENT.c.name == assignment))
        known = (_NOTEBOOK.c.assignment_id == key, _NOTEBOOK.c.name == assignment)
        notebook = connection.scalar(select(_NOTEBOOK.c.id).where(*known))
        keys: dict[str, dict[str, str]] = {"GradeCell": {}, "SolutionCell": {}, "TaskCell": {}}
        cells = select(_CELL.c.type, _CELL.c.name, _CELL.c.id)
        for kind, name, cell in connection.execute(cells.where(_CELL.c.notebook_id == notebook)):
            keys[kind][name] = cell
        tasks = keys["TaskCell"]
        return cls(str(key), str(notebook), keys["GradeCell"] | tasks, keys["SolutionCell"] | tasks)


def extend(
    connection: Connection, outline: Outline, student: str, extension: timedelta | None
) -> None:
    """Give a student's submission this extension, or none."""
    known = _SUBMISSION.c.assignment_id == outline.assignment, _SUBMISSION.c.student_id == student
    connection.execute(_SUBMISSION.update().where(*known).values(extension=extension))


def submit(
    connection: Connection, outline: Outline, student: str, timestamp: datetime | None = None
) -> str:
    """Return the key of a student's notebook, entered if it is new.

    Without a `timestamp`, one that is there stays. A late penalty is taken back.
    """
    if not knows_student(connection, student):
        connection.execute(_STUDENT.insert().values(id=student))
    submission = _row(connection, _SUBMISSION, assignment_id=outline.assignment, student_id=student)
    if timestamp is not None:
        row = _SUBMISSION.c.id == submission
        connection.execute(_SUBMISSION.update().where(row).values(timestamp=timestamp))
    notebook = _row(connection, _SUBMITTED, assignment_id=submission, notebook_id=outline.notebook)
    row = _SUBMITTED.c.id == notebook
    connection.execute(_SUBMITTED.update().where(row).values(late_submission_penalty=None))
    return notebook


def timestamp_of(connection: Connection, submitted: str) -> datetime | None:
    """Return when a notebook was handed in, if the gradebook knows."""
    known = _SUBMITTED.c.assignment_id == _SUBMISSION.c.id, _SUBMITTED.c.id == submitted
    found: datetime | None = connection.scalar(select(_SUBMISSION.c.timestamp).where(*known))
    return found


def knows_student(connection: Connection, student: str) -> bool:
    """Tell whether there is a student of that id."""
    key = select(_STUDENT.c.id).where(_STUDENT.c.id == student)
    return connection.scalar(key) is not None


def write(
    connection: Connection, outline: Outline, submitted: str, notebook: NotebookNode, report: Report
) -> None:
    """Write the scores and the comments that `notebook`, with its verdicts, and `report` give."""
    scores, comments = _scores(notebook, report), _comments(notebook, report)
    _make_rows(connection, _GRADE, submitted, outline.graded)
    _make_rows(connection, _COMMENT, submitted, outline.commented)
    grade = _GRADE.update().where(
        _GRADE.c.notebook_id == submitted, _GRADE.c.cell_id == bindparam("cell")
    )
    rows = [{"cell": outline.graded[name], **score} for name, score in scores.items()]
    values = {"auto_score": bindparam("auto"), "needs_manual_grade": _WAITS}
    connection.execute(grade.values(values), rows)
    comment = _COMMENT.update().where(
        _COMMENT.c.notebook_id == submitted, _COMMENT.c.cell_id == bindparam("cell")
    )
    rows = [{"cell": outline.commented[name], "said": said} for name, said in comments.items()]
    connection.execute(comment.values(auto_comment=bindparam("said")), rows)


def _scores(notebook: NotebookNode, report: Report) -> dict[str, dict[str, Any]]:
    """Return the automatic score of each graded cell, and whether a person has to look."""
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
            scores[name] = {"auto": auto, "waits": auto is None or name in faulty}
    return scores


def _comments(notebook: NotebookNode, report: Report) -> dict[str, str | None]:
    """Return what is said about each answer: what did not hold, or that there is none."""
    comments: dict[str, str | None] = {}
    for cell in notebook.cells:
        if utils.is_solution(cell):
            mark = cell.metadata.nbgrader
            unchanged = mark.get("checksum") == utils.compute_checksum(cell)
            comments[mark.grade_id] = "No response." if unchanged else None
    attempted = (one for one in report.exercises if one.outcome is not Outcome.NOT_ATTEMPTED)
    return comments | {exercise.name: comment_on(exercise) for exercise in attempted}


def _row(connection: Connection, table: Table, **values: str) -> str:
    """Return the key of the row with these values, made if there is none."""
    found = connection.scalar(select(table.c.id).filter_by(**values))
    if found is None:
        found = connection.scalar(table.insert().values(values).returning(table.c.id))
    return str(found)


def _make_rows(
    connection: Connection, table: Table, submitted: str, cells: Mapping[str, str]
) -> None:
    """Make the rows that are missing for a submitted notebook's cells."""
    there = select(table.c.cell_id).where(table.c.notebook_id == submitted)
    missing = set(cells.values()) - set(connection.scalars(there))
    if missing:
        rows = [{"notebook_id": submitted, "cell_id": cell} for cell in sorted(missing)]
        connection.execute(table.insert(), rows)
