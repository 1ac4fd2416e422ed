"""What the gradebook holds: points, comments, and who gave them at the desk. The one read model."""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, false, func, select

from autograder.course import Course
from autograder.gradebook import configuration, database
from autograder.gradebook.decisions import Decision, not_yet, read_decisions, withheld
from autograder.gradebook.lateness import settle
from autograder.gradebook.ledger import Ledger
from autograder.gradebook.tables import (
    ANSWERS,
    ASSIGNMENT,
    CELL,
    CELL_TYPE,
    CHANGED,
    COMMENT,
    GIVEN,
    GRADE,
    GRADE_CELL,
    GRADED_CELLS,
    GRADED_POINTS,
    NOTEBOOK,
    SUBMISSION,
    TASK_CELL,
    WAITS,
)
from autograder.grading.submissions import is_about, load_report, students_of
from autograder.intake.release import Release


@dataclass(frozen=True, slots=True)
class DeskGrade:
    """What a person gave at the desk; `points` is None if they took points back."""

    number: int
    grader: str
    at: datetime  # in UTC, without a time zone
    rubric: str
    earned: tuple[str, ...]  # the points of the rubric that were earned, as markdown
    points: float | None
    comment: str
    reader: str  # who read the answer; another person may have applied a changed rubric


@dataclass(frozen=True, slots=True)  # of large classes, there are hundreds of thousands
class Mark:
    """The marks of one exercise or written answer; `key` and `notebook` are nbgrader's keys."""

    name: str
    cell: str  # nbgrader's name for the cell that carries the points
    score: float | None  # None: not graded yet
    max_score: float
    auto: float | None = None  # by the grader
    manual: float | None = None  # by a person: these go before the grader's
    waits: bool = False  # whether a person has to give points, or to look again
    needs_manual_grade: bool = False  # as it stands in nbgrader's table
    answer: str = ""  # its hash; empty if it was recorded by an earlier version
    changed: bool = False  # since a person gave points
    student: str = ""
    notebook: str = ""  # the key of the submitted notebook
    key: str = ""
    comment: str = ""  # what a person wrote to the student
    newest: DeskGrade | None = None  # of what was given at the desk

    @property
    def by_hand(self) -> bool:
        return self.manual is not None

    @property
    def by(self) -> DeskGrade | None:
        """Who gave the present points at the desk; None if nobody did, or it was elsewhere."""
        found = self.newest
        same = found and (found.points, found.comment) == (self.manual, self.comment)
        return found if same and self.by_hand else None

    @property
    def earned(self) -> tuple[str, ...]:
        return self.by.earned if self.by else ()

    def graded_by_another(self, rubric: str) -> bool:
        """Tell whether it was graded by a rubric other than that with this fingerprint."""
        return self.by is not None and self.by.rubric not in ("", rubric)

    @property
    def version(self) -> str:
        """What a page is made from, in short: it differs as soon as anything was changed."""
        parts = (self.answer, self.auto, self.manual, self.score, self.needs_manual_grade)
        said = (self.changed, self.comment, self.newest and self.newest.number)
        return hashlib.sha256(repr((*parts, *said)).encode()).hexdigest()[:20]


@dataclass(frozen=True)
class Marks:
    """A student's marks in one assignment. Totals are of what is graded so far.

    Of marks to export, `outdated` says why they aren't those of the submission as it is now,
    `failed` names the exercises without points because the grader failed, and `kept_back` says why
    none of them may be given out.
    """

    assignment: str
    student: str
    each: tuple[Mark, ...] = ()
    penalty: float = 0  # for being late
    outdated: str = ""
    failed: tuple[str, ...] = ()
    kept_back: str = ""
    decisions: tuple[Decision, ...] = ()  # on the assignment, those that hold

    def __getitem__(self, name: str) -> Mark | None:
        return next((mark for mark in self.each if mark.name == name), None)

    @property
    def score(self) -> float:
        """The points that count, after the penalty for being late."""
        return max(0.0, sum(mark.score or 0 for mark in self.each) - self.penalty)

    @property
    def max_score(self) -> float:
        """The most points that could be had in what is graded so far."""
        return sum(mark.max_score for mark in self.each if mark.score is not None)

    @property
    def full_score(self) -> float:
        """The most points that can be had in all, without extra credit."""
        return sum(mark.max_score for mark in self.each)

    @property
    def not_graded(self) -> tuple[str, ...]:
        return tuple(mark.name for mark in self.each if mark.score is None)

    @property
    def withheld(self) -> tuple[str, ...]:
        """Return the names of what is held back from the student."""
        found = withheld(self.decisions, self.student)
        return tuple(m.name for m in self.each if any(d.concerns(m.name) for d in found))

    @property
    def is_final(self) -> bool:
        return not self.why_not_final

    @property
    def why_not_final(self) -> str:
        """What is left to do, such as "why waits for a person"; empty if nothing is."""
        waiting = [name for name in self.not_graded if name not in self.failed]
        reasons = [self.outdated] if self.outdated else []
        if self.failed:
            reasons.append(f"the grader failed on {', '.join(self.failed)}")
        if waiting:
            verb = "waits" if len(waiting) == 1 else "wait"
            reasons.append(f"{', '.join(waiting)} {verb} for a person")
        return " and ".join(reasons)


def read_marks(course: Course, assignments: Iterable[str]) -> list[Marks]:
    """Return the marks of all recorded submissions of `assignments`, late penalties settled."""
    with database.gradebook_of(course) as engine:
        if engine is None:
            return []
        settle(course, engine)
        with engine.connect() as connection:
            return [marks for name in assignments for marks in marks_on(connection, name)]


