"""What a class understood and what it did not: one page for the instructor, an assignment each."""

from __future__ import annotations

import base64
import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pydantic import ValidationError

from autograder.banks import banks_of
from autograder.course import Course
from autograder.errors import CourseError
from autograder.report import ExerciseReport, Outcome, Report

_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class ExerciseSummary:
    """How a class did in one exercise."""

    name: str
    mean: float
    max_score: float
    full: int
    not_written: int


@dataclass(frozen=True)
class Difficulty:
    """Something that students of the class got wrong: a misconception, or a check that failed."""

    exercise: str
    what: str
    students: tuple[str, ...]


def write(course: Course, assignment: str) -> Path | None:
    """Write the page on `assignment` from the reports on file; None if there are none."""
    reports = load(course, assignment)
    if not reports:
        return None
    path = course.reports / f"{assignment}.html"
    path.write_text(page(assignment, reports), encoding="utf-8")
    return path


def load(course: Course, assignment: str) -> list[Report]:
    """Read the reports on file, in order of student, as far as the page shows them."""
    paths = sorted((course.reports / assignment).glob("*.json"))
    try:
        return [_in_brief(Report.model_validate_json(path.read_bytes())) for path in paths]
    except ValidationError as error:
        raise CourseError(
            f"A report on {assignment} is damaged: delete {course.reports / assignment} and grade "
            "again."
        ) from error


def _in_brief(report: Report) -> Report:
    """Leave out what a page on thousands of reports has no room for, nor the memory."""
    exercises = [
        exercise.model_copy(
            update={
                "tests": tuple(
                    test.model_copy(update={"message": "", "title": sys.intern(test.title)})
                    for test in exercise.tests
                    if test.outcome is not Outcome.PASSED
                )
            }
        )
        for exercise in report.exercises
    ]
    return report.model_copy(update={"exercises": tuple(exercises), "cells": (), "warnings": ()})


def page(assignment: str, reports: Sequence[Report]) -> str:
    """Return the page as HTML; all text in it is escaped, and no script can run in it."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    style = (_TEMPLATES / "class_report.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return environment.get_template("class_report.html").render(
        assignment=assignment,
        style=style,
        style_hash=digest,
        reports=reports,
        mean=mean(report.score for report in reports),
        max_score=reports[0].max_score,
        levels=sorted({report.isolation for report in reports}),
        exercises=summaries(reports),
        misconceptions=misconceptions(assignment, reports),
        checks=failed_checks(reports),
    )


def summaries(reports: Sequence[Report]) -> list[ExerciseSummary]:
    """Sum up each exercise, in the order of the notebook."""
    return [_summary(each) for each in zip(*(report.exercises for report in reports), strict=True)]


def _summary(each: Sequence[ExerciseReport]) -> ExerciseSummary:
    outcomes = Counter(exercise.outcome for exercise in each)
    return ExerciseSummary(
        name=each[0].name,
        mean=mean(exercise.score for exercise in each),
        max_score=each[0].max_score,
        full=outcomes[Outcome.PASSED],
        not_written=outcomes[Outcome.NOT_ATTEMPTED],
    )


def misconceptions(assignment: str, reports: Iterable[Report]) -> list[Difficulty]:
    """Return the misconceptions that the class holds, the commonest first."""
    descriptions = {
        (bank.exercise, variant.tag): variant.description
        for bank in banks_of(assignment).values()
        for variant in bank.variants
    }
    return _by_frequency(
        (exercise.name, descriptions.get((exercise.name, found.tag), found.tag), report.student)
        for report in reports
        for exercise in report.exercises
        for found in exercise.misconceptions
    )


def failed_checks(reports: Iterable[Report]) -> list[Difficulty]:
    """Return the hidden tests that failed on an answer that was written, the commonest first."""
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
    for exercise, what, student in found:
        students.setdefault((exercise, what), []).append(student)
    difficulties = [Difficulty(*key, tuple(names)) for key, names in students.items()]
    return sorted(difficulties, key=lambda difficulty: -len(difficulty.students))
