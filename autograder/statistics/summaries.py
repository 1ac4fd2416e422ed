"""Statistics of a class over the stored reports: exercises, and the misconceptions in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean

from autograder.course import Course
from autograder.diagnosis.banks import banks_of
from autograder.errors import CourseError
from autograder.grading.store import read
from autograder.report import ExerciseReport, Outcome, Record, Report


@dataclass(frozen=True)
class ExerciseSummary:
    """The results of a class in one exercise: the mean score, and numbers of students."""

    name: str
    mean: float  # of those that are graded
    max_score: float
    full_marks: int
    not_attempted: int
    not_graded: int
    unexplained: int  # with points missing, and no misconception found that says why


@dataclass(frozen=True)
class SharedMistake:
    """A misconception, and who of the `attempted` students holds it."""

    exercise: str
    tag: str
    description: str
    students: tuple[str, ...]
    attempted: int

    @property
    def share(self) -> float:
        """The share of those who attempted the exercise, between 0 and 1."""
        return len(self.students) / self.attempted


def load(course: Course, assignment: str) -> list[Report]:
    """Read the stored reports, ordered by student, without the parts that the page doesn't show."""
    reports: list[Report] = []
    damaged: list[str] = []
    shared: dict[Record, Record] = {}
    for path in sorted((course.reports / assignment).glob("*.json")):
        try:
            reports.append(_shortened(read(path), shared))
        except ValueError:
            damaged.append(path.name)
    if damaged:
        raise CourseError(
            f"Damaged in {course.reports / assignment}: {', '.join(damaged)}. Run `make grade`, "
            "which makes these reports again, or delete them if nothing is handed in any more."
        )
    return reports


def _shortened(report: Report, shared: dict[Record, Record]) -> Report:
    """Drop what the page doesn't show, so that thousands of reports fit in memory.

    What is left of a verdict comes again and again: equal ones become one, by way of `shared`.
    """
    exercises = []
    for exercise in report.exercises:
        tests = (test.model_copy(update={"message": ""}) for test in exercise.tests)
        kept = {
            "tests": tuple(shared.setdefault(test, test) for test in tests),
            "misconceptions": tuple(shared.setdefault(m, m) for m in exercise.misconceptions),
        }
        exercises.append(exercise.model_copy(update=kept))
    return report.model_copy(update={"exercises": tuple(exercises), "cells": ()})


def summaries(reports: Sequence[Report]) -> list[ExerciseSummary]:
    """Sum up each exercise, in the order of the notebook, over the reports that have it."""
    found: dict[str, list[ExerciseReport]] = {}
    for report in reports:
        for exercise in report.exercises:
            found.setdefault(exercise.name, []).append(exercise)
    return [_summary(each) for each in found.values()]


def _summary(each: Sequence[ExerciseReport]) -> ExerciseSummary:
    outcomes = Counter(exercise.outcome for exercise in each)
    solved = (Outcome.PASSED, Outcome.NOT_ATTEMPTED, Outcome.GRADER_ERROR)
    return ExerciseSummary(
        name=each[0].name,
        mean=mean([exercise.score for exercise in each if exercise.is_graded] or [0]),
        max_score=max(exercise.max_score for exercise in each),
        full_marks=outcomes[Outcome.PASSED],
        not_attempted=outcomes[Outcome.NOT_ATTEMPTED],
        not_graded=sum(not exercise.is_graded for exercise in each),
        unexplained=sum(e.outcome not in solved and not e.misconceptions for e in each),
    )


def misconceptions(
    course: Course, assignment: str, reports: Iterable[Report]
) -> dict[str, list[SharedMistake]]:
    """Return the misconceptions that the class holds, most frequent first, by exercise.

    The exercise with the most frequent one comes first.
    """
    described = {
        (bank.exercise, variant.tag): variant.description
        for bank in banks_of(course, assignment).values()
        for variant in bank.variants
    }
    holders: dict[tuple[str, str], list[str]] = {}
    attempted: Counter[str] = Counter()
    for report in reports:
        for exercise in report.exercises:
            if exercise.outcome is Outcome.NOT_ATTEMPTED:
                continue
            attempted[exercise.name] += 1
            for found in exercise.misconceptions:
                key = (exercise.name, found.tag)
                holders.setdefault(key, []).append(report.student)
                described.setdefault(key, found.message)  # of relations, which no bank holds
    grouped: dict[str, list[SharedMistake]] = {}
    for (name, tag), students in sorted(holders.items(), key=lambda each: -len(each[1])):
        said = described[name, tag] or tag
        mistake = SharedMistake(name, tag, said, tuple(students), attempted[name])
        grouped.setdefault(name, []).append(mistake)
    return grouped
