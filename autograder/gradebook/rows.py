"""Enter assignments, scores and comments; nbgrader's own way takes a hundred queries each."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Base, Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import SaveCells
from sqlalchemy import Connection, Row, Table, bindparam, select

from autograder.course import Course
from autograder.errors import CourseError
from autograder.gradebook import configuration
from autograder.gradebook.configuration import graded_cell, name_of
from autograder.gradebook.lateness import due_in_utc
from autograder.gradebook.tables import ANSWERS
from autograder.report import Outcome, Report
from autograder.telling.text import comment_on

# Those of nbgrader's module, not of `tables`: their columns make the keys of new rows.
_TABLES: Mapping[str, Table] = Base.metadata.tables
_ASSIGNMENT, _NOTEBOOK, _CELL = (_TABLES[n] for n in ("assignment", "notebook", "base_cell"))
STUDENT, _SUBMISSION = _TABLES["student"], _TABLES["submitted_assignment"]
_SUBMITTED, _GRADE, _COMMENT = (_TABLES[n] for n in ("submitted_notebook", "grade", "comment"))


def enter_assignment(course: Course, assignment: str) -> None:
    """Enter the release of `assignment` in the gradebook, or update its entry.

    Raises `CourseError` if the gradebook has submissions to an earlier release with other cells.
    """
    coursedir = CourseDirectory(config=configuration.load_settings(course))
    notebook = nbformat.read(course.release_path(assignment), as_version=4)  # type: ignore[no-untyped-call]
    with Gradebook(coursedir.db_url, coursedir.course_id) as gradebook:
        due = due_in_utc(course, assignment)
        gradebook.update_or_create_assignment(assignment, **({"duedate": due} if due else {}))
        released = [cell.metadata.get("nbgrader") for cell in notebook.cells]
        checksums = {mark.grade_id: mark.checksum for mark in released if mark}
        try:
            entered = gradebook.find_notebook(assignment, assignment).source_cells
        except MissingEntry:
            entered = []
        if {cell.name: cell.checksum for cell in entered} == checksums:
            return
    names = {"notebook": assignment, "assignment": assignment, "db_url": coursedir.db_url}
    try:
        SaveCells().preprocess(notebook, {"nbgrader": names})
    except RuntimeError:
        raise CourseError(
            f"The gradebook has submissions to an earlier version of {assignment} with other "
            "cells: restore the old names, or move `gradebook.db` away and grade again."
        ) from None


@dataclass(frozen=True)
class AssignmentKeys:
    """The primary keys of an assignment, its notebook and its cells in nbgrader's tables."""

    assignment: str
    notebook: str
    graded: Mapping[str, str]  # keys of graded cells, by name
    commented: Mapping[str, str]  # keys of cells with comments, by name

    @classmethod
    def of(cls, connection: Connection, assignment: str) -> AssignmentKeys:
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


@dataclass(frozen=True)
class AutoScore:
    """The automatic score of a graded cell, and the answer that it is for."""

    points: float | None  # None: a person gives it
    answer: str  # its hash


@dataclass(frozen=True)
class SubmissionRows:
    """What the rows about one submission say; without a `timestamp`, the present one stays."""

    student: str
    scores: Mapping[str, AutoScore]  # by graded cell
    comments: Mapping[str, str | None]  # by cell with a comment
    timestamp: datetime | None = None

    @classmethod
    def of(
        cls, notebook: NotebookNode, report: Report, timestamp: datetime | None
    ) -> SubmissionRows:
        """Return what is entered about `notebook`, which holds the verdicts of `report`."""
        scores, comments = _scores(notebook, report), _comments(notebook, report)
        return cls(report.student, scores, comments, timestamp)


def write_rows(
    connection: Connection, keys: AssignmentKeys, entries: Iterable[SubmissionRows]
) -> None:
    """Write the rows about submissions of one assignment, each by another student.

    A person's score stays as long as the answer does. If the answer has changed since, a person
    has to look at it again.
    """
    by_student = {entry.student: entry for entry in entries}
    submitted = _submitted(connection, keys, by_student)
    by_notebook = {submitted[student]: entry for student, entry in by_student.items()}
    _write_scores(connection, keys, by_notebook)
    _write_comments(connection, keys, by_notebook)


def _submitted(
    connection: Connection, keys: AssignmentKeys, entries: Mapping[str, SubmissionRows]
) -> dict[str, str]:
    """Return the key of each student's notebook, by student; enter those that are new."""
    known = set(connection.scalars(select(STUDENT.c.id).where(STUDENT.c.id.in_(entries))))
    if new := [{"id": student} for student in entries if student not in known]:
        connection.execute(STUDENT.insert(), new)
    of_assignment, of_notebook = ("assignment_id", keys.assignment), ("notebook_id", keys.notebook)
    submissions = _keys(connection, _SUBMISSION, of_assignment, "student_id", list(entries))
    times = [
        {"key": submissions[student], "time": entry.timestamp}
        for student, entry in entries.items()
        if entry.timestamp is not None
    ]
    _update(connection, _SUBMISSION, times, timestamp="time")
    submitted = list(submissions.values())
    notebooks = _keys(connection, _SUBMITTED, of_notebook, "assignment_id", submitted)
    return {student: notebooks[submissions[student]] for student in entries}


