"""What the gradebook holds for graded cells: points, comments, and who gave them at the desk."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, false, func, select

from autograder.gradebook.cells import name_of
from autograder.gradebook.tables import (
    ANSWERS,
    ASSIGNMENT,
    CELL,
    COMMENT,
    GIVEN,
    GRADE,
    GRADE_CELL,
    GRADES,
    NOTEBOOK,
    SUBMISSION,
    SUBMITTED,
)


@dataclass(frozen=True)
class Given:
    """What a person gave at the desk; `points` is None if they took points back."""

    number: int
    action: str
    grader: str
    at: datetime  # in UTC, without a time zone
    answer: str
    rubric: str
    earned: tuple[str, ...]
    points: float | None
    comment: str


@dataclass(frozen=True)
class Held:
    """What the gradebook holds for one graded cell of one submission.

    `key` is nbgrader's, and tells nothing of who the student is.
    """

    key: str
    notebook: str  # the key of the submitted notebook
    student: str
    name: str  # of the exercise or the written answer
    max_score: float
    auto: float | None
    manual: float | None
    extra: float | None
    needs_manual_grade: bool
    answer: str  # its hash; empty if it was recorded by an earlier version
    changed: bool  # since a person gave points
    comment: str
    newest: Given | None  # of what was given at the desk

    @property
    def waits(self) -> bool:
        """Whether a person has to give points, or to look again."""
        return self.needs_manual_grade and (self.manual is None or self.changed)

    @property
    def score(self) -> float | None:
        """The points; None: not graded yet."""
        points = self.auto if self.manual is None else self.manual
        return None if self.waits or points is None else points + (self.extra or 0)

    @property
    def by(self) -> Given | None:
        """Who gave the present points at the desk; None if nobody did, or it was elsewhere."""
        found = self.newest
        same = found and (found.points, found.comment) == (self.manual, self.comment)
        return found if same and self.manual is not None else None

    def graded_by_another(self, rubric: str) -> bool:
        """Tell whether it was graded by a rubric other than that with this fingerprint."""
        return self.by is not None and self.by.rubric not in ("", rubric)

    @property
    def version(self) -> str:
        """What a page is made from, in short: it differs as soon as anything was changed."""
        parts = (self.answer, self.auto, self.manual, self.extra, self.needs_manual_grade)
        said = (self.changed, self.comment, self.newest and self.newest.number)
        return hashlib.sha256(repr((*parts, *said)).encode()).hexdigest()[:20]


def read(
    connection: Connection,
    assignment: str,
    name: str | None = None,
    *,
    student: str | None = None,
    notebook: str | None = None,
    only_given: bool = False,
) -> list[Held]:
    """Return what is held for `assignment`: all, or one exercise or written answer of it.

    `student`, or the key of a submitted `notebook`, picks one submission; `only_given` leaves out
    what nobody graded at the desk.
    """
    wanted = _GRADES.where(ASSIGNMENT.c.name == assignment)
    if student is not None:
        wanted = wanted.where(SUBMISSION.c.student_id == student)
    if notebook is not None:
        wanted = wanted.where(GRADE.c.notebook_id == notebook)
    if only_given:
        wanted = wanted.where(GRADE.c.id.in_(select(GIVEN.c.grade)))
    return [held for held in _held(connection, wanted) if name in (None, held.name)]


def read_keys(connection: Connection, keys: Collection[str]) -> list[Held]:
    """Return what is held for the grades with these keys, and lock it against other writers."""
    wanted = GRADE.c.id.in_(keys)
    mine = select(GRADE.c.notebook_id).where(wanted)
    connection.execute(select(GRADE.c.id).where(wanted).order_by(GRADE.c.id).with_for_update())
    notebooks = select(COMMENT.c.id).where(COMMENT.c.notebook_id.in_(mine))
    connection.execute(notebooks.order_by(COMMENT.c.id).with_for_update())
    return _held(connection, _GRADES.where(wanted))


def comments(connection: Connection, notebooks: Select[Any]) -> dict[tuple[str, str], str]:
    """Return what people wrote in these submitted notebooks, by the notebook's key and the cell.

    The formgrader saves our own comment as a person's when it stands in the box unchanged.
    """
    found = (
        select(COMMENT.c.notebook_id, CELL.c.name, COMMENT.c.manual_comment)
        .select_from(COMMENT.join(CELL, CELL.c.id == COMMENT.c.cell_id))
        .where(COMMENT.c.notebook_id.in_(notebooks))
        .where(COMMENT.c.manual_comment != func.coalesce(COMMENT.c.auto_comment, ""))
    )
    return {(row.notebook_id, row.name): row.manual_comment for row in connection.execute(found)}


def _held(connection: Connection, wanted: Select[Any]) -> list[Held]:
    rows = connection.execute(wanted).all()
    said = comments(connection, wanted.with_only_columns(GRADE.c.notebook_id))
    newest = _newest(connection, wanted)
    return [_of(row, said, newest) for row in rows]


def _of(row: Row[Any], said: Mapping[tuple[str, str], str], newest: Mapping[str, Given]) -> Held:
    name = name_of(row.name, row.cell_type)
    return Held(
        key=row.id,
        notebook=row.notebook_id,
        student=row.student_id,
        name=name,
        max_score=row.max_score,
        auto=row.auto_score,
        manual=row.manual_score,
        extra=row.extra_credit,
        needs_manual_grade=bool(row.needs_manual_grade),
        answer=row.answer or "",
        changed=bool(row.changed),
        comment=said.get((row.notebook_id, name), ""),
        newest=newest.get(row.id),
    )


def _newest(connection: Connection, wanted: Select[Any]) -> dict[str, Given]:
    """Return what was given last at the desk and not undone, by the grade's key."""
    keys = wanted.with_only_columns(GRADE.c.id)
    last = (
        select(func.max(GIVEN.c.number))
        .where(GIVEN.c.grade.in_(keys), GIVEN.c.undone == false())
        .group_by(GIVEN.c.grade)
    )
    rows = connection.execute(select(GIVEN).where(GIVEN.c.number.in_(last)))
    return {row.grade: _given(row) for row in rows}


def _given(row: Row[Any]) -> Given:
    """Return a row of the table as what was given."""
    return Given(
        number=row.number,
        action=row.action,
        grader=row.grader,
        at=row.at,
        answer=row.answer,
        rubric=row.rubric,
        earned=tuple(json.loads(row.earned)),
        points=row.points,
        comment=row.comment or "",
    )


_GRADES = select(
    GRADE.c.id,
    GRADE.c.notebook_id,
    GRADE.c.auto_score,
    GRADE.c.manual_score,
    GRADE.c.extra_credit,
    GRADE.c.needs_manual_grade,
    SUBMISSION.c.student_id,
    CELL.c.name,
    GRADE_CELL.c.cell_type,
    GRADE_CELL.c.max_score,
    ANSWERS.c.answer,
    ANSWERS.c.changed,
).select_from(
    SUBMITTED.join(GRADES, GRADE.c.notebook_id == NOTEBOOK.c.id)
    .join(CELL, CELL.c.id == GRADE.c.cell_id)
    .join(GRADE_CELL, GRADE_CELL.c.id == CELL.c.id)
)
