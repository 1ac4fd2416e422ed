"""Write the scores and comments of a graded notebook to nbgrader's tables.

nbgrader's own way takes a hundred queries per notebook.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Base
from sqlalchemy import Connection, Row, Table, bindparam, select

from autograder.gradebook import answers
from autograder.gradebook.answers import Answer
from autograder.gradebook.cells import exercise_of, graded_cell
from autograder.gradebook.comments import comment_on
from autograder.report import Outcome, Report

_TABLES: Mapping[str, Table] = Base.metadata.tables
_ASSIGNMENT, _NOTEBOOK, _CELL = (_TABLES[n] for n in ("assignment", "notebook", "base_cell"))
_STUDENT, _SUBMISSION = _TABLES["student"], _TABLES["submitted_assignment"]
_SUBMITTED, _GRADE, _COMMENT = (_TABLES[n] for n in ("submitted_notebook", "grade", "comment"))


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


def submit(
    connection: Connection, keys: AssignmentKeys, student: str, timestamp: datetime | None = None
) -> str:
    """Return the key of a student's notebook; enter it if it is new.

    Without a `timestamp`, the present one stays.
    """
    if not knows_student(connection, student):
        connection.execute(_STUDENT.insert().values(id=student))
    submission = _row(connection, _SUBMISSION, assignment_id=keys.assignment, student_id=student)
    if timestamp is not None:
        row = _SUBMISSION.c.id == submission
        connection.execute(_SUBMISSION.update().where(row).values(timestamp=timestamp))
    return _row(connection, _SUBMITTED, assignment_id=submission, notebook_id=keys.notebook)


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
    comments = _comments(notebook, report)
    _make_rows(connection, _GRADE, submitted, keys.graded)
    _make_rows(connection, _COMMENT, submitted, keys.commented)
    _write_scores(connection, keys, submitted, _scores(notebook, report))
    comment = _COMMENT.update().where(
        _COMMENT.c.notebook_id == submitted, _COMMENT.c.cell_id == bindparam("cell")
    )
    rows = [{"cell": keys.commented[name], "text": text} for name, text in comments.items()]
    connection.execute(comment.values(auto_comment=bindparam("text")), rows)


@dataclass(frozen=True)
class _Score:
    """The automatic score of a graded cell, None if a person gives it, and what it is about."""

    auto: float | None
    answer: str  # its hash


def _write_scores(
    connection: Connection, keys: AssignmentKeys, submitted: str, scores: Mapping[str, _Score]
) -> None:
    """Write the automatic scores; a person's score stays as long as the answer does.

    If the answer has changed since, a person has to look at it again.
    """
    # A person may be giving points at this moment: what is read here stays until it is written.
    of_notebook = select(_GRADE).where(_GRADE.c.notebook_id == submitted).with_for_update()
    found = connection.execute(of_notebook).all()
    grades = {row.cell_id: row for row in found}
    known = answers.known(connection, [row.id for row in found])
    changes, noted = [], []
    for name, score in scores.items():
        grade = grades[keys.graded[name]]
        changed = _has_changed(grade, known.get(grade.id), score.answer)
        waits = changed if grade.manual_score is not None else score.auto is None
        changes.append({"key": grade.id, "auto": score.auto, "waits": waits})
        noted.append(Answer(grade.id, score.answer, changed))
    change = _GRADE.update().where(_GRADE.c.id == bindparam("key"))
    change = change.values(auto_score=bindparam("auto"), needs_manual_grade=bindparam("waits"))
    connection.execute(change, changes)
    answers.note(connection, noted)


def _has_changed(grade: Row[Any], known: Answer | None, answer: str) -> bool:
    """Tell whether an answer has changed since a person gave points, without their looking again.

    The formgrader clears `needs_manual_grade` when they do.
    """
    if grade.manual_score is None or known is None:
        return False
    return known.answer != answer or (known.changed and bool(grade.needs_manual_grade))


def _scores(notebook: NotebookNode, report: Report) -> dict[str, _Score]:
    """Return the score of each graded cell; what could not be graded waits for a person."""
    graded = {graded_cell(each.name) for each in report.exercises if each.is_graded}
    sources = {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in notebook.cells
        if utils.is_solution(cell)
    }
    scores = {}
    for cell in notebook.cells:
        if utils.is_grade(cell):
            name = cell.metadata.nbgrader.grade_id
            auto, _ = utils.determine_grade(cell)
            if cell.cell_type == "code" and name not in graded:
                auto = None
            source = sources.get(name) or sources.get(exercise_of(name), "")
            scores[name] = _Score(auto, hashlib.sha256(source.encode()).hexdigest())
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
