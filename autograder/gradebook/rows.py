"""Enter assignments, scores and comments; nbgrader's own way takes a hundred queries each."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from typing import Any, Self

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
from autograder.gradebook.settling import forget_opened
from autograder.gradebook.tables import ANSWERS, GRADE_CELL, answer_hash
from autograder.report import Outcome, Report
from autograder.telling.text import comment_on

# Those of nbgrader's module, not of `tables`: their columns make the keys of new rows.
_TABLES: Mapping[str, Table] = Base.metadata.tables
_ASSIGNMENT, _NOTEBOOK, _CELL = (_TABLES[n] for n in ("assignment", "notebook", "base_cell"))
STUDENT, _SUBMISSION = _TABLES["student"], _TABLES["submitted_assignment"]
_SUBMITTED, _GRADE, _COMMENT = (_TABLES[n] for n in ("submitted_notebook", "grade", "comment"))


def enter_assignment(course: Course, assignment: str) -> None:
    """Enter the release of `assignment`; raise `CourseError` if submissions have other cells."""
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
            "cells: restore the old names, or take what is known of this one assignment out by "
            f"`nbgrader db assignment remove {assignment} --force`, also the points that people "
            "gave for it, and grade again."
        ) from None


@dataclass(frozen=True)
class AssignmentKeys:
    """The primary keys of an assignment, its notebook and its cells in nbgrader's tables."""

    assignment: str
    notebook: str
    graded: Mapping[str, str]  # keys of graded cells, by name
    commented: Mapping[str, str]  # keys of cells with comments, by name

    @classmethod
    def of(cls, connection: Connection, assignment: str) -> Self:
        named = _ASSIGNMENT.c.name == assignment, _NOTEBOOK.c.name == assignment
        keys = select(_ASSIGNMENT.c.id, _NOTEBOOK.c.id).join_from(_ASSIGNMENT, _NOTEBOOK)
        key, notebook = connection.execute(keys.where(*named)).one()
        columns = select(_CELL.c.type, _CELL.c.name, _CELL.c.id)
        cells = connection.execute(columns.where(_CELL.c.notebook_id == notebook)).all()
        graded, commented = (
            {name: cell for cell_type, name, cell in cells if cell_type in (kind, "TaskCell")}
            for kind in ("GradeCell", "SolutionCell")
        )
        return cls(key, notebook, graded, commented)


@dataclass(frozen=True)
class SubmissionRows:
    """What the rows about one submission say; without a `timestamp`, the present one stays.

    `scores` has the grader's points and the answer's hash; None as points: a person gives them.
    """

    report: Report
    scores: Mapping[str, tuple[float | None, str]]  # by graded cell
    comments: Mapping[str, str | None]  # by cell with a comment
    timestamp: datetime | None

    @classmethod
    def of(cls, notebook: NotebookNode, report: Report, timestamp: datetime | None) -> Self:
        """Return what is entered about `notebook`, which holds the verdicts of `report`."""
        return cls(report, _scores(notebook, report), _comments(notebook, report), timestamp)


def write_rows(
    connection: Connection, keys: AssignmentKeys, entries: Iterable[SubmissionRows]
) -> None:
    """Write the rows about submissions of one assignment, each by another student.

    A person's score stays; if the answer has changed since, a person has to look at it again.
    """
    by_student = {entry.report.student: entry for entry in entries}
    _rows(connection, STUDENT, id=by_student)
    submissions = _rows(
        connection, _SUBMISSION, assignment_id=[keys.assignment], student_id=by_student
    )
    by_submission = {row.id: by_student[student] for (_, student), row in submissions.items()}
    times = [
        {"key": key, "timestamp": entry.timestamp}
        for key, entry in by_submission.items()
        if entry.timestamp is not None
    ]
    _update(connection, _SUBMISSION, times)
    notebooks = _rows(
        connection, _SUBMITTED, notebook_id=[keys.notebook], assignment_id=by_submission
    )
    by_notebook = {row.id: by_submission[key] for (_, key), row in notebooks.items()}
    _write_scores(connection, keys, by_notebook)
    _write_comments(connection, keys, by_notebook)
    _write_maxima(connection, keys, [entry.report for entry in by_student.values()])


