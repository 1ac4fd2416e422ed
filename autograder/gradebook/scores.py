"""Scores as they stand in the gradebook; nothing here writes to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Row, inspect, text

from autograder.classroom.store import is_about, load
from autograder.course import Course
from autograder.gradebook import configuration, database
from autograder.gradebook.cells import exercise_of
from autograder.gradebook.ledger import Ledger
from autograder.intake.release import Release
from autograder.report import Outcome, Report

_CELLS = text(
    "SELECT base_cell.id, base_cell.name, grade_cells.cell_type, "
    "COALESCE(grade_cells.max_score, task_cells.max_score, 0) AS max_score "
    "FROM base_cell JOIN notebook ON notebook.id = notebook_id "
    "JOIN assignment ON assignment.id = notebook.assignment_id "
    "LEFT JOIN grade_cells ON grade_cells.id = base_cell.id "
    "LEFT JOIN task_cells ON task_cells.id = base_cell.id "
    "WHERE assignment.name = :assignment AND base_cell.type IN ('GradeCell', 'TaskCell')"
)
_PENALTIES = text(
    "SELECT student_id, late_submission_penalty FROM submitted_notebook "
    "JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id "
    "JOIN assignment ON assignment.id = submitted_assignment.assignment_id "
    "WHERE assignment.name = :assignment"
)
_GRADES = text(
    "SELECT student_id, cell_id, auto_score, manual_score, extra_credit, needs_manual_grade "
    "FROM grade JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id "
    "JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id "
    "JOIN assignment ON assignment.id = submitted_assignment.assignment_id "
    "WHERE assignment.name = :assignment"
)


@dataclass(frozen=True)
class ExerciseScore:
    """The score of an exercise or a written answer; None as long as nothing decided it."""

    name: str
    max_score: float
    score: float | None = None
    is_written: bool = False
    grader_failed: bool = False
    needs_review: bool = False  # a person gave the points before it was last graded


@dataclass(frozen=True)
class Score:
    """The score of a submission, in the order of the notebook.

    `outdated` says why the gradebook's score isn't that of the submission as it is now.
    """

    student: str
    assignment: str
    exercises: tuple[ExerciseScore, ...] = ()
    penalty: float = 0
    outdated: str = ""

    @property
    def auto(self) -> float:
        """The points of exercises that are graded automatically, so far."""
        return sum(each.score or 0 for each in self.exercises if not each.is_written)

    @property
    def written(self) -> float:
        """The points of written answers, so far."""
        return sum(each.score or 0 for each in self.exercises if each.is_written)

    @property
    def total(self) -> float:
        """All points so far, less the late penalty; never below 0."""
        return max(0.0, self.auto + self.written - self.penalty)

    @property
    def max_score(self) -> float:
        """The most points, without extra credit."""
        return sum(each.max_score for each in self.exercises)

    @property
    def is_final(self) -> bool:
        """Tell whether nothing is left to grade."""
        return not self.why_not_final

    @property
    def why_not_final(self) -> str:
        """What is left to do, such as "why waits for a person"; empty if nothing is."""
        failed = [each.name for each in self.exercises if each.grader_failed]
        waiting = [e.name for e in self.exercises if e.score is None and not e.grader_failed]
        reasons = [self.outdated] if self.outdated else []
        if failed:
            reasons.append(f"the grader failed on {', '.join(failed)}")
        if waiting:
            verb = "waits" if len(waiting) == 1 else "wait"
            reasons.append(f"{', '.join(waiting)} {verb} for a person")
        return " and ".join(reasons)


def read(course: Course, assignment: str) -> dict[str, Score]:
    """Return the score of each submission of `assignment`, by student.

    What was handed in but isn't in the gradebook has a score too, which isn't final.
    """
    recorded = _recorded(course, assignment)
    ledger = Ledger(course)
    handed_in = {path.parent.name for path in course.submitted.glob(f"*/{assignment}")}
    scores = {name: Score(name, assignment, outdated="it isn't graded yet") for name in handed_in}
    for name, score in recorded.items():
        report = load(course, name, assignment)
        scores[name] = _beside(report, score, course, ledger) if report else score
    return {name: scores[name] for name in sorted(scores)}


def _beside(report: Report, score: Score, course: Course, ledger: Ledger) -> Score:
    """Return the score with what the stored report says: whether it holds, and what failed."""
    failed = {
        exercise.name
        for exercise in report.exercises
        if any(test.outcome is Outcome.GRADER_ERROR for test in exercise.tests)
    }
    exercises = tuple(
        replace(each, grader_failed=each.score is None and each.name in failed)
        for each in score.exercises
    )
    path, outdated = course.submission_path(report.student, report.assignment), ""
    if path.is_file() and not is_about(report, path):
        outdated = "it was handed in again since it was graded"
    elif ledger.knows(report) and not ledger.holds(report):
        outdated = "its dates or its report changed since it was recorded"
    return replace(score, exercises=exercises, outdated=outdated)


def _recorded(course: Course, assignment: str) -> dict[str, Score]:
    """Return the scores in the gradebook."""
    url, about = configuration.url(course), {"assignment": assignment}
    if not database.exists(url):
        return {}
    with database.opened(url) as engine, engine.connect() as connection:
        if not inspect(connection).has_table("grade"):
            return {}
        penalties = connection.execute(_PENALTIES, about).all()
        cells = _in_order(course, assignment, connection.execute(_CELLS, about).all())
        grades = {(row.student_id, row.cell_id): row for row in connection.execute(_GRADES, about)}
    return {
        student: Score(
            student,
            assignment,
            tuple(_exercise(cell, grades.get((student, cell.id))) for cell in cells),
            penalty or 0,
        )
        for student, penalty in penalties
    }


def _in_order(course: Course, assignment: str, cells: Iterable[Row[Any]]) -> list[Row[Any]]:
    """Return the cells in the order of the notebook, which the gradebook doesn't know."""
    path = course.release_path(assignment)
    names = list(Release.load(course, assignment).names) if path.is_file() else []
    order = {name: number for number, name in enumerate(names)}
    return sorted(cells, key=lambda cell: (order.get(cell.name, len(order)), cell.name))


def _exercise(cell: Row[Any], grade: Row[Any] | None) -> ExerciseScore:
    """Return the score of a cell. A person's points count, whatever the grader says."""
    is_written = cell.cell_type != "code"
    name = cell.name if is_written else exercise_of(cell.name)
    waiting = ExerciseScore(name, cell.max_score, is_written=is_written)
    if grade is None:
        return waiting
    extra, flagged = grade.extra_credit or 0, bool(grade.needs_manual_grade)
    if grade.manual_score is not None:
        return replace(waiting, score=grade.manual_score + extra, needs_review=flagged)
    if flagged or grade.auto_score is None:
        return waiting
    return replace(waiting, score=grade.auto_score + extra)