def marks_on(
    connection: Connection,
    assignment: str,
    *,
    student: str | None = None,
    notebook: str | None = None,
) -> list[Marks]:
    """Return the marks on `assignment` by student, or of one `student` or submitted `notebook`.

    Our own tables must be there, as they are once lateness has been settled.
    """
    wanted = _GRADES.where(ASSIGNMENT.c.name == assignment)
    if student is not None:
        wanted = wanted.where(SUBMISSION.c.student_id == student)
    if notebook is not None:
        wanted = wanted.where(GRADE.c.notebook_id == notebook)
    found: dict[str, list[Mark]] = {}
    penalties: dict[str, float] = {}
    for mark, penalty in _read(connection, wanted):
        found.setdefault(mark.student, []).append(mark)
        penalties[mark.student] = penalty
    decisions = tuple(each for each in read_decisions(connection, assignment) if each.holds)
    return [
        Marks(assignment, name, tuple(each), penalties[name], decisions=decisions)
        for name, each in found.items()
    ]


def lock_marks(connection: Connection, keys: Collection[str]) -> list[Mark]:
    """Return the marks with these keys, and lock them against other writers."""
    wanted = GRADE.c.id.in_(keys)
    mine = select(GRADE.c.notebook_id).where(wanted)
    connection.execute(select(GRADE.c.id).where(wanted).order_by(GRADE.c.id).with_for_update())
    notebooks = select(COMMENT.c.id).where(COMMENT.c.notebook_id.in_(mine))
    connection.execute(notebooks.order_by(COMMENT.c.id).with_for_update())
    return [mark for mark, _ in _read(connection, _GRADES.where(wanted))]


def marks_to_export(course: Course, assignment: str) -> dict[str, Marks]:
    """Return the marks by student, also of those who aren't in the gradebook yet."""
    path, ledger = course.release_path(assignment), Ledger(course)
    names = list(Release.load(course, assignment).names) if path.is_file() else []
    order = {name: number for number, name in enumerate(names)}
    found = {
        name: Marks(assignment, name, outdated="it isn't graded yet")
        for name in students_of(course, assignment)
    }
    for marks in read_marks(course, [assignment]):
        each = sorted(marks.each, key=lambda mark: (order.get(mark.cell, len(order)), mark.cell))
        found[marks.student] = _with_report(replace(marks, each=tuple(each)), course, ledger)
    not_now, told = not_yet(course, assignment), {}
    for name, marks in sorted(found.items()):
        held = withheld(marks.decisions, name) if marks.withheld else ()
        why = f"withheld: {held[0].reason}" if held else ""
        told[name] = replace(marks, kept_back=not_now or why)
    return told


def _with_report(marks: Marks, course: Course, ledger: Ledger) -> Marks:
    report = load_report(course, marks.student, marks.assignment)
    if report is None:
        return marks
    faulty = {exercise.name for exercise in report.exercises if exercise.faults}
    path, outdated = course.submission_path(marks.student, marks.assignment), ""
    if path.is_file() and not is_about(report, path):
        outdated = "it was handed in again since it was graded"
    elif ledger.knows(report) and not ledger.holds(report):
        outdated = "its dates, its report or a file beside it changed since it was recorded"
    failed = tuple(name for name in marks.not_graded if name in faulty)
    return replace(marks, outdated=outdated, failed=failed)


def _read(connection: Connection, wanted: Select[Any]) -> Iterator[tuple[Mark, float]]:
    """Yield the wanted marks, each with the late penalty of its submission."""
    rows = connection.execute(wanted.order_by(SUBMISSION.c.student_id, CELL.c.name)).all()
    comments = _comments(connection, wanted.with_only_columns(GRADE.c.notebook_id))
    newest = _newest(connection, wanted.with_only_columns(GRADE.c.id))
    for row in rows:
        columns = dict(row._mapping)
        name = configuration.name_of(row.cell, columns.pop("cell_type"))
        penalty, comment = columns.pop("penalty"), comments.get((row.notebook, name), "")
        yield Mark(name=name, **columns, comment=comment, newest=newest.get(row.key)), penalty


def _comments(connection: Connection, notebooks: Select[Any]) -> dict[tuple[str, str], str]:
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


def _newest(connection: Connection, keys: Select[Any]) -> dict[str, DeskGrade]:
    """Return what was given last at the desk and not undone, by the grade's key."""
    last = (
        select(func.max(GIVEN.c.number))
        .where(GIVEN.c.grade.in_(keys), GIVEN.c.undone == false())
        .group_by(GIVEN.c.grade)
    )
    wanted = select(GIVEN).where(GIVEN.c.number.in_(last))
    return {
        row.grade: DeskGrade(
            row.number,
            row.grader,
            row.at,
            row.rubric,
            tuple(json.loads(row.earned)),
            row.points,
            row.comment or "",
            json.loads(row.before).get("reader") or row.grader,
        )
        for row in connection.execute(wanted)
    }


# By the names of the fields of `Mark`; the last two are no fields.
_GRADES = select(
    CELL.c.name.label("cell"),
    GRADED_POINTS.label("score"),
    func.coalesce(GRADE_CELL.c.max_score, TASK_CELL.c.max_score, 0.0).label("max_score"),
    GRADE.c.auto_score.label("auto"),
    GRADE.c.manual_score.label("manual"),
    func.coalesce(WAITS, false()).label("waits"),
    func.coalesce(GRADE.c.needs_manual_grade, false()).label("needs_manual_grade"),
    func.coalesce(ANSWERS.c.answer, "").label("answer"),
    CHANGED.label("changed"),
    SUBMISSION.c.student_id.label("student"),
    GRADE.c.notebook_id.label("notebook"),
    GRADE.c.id.label("key"),
    CELL_TYPE,
    func.coalesce(NOTEBOOK.c.late_submission_penalty, 0.0).label("penalty"),
).select_from(GRADED_CELLS)
