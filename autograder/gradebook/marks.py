"""The marks of each student, read from the gradebook: what is graded so far, and what isn't."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, func, inspect, select

from autograder.course import Course
from autograder.gradebook import configuration, database, held
from autograder.gradebook.cells import name_of
from autograder.gradebook.penalties import settle
from autograder.gradebook.tables import (
    ASSIGNMENT,
    CELL,
    GIVEN,
    GRADE,
    GRADE_CELL,
    GRADED_POINTS,
    GRADES,
    NOTEBOOK,
    SUBMISSION,
    SUBMITTED,
    TASK_CELL,
)


@dataclass(frozen=True, slots=True)  # of large classes, there are hundreds of thousands
class Mark:
    """The points of one exercise or one written answer."""

    name: str
    cell: str  # nbgrader's name for the cell that carries the points
    score: float | None  # None: not graded yet
    max_score: float
    by_hand: bool = False  # whether a person gave the points
    comment: str = ""  # what a person wrote to the student
    earned: tuple[str, ...] = ()  # the points of a rubric that were earned, as markdown


@dataclass(frozen=True)
class Marks:
    """A student's marks in one assignment. Totals are of what is graded so far."""

    assignment: str
    student: str
    each: tuple[Mark, ...]
    penalty: float = 0  # for being late

    def __getitem__(self, name: str) -> Mark | None:
        return next((mark for mark in self.each if mark.name == name), None)

    @property
    def score(self) -> float:
        """The points that count, after the penalty for being late."""
        return sum(mark.score or 0 for mark in self.each) - self.penalty

    @property
    def max_score(self) -> float:
        """The most points that could be had in what is graded so far."""
        return sum(mark.max_score for mark in self.each if mark.score is not None)

    @property
    def not_graded(self) -> tuple[str, ...]:
        """The exercises and written answers that wait for a person."""
        return tuple(mark.name for mark in self.each if mark.score is None)


def read(course: Course, assignments: Iterable[str]) -> list[Marks]:
    """Return the marks of all recorded submissions of `assignments`, by student."""
    url = configuration.url(course)
    if not database.exists(url):
        return []
    with database.opened(url) as engine:
        settle(course, engine)
        if not inspect(engine).has_table(GRADE.name):
            return []
        return [marks for name in assignments for marks in of(engine, name)]


def of(engine: Engine, assignment: str, student: str | None = None) -> list[Marks]:
    """Return the marks of all submissions of `assignment`, or those of `student`."""
    found: dict[str, list[Mark]] = {}
    penalties: dict[str, float] = {}
    wanted = _GRADES.where(ASSIGNMENT.c.name == assignment)
    if student is not None:
        wanted = wanted.where(SUBMISSION.c.student_id == student)
    with engine.connect() as connection:
        comments = held.comments(connection, wanted.with_only_columns(GRADE.c.notebook_id))
        earned = _earned(connection, assignment, student)
        for row in connection.execute(wanted.order_by(SUBMISSION.c.student_id, CELL.c.name)):
            name = name_of(row.name, row.cell_type)
            mark = Mark(
                name=name,
                cell=row.name,
                score=row.score,
                max_score=row.max_score,
                by_hand=row.by_hand,
                comment=comments.get((row.notebook_id, name), ""),
                earned=earned.get((row.student_id, name), ()),
            )
            found.setdefault(row.student_id, []).append(mark)
            penalties[row.student_id] = row.penalty
    return [Marks(assignment, name, tuple(each), penalties[name]) for name, each in found.items()]


def _earned(
    connection: Connection, assignment: str, student: str | None
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return what was earned of rubrics at the desk, by student and written answer."""
    if not inspect(connection).has_table(GIVEN.name):
        return {}
    found = held.read(connection, assignment, student=student, only_given=True)
    return {(each.student, each.name): each.by.earned for each in found if each.by}


_GRADES = select(
    SUBMISSION.c.student_id,
    GRADE.c.notebook_id,
    CELL.c.name,
    func.coalesce(GRADE_CELL.c.cell_type, TASK_CELL.c.cell_type).label("cell_type"),
    func.coalesce(GRADE_CELL.c.max_score, TASK_CELL.c.max_score, 0.0).label("max_score"),
    GRADED_POINTS.label("score"),
    GRADE.c.manual_score.is_not(None).label("by_hand"),
    func.coalesce(NOTEBOOK.c.late_submission_penalty, 0.0).label("penalty"),
).select_from(
    SUBMITTED.join(GRADES, GRADE.c.notebook_id == NOTEBOOK.c.id)
    .join(CELL, CELL.c.id == GRADE.c.cell_id)
    .outerjoin(GRADE_CELL, GRADE_CELL.c.id == CELL.c.id)
    .outerjoin(TASK_CELL, TASK_CELL.c.id == CELL.c.id)
)
