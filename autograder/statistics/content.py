"""All that is told about a class in one assignment, wherever it is read: on the page or as CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from autograder.course import Course
from autograder.course.roster import FILE, folded, read_roster
from autograder.errors import CourseError
from autograder.gradebook.marks import Marks, read_marks
from autograder.grading.store import read_report
from autograder.report import Record, Report
from autograder.sandbox.limits import Isolation
from autograder.statistics.items import ExerciseSummary, Item, items, summaries
from autograder.statistics.mistakes import SharedMistake, shared_mistakes
from autograder.statistics.standing import (
    Standing,
    TrendPoint,
    WrittenQuestion,
    standings,
    trend,
    written_questions,
)
from autograder.statistics.terminal import Fault, faults_in

_OWN_SPACE = (
    "a space of its own: it saw Python, its libraries, and the files that you gave out, but no "
    "network, no other program, and no file of yours or of another student's"
)
_CONFINED = {
    Isolation.ROOTNS: _OWN_SPACE,
    Isolation.USERNS: _OWN_SPACE,
    Isolation.LOCKDOWN: "a locked process: it could read Python and its libraries, write nothing, "
    "and reach neither the network nor another program",
}
UNCONFINED = (
    "nothing but limits on its time and memory, because it was graded with --unsafe: it could read "
    "and change whatever you can. Rely on these scores only where you trust the student, or grade "
    "again on a machine that offers isolation"
)


@dataclass(frozen=True)
class LevelUsed:
    """What the code of so many students ran in, in words; `level` is the expert's name for it."""

    level: Isolation
    words: str
    students: int

    @property
    def is_none(self) -> bool:
        return self.level not in _CONFINED


@dataclass(frozen=True)
class ClassContent:
    """What is told about a class; lists are whole, and a page may cut them."""

    assignment: str
    reports: Sequence[Report]
    faults: Sequence[Fault]
    exercises: Sequence[ExerciseSummary]
    items: Sequence[Item]
    mistakes: Mapping[str, Sequence[SharedMistake]]  # by exercise
    standings: Sequence[Standing]
    absent: Sequence[str]  # of the roster, without a report
    written: Sequence[WrittenQuestion]
    trend: Sequence[TrendPoint]
    confined: Sequence[LevelUsed]

    @property
    def in_need(self) -> list[Standing]:
        """Those who need help, the lowest share first."""
        low = [each for each in self.standings if each.needs_help]
        return sorted(low, key=lambda each: (each.share, each.student))

    @property
    def shares(self) -> list[float]:
        return [each.share for each in self.standings if each.share is not None]

    @property
    def mean(self) -> float:
        """The mean points in the exercises that are graded automatically."""
        return mean(report.score for report in self.reports)

    @property
    def max_score(self) -> float:
        """The most points in those exercises."""
        return max(report.max_score for report in self.reports)

    @property
    def waiting(self) -> int:
        return sum(each.waits for each in self.standings)


def content_of(course: Course, assignment: str, reports: Sequence[Report]) -> ClassContent:
    """Gather what is told about a class that handed in at least once."""
    names = course.assignment_names()
    if assignment in names:
        names = names[: names.index(assignment) + 1]
    marks: dict[str, dict[str, Marks]] = {name: {} for name in names}  # up to this assignment
    for each in read_marks(course, names):
        marks[each.assignment][each.student] = each
    earlier: dict[str, Marks] = {}
    for name in names:
        earlier |= {} if name == assignment else marks[name]
    mistakes = shared_mistakes(course, assignment, reports)
    found = standings(reports, marks.get(assignment, {}), earlier, mistakes)
    numbers = Counter(report.isolation for report in reports)
    present = {folded(report.student) for report in reports}
    people = [person.student_id for person in read_roster(course.root / FILE)]
    return ClassContent(
        assignment=assignment,
        reports=reports,
        faults=faults_in(reports),
        exercises=summaries(reports),
        items=items(reports),
        mistakes=mistakes,
        standings=found,
        absent=[student for student in people if folded(student) not in present],
        written=written_questions(reports, found),
        trend=trend({name: each.values() for name, each in marks.items()}),
        confined=[
            LevelUsed(level, _CONFINED.get(level, UNCONFINED), numbers[level])
            for level in Isolation
            if numbers[level]
        ],
    )


def reports_on(course: Course, assignment: str) -> list[Report]:
    """Read the stored reports, ordered by student, without what says nothing about a class."""
    reports: list[Report] = []
    damaged: list[str] = []
    known: dict[Record, Record] = {}
    for path in sorted((course.reports / assignment).glob("*.json")):
        try:
            reports.append(_shortened(read_report(path), known))
        except ValueError:
            damaged.append(path.name)
    if damaged:
        raise CourseError(
            f"Damaged in {course.reports / assignment}: {', '.join(damaged)}. Run `make grade`, "
            "which makes these reports again, or delete them if nothing is handed in any more."
        )
    return reports


def _shortened(report: Report, known: dict[Record, Record]) -> Report:
    """Drop messages and outputs, so that thousands of reports fit in memory.

    What is left of a verdict comes again and again: equal ones become one, by way of `known`.
    """
    exercises = []
    for exercise in report.exercises:
        tests = (test.model_copy(update={"message": ""}) for test in exercise.tests)
        kept = {
            "tests": tuple(known.setdefault(test, test) for test in tests),
            "misconceptions": tuple(known.setdefault(m, m) for m in exercise.misconceptions),
        }
        exercises.append(exercise.model_copy(update=kept))
    return report.model_copy(update={"exercises": tuple(exercises), "cells": ()})
