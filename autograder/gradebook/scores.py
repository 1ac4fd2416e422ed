"""Scores to export: the marks in the gradebook, and whether anything is left to grade."""

from __future__ import annotations

from dataclasses import dataclass, replace

from autograder.course import Course
from autograder.gradebook import marks
from autograder.gradebook.ledger import Ledger
from autograder.grading.store import is_about, load
from autograder.grading.submissions import students_of
from autograder.intake.submission import Release
from autograder.report import Report


@dataclass(frozen=True)
class ExerciseScore:
    """The score of an exercise or a written answer; None as long as nothing decided it."""

    name: str
    max_score: float
    score: float | None = None
    is_written: bool = False
    grader_failed: bool = False


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
    scores = {
        name: Score(name, assignment, outdated="it isn't graded yet")
        for name in students_of(course, assignment)
    }
    for name, score in recorded.items():
        report = load(course, name, assignment)
        scores[name] = _beside(report, score, course, ledger) if report else score
    return {name: scores[name] for name in sorted(scores)}


def _beside(report: Report, score: Score, course: Course, ledger: Ledger) -> Score:
    """Return the score with what the stored report says: whether it holds, and what failed."""
    failed = {exercise.name for exercise in report.exercises if exercise.faults}
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
    """Return the scores in the gradebook, with exercises in the order of the notebook."""
    path = course.release_path(assignment)
    names = list(Release.load(course, assignment).names) if path.is_file() else []
    order = {name: number for number, name in enumerate(names)}
    found = {}
    for all_marks in marks.read(course, [assignment]):
        each = sorted(
            all_marks.each, key=lambda mark: (order.get(mark.cell, len(order)), mark.cell)
        )
        exercises = tuple(
            ExerciseScore(mark.name, mark.max_score, mark.score, mark.cell == mark.name)
            for mark in each
        )
        student = all_marks.student
        found[student] = Score(student, assignment, exercises, all_marks.penalty)
    return found