def _write_scores(
    connection: Connection, keys: AssignmentKeys, entries: Mapping[str, SubmissionRows]
) -> None:
    # A person may be giving points at this moment: what is read here stays until it is written.
    cells = sorted(keys.graded.values())
    grades = _rows(connection, _GRADE, notebook_id=entries, cell_id=cells)
    old = ANSWERS.c.grade.in_([row.id for row in grades.values()])
    known = {row.grade: row for row in connection.execute(select(ANSWERS).where(old))}
    changes, answers = [], []
    for notebook, entry in entries.items():
        for name, (points, answer) in entry.scores.items():
            grade = grades[notebook, keys.graded[name]]
            changed = _has_changed(grade, known.get(grade.id), answer)
            waits = changed if grade.manual_score is not None else points is None
            changes.append({"key": grade.id, "auto_score": points, "needs_manual_grade": waits})
            answers.append({"grade": grade.id, "answer": answer, "changed": changed})
    _update(connection, _GRADE, changes)
    forget_opened(connection, [change["key"] for change in changes])
    connection.execute(ANSWERS.delete().where(old))
    if answers:
        connection.execute(ANSWERS.insert(), answers)


def _write_maxima(connection: Connection, keys: AssignmentKeys, reports: Iterable[Report]) -> None:
    """Let an exercise be worth what its hidden tests say; the release may say otherwise."""
    maxima = {each.name: each.max_score for report in reports for each in report.exercises}
    for name, points in maxima.items():
        cell = GRADE_CELL.c.id == keys.graded.get(graded_cell(name), "")
        change = GRADE_CELL.update().where(cell, GRADE_CELL.c.max_score != points)
        connection.execute(change.values(max_score=points))


def _write_comments(
    connection: Connection, keys: AssignmentKeys, entries: Mapping[str, SubmissionRows]
) -> None:
    cells = sorted(keys.commented.values())
    comments = _rows(connection, _COMMENT, notebook_id=entries, cell_id=cells)
    changes = [
        {"key": comments[notebook, keys.commented[name]].id, "auto_comment": text}
        for notebook, entry in entries.items()
        for name, text in entry.comments.items()
    ]
    _update(connection, _COMMENT, changes)


def _has_changed(grade: Row[Any], known: Row[Any] | None, answer: str) -> bool:
    """Tell whether an answer has changed since a person gave points, without their looking again.

    The formgrader clears `needs_manual_grade` when they do.
    """
    if grade.manual_score is None or known is None:
        return False
    return known.answer != answer or (known.changed and bool(grade.needs_manual_grade))


def _scores(notebook: NotebookNode, report: Report) -> dict[str, tuple[float | None, str]]:
    """Return the score of each graded cell; what could not be graded waits for a person."""
    graded = {graded_cell(each.name) for each in report.exercises if each.is_graded}
    sources = {
        cell.metadata.nbgrader.grade_id: cell.source
        for cell in notebook.cells
        if utils.is_solution(cell)
    }
    scores = {}
    beside = notebook.metadata.get("beside", {}).values()
    for cell in notebook.cells:
        if utils.is_grade(cell):
            name = cell.metadata.nbgrader.grade_id
            auto, _ = utils.determine_grade(cell)
            if utils.is_solution(cell):
                answer = answer_hash(cell.source, beside)
                scores[name] = None if beside else auto, answer
            else:
                answer = answer_hash(sources.get(name_of(name, cell.cell_type), ""))
                scores[name] = auto if name in graded else None, answer
    return scores


def _comments(notebook: NotebookNode, report: Report) -> dict[str, str | None]:
    """Return the comment on each answer; an unchanged one gets "No response."."""
    comments: dict[str, str | None] = {}
    for cell in notebook.cells:
        if utils.is_solution(cell):
            mark = cell.metadata.nbgrader
            unchanged = mark.get("checksum") == utils.compute_checksum(cell)
            is_on_paper = utils.is_grade(cell) and bool(notebook.metadata.get("beside"))
            is_blank = unchanged and not is_on_paper
            comments[mark.grade_id] = "No response." if is_blank else None
    attempted = (e for e in report.exercises if e.outcome is not Outcome.NOT_ATTEMPTED)
    return comments | {exercise.name: comment_on(exercise) for exercise in attempted}


def _rows(
    connection: Connection, table: Table, **wanted: Collection[str]
) -> dict[tuple[str, ...], Row[Any]]:
    """Return a row for each combination of `wanted` values, locked; insert those that are missing.

    They are by these values, in the order of the columns.
    """
    columns = [table.c[name] for name in wanted]
    mine = [table.c[name].in_(values) for name, values in wanted.items()]
    present = {tuple(row) for row in connection.execute(select(*columns).where(*mine))}
    missing = [
        dict(zip(wanted, each, strict=True))
        for each in product(*wanted.values())
        if each not in present
    ]
    if missing:
        connection.execute(table.insert(), missing)
    # In this order, as everybody locks them: no two wait for each other.
    locked = select(table).where(*mine).order_by(table.c.id).with_for_update()
    found = connection.execute(locked).all()
    return {tuple(getattr(row, name) for name in wanted): row for row in found}


def _update(connection: Connection, table: Table, changes: list[dict[str, Any]]) -> None:
    if changes:
        connection.execute(table.update().where(table.c.id == bindparam("key")), changes)