def _write_scores(
    connection: Connection, keys: AssignmentKeys, entries: Mapping[str, SubmissionRows]
) -> None:
    # A person may be giving points at this moment: what is read here stays until it is written.
    grades = _rows(connection, _GRADE, keys.graded.values(), entries)
    old = ANSWERS.c.grade.in_([row.id for row in grades.values()])
    known = {row.grade: row for row in connection.execute(select(ANSWERS).where(old))}
    changes, answers = [], []
    for notebook, entry in entries.items():
        for name, score in entry.scores.items():
            grade = grades[notebook, keys.graded[name]]
            changed = _has_changed(grade, known.get(grade.id), score.answer)
            waits = changed if grade.manual_score is not None else score.points is None
            changes.append({"key": grade.id, "auto": score.points, "waits": waits})
            answers.append({"grade": grade.id, "answer": score.answer, "changed": changed})
    _update(connection, _GRADE, changes, auto_score="auto", needs_manual_grade="waits")
    connection.execute(ANSWERS.delete().where(old))
    if answers:
        connection.execute(ANSWERS.insert(), answers)


def _write_comments(
    connection: Connection, keys: AssignmentKeys, entries: Mapping[str, SubmissionRows]
) -> None:
    """Write our comments of `entries`, by notebook; what a person wrote stays."""
    comments = _rows(connection, _COMMENT, keys.commented.values(), entries)
    changes = [
        {"key": comments[notebook, keys.commented[name]].id, "text": text}
        for notebook, entry in entries.items()
        for name, text in entry.comments.items()
    ]
    _update(connection, _COMMENT, changes, auto_comment="text")


def _has_changed(grade: Row[Any], known: Row[Any] | None, answer: str) -> bool:
    """Tell whether an answer has changed since a person gave points, without their looking again.

    The formgrader clears `needs_manual_grade` when they do.
    """
    if grade.manual_score is None or known is None:
        return False
    return known.answer != answer or (known.changed and bool(grade.needs_manual_grade))


def _scores(notebook: NotebookNode, report: Report) -> dict[str, AutoScore]:
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
            source = sources.get(name) or sources.get(name_of(name, "code"), "")
            scores[name] = AutoScore(auto, hashlib.sha256(source.encode()).hexdigest())
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


def _keys(
    connection: Connection, table: Table, common: tuple[str, str], column: str, wanted: list[str]
) -> dict[str, str]:
    """Return the key of the row for each of `wanted` in `column`; insert those that are missing.

    `common` is another column, and what stands there in all of these rows.
    """
    other, value = common
    mine = table.c[other] == value, table.c[column].in_(wanted)
    found = select(table.c[column], table.c.id).where(*mine)
    keys = {row[0]: row[1] for row in connection.execute(found)}
    if missing := [{other: value, column: each} for each in wanted if each not in keys]:
        connection.execute(table.insert(), missing)
        keys = {row[0]: row[1] for row in connection.execute(found)}
    return keys


def _rows(
    connection: Connection, table: Table, cells: Collection[str], notebooks: Collection[str]
) -> dict[tuple[str, str], Row[Any]]:
    """Return the row for each cell of each notebook, locked; insert those that are missing."""
    # By cells too: that is what nbgrader's tables have an index for.
    mine = table.c.cell_id.in_(cells), table.c.notebook_id.in_(notebooks)
    present = set(connection.execute(select(table.c.notebook_id, table.c.cell_id).where(*mine)))
    missing = [
        {"notebook_id": notebook, "cell_id": cell}
        for notebook in notebooks
        for cell in sorted(cells)
        if (notebook, cell) not in present
    ]
    if missing:
        connection.execute(table.insert(), missing)
    # In this order, as everybody locks them: no two wait for each other.
    locked = select(table).where(*mine).order_by(table.c.id).with_for_update()
    return {(row.notebook_id, row.cell_id): row for row in connection.execute(locked)}


def _update(
    connection: Connection, table: Table, changes: Sequence[Mapping[str, Any]], **columns: str
) -> None:
    """Make each of `changes`, which are by `key`; `columns` names what goes into each column."""
    if changes:
        change = table.update().where(table.c.id == bindparam("key"))
        values: dict[str, Any] = {column: bindparam(name) for column, name in columns.items()}
        connection.execute(change.values(values), changes)
