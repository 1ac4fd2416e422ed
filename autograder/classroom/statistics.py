"""Statistics of a class over the stored reports: scores, misconceptions, failed checks."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean

from autograder.classroom.store import read
from autograder.course import Course
from autograder.diagnosis.banks import banks_of
from autograder.errors import CourseError
from autograder.report import ExerciseReport, Outcome, Report, Verdict


@dataclass(frozen=True)
class ExerciseSummary:
    """The results of a class in one exercise: the mean score, and numbers of students."""

    name: str
    mean: float  # of those that are graded
    max_score: float
    full_marks: int
    not_attempted: int
    not_graded: int


@dataclass(frozen=True)
class Difficulty:
    """A misconception that students hold, or a check that their answers failed."""

    exercise: str
    description: str
    students: tuple[str, ...]


def load(course: Course, assignment: str) -> list[Report]:
    """Read the stored reports, ordered by student, without the parts that the page doesn't show."""
    reports: list[Report] = []
    damaged: list[str] = []
    for path in sorted((course.reports / assignment).glob("*.json")):
        try:
            reports.append(_shortened(read(path)))
        except ValueError:
            damaged.append(path.name)
    if damaged:
        raise CourseError(
            f"Damaged in {course.reports / assignment}: {', '.join(damaged)}. Run `make grade`, "
            "which makes these reports again, or delete them if nothing is handed in any more."
        )
    return reports


def _shortened(report: Report) -> Report:
    """Drop what the page doesn't show, so that thousands of reports fit in memory."""
    exercises = [
        exercise.model_copy(
            update={
                "tests": tuple(
                    test.model_copy(update=_interned(test))
                    for test in exercise.tests
                    if test.outcome is not Outcome.PASSED
                )
            }
        )
        for exercise in report.exercises
    ]
    return report.model_copy(update={"exercises": tuple(exercises), "cells": (), "warnings": ()})


def _interned(test: Verdict) -> dict[str, str]:
    """Return what the page shows of a test: the same texts come again and again."""
    return {"message": "", "title": sys.intern(test.title), "fault": sys.intern(test.fault)}


def summaries(reports: Sequence[Report]) -> list[ExerciseSummary]:
    """Sum up each exercise, in the order of the notebook, over the reports that have it."""
    found: dict[str, list[ExerciseReport]] = {}
    for report in reports:
        for exercise in report.exercises:
            found.setdefault(exercise.name, []).append(exercise)
    return [_summary(each) for each in found.values()]


def _summary(each: Sequence[ExerciseReport]) -> ExerciseSummary:
    outcomes = Counter(exercise.outcome for exercise in each)
    return ExerciseSummary(
        name=each[0].name,
        mean=mean([exercise.score for exercise in each if exercise.is_graded] or [0]),
        max_score=max(exercise.max_score for exercise in each),
        full_marks=outcomes[Outcome.PASSED],
        not_attempted=outcomes[Outcome.NOT_ATTEMPTED],
        not_graded=sum(not exercise.is_graded for exercise in each),
    )


def misconceptions(course: Course, assignment: str, reports: Iterable[Report]) -> list[Difficulty]:
    """Return the misconceptions that the class holds, most frequent first."""
    descriptions = {
        (bank.exercise, variant.tag): variant.description
        for bank in banks_of(course, assignment).values()
        for variant in bank.variants
    }
    return _by_frequency(
        (exercise.name, descriptions.get((exercise.name, found.tag), found.tag), report.student)
        for report in reports
        for exercise in report.exercises
        for found in exercise.misconceptions
    )


def failed_checks(reports: Iterable[Report]) -> list[Difficulty]:
    """Return the hidden tests that attempted answers failed, most frequent first."""
    return _by_frequency(
        (exercise.name, test.title, report.student)
        for report in reports
        for exercise in report.exercises
        if exercise.outcome is not Outcome.NOT_ATTEMPTED
        for test in exercise.tests
        if test.outcome not in (Outcome.PASSED, Outcome.GRADER_ERROR)
    )


def _by_frequency(found: Iterable[tuple[str, str, str]]) -> list[Difficulty]:
    students: dict[tuple[str, str], list[str]] = {}
    for exercise, description, student in found:
        students.setdefault((exercise, description), []).append(student)
    difficulties = [Difficulty(*key, tuple(names)) for key, names in students.items()]
    return sorted(difficulties, key=lambda difficulty: -len(difficulty.students))
