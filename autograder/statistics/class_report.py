"""The class report: a page per assignment on what the class understood, and the same as tables.

The tables are `<assignment>-{items,misconceptions,students,trend}.csv`, with the section's name
behind the assignment's if it is of one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from autograder.course import Course
from autograder.course.roster import EVERYBODY, Section, folded
from autograder.course.saving import save_whole
from autograder.course.sheets import table_bytes
from autograder.errors import CourseError
from autograder.gradebook.deciding import list_decisions
from autograder.gradebook.decisions import decided_report, place
from autograder.gradebook.marks import Marks, read_marks
from autograder.grading.submissions import read_report
from autograder.report import NOT_GRADED, Record, Report
from autograder.sandbox.limits import Isolation
from autograder.statistics import figures
from autograder.statistics.mistakes import SharedMistake, examples_of, shared_mistakes
from autograder.statistics.terminal import Alarm, faults_in, missing_in
from autograder.telling.pages.looks import rendered

MAX_EXAMPLES = 4  # of an exercise
NO_NAME = ""  # stands for the tag of what no known misconception explains
Row = dict[str, str | float | None]  # of a table, by column; None leaves a cell empty


@dataclass(frozen=True)
class ClassContent:
    """What is told about a class; lists are whole, and a page may cut them."""

    assignment: str
    reports: Sequence[Report]
    faults: Sequence[Alarm]
    missing: Sequence[Alarm]  # modules
    exercises: Sequence[figures.ExerciseSummary]
    items: Sequence[figures.Item]
    mistakes: Mapping[str, Sequence[SharedMistake]]  # by exercise
    standings: Sequence[figures.Standing]
    absent: Sequence[str]  # of the roster, without a report
    written: Sequence[figures.WrittenQuestion]
    trend: Sequence[figures.TrendPoint]
    confined: Mapping[Isolation, int]  # how many students' code ran at each level
    decisions: Sequence[str]  # made after grading, a sentence each
    sections: Sequence[figures.SectionFigures]
    section: Section = EVERYBODY  # that these are, or else the whole class

    @property
    def stem(self) -> str:
        """What the names of the page and of its tables begin with."""
        return self.assignment + self.section.suffix

    @property
    def in_need(self) -> list[figures.Standing]:
        """Those who need help, the lowest share first."""
        low = [each for each in self.standings if each.needs_help]
        return sorted(low, key=lambda each: (each.share, each.student))

    @property
    def shares(self) -> list[float]:
        return [each.share for each in self.standings if each.share is not None]

    @property
    def mean(self) -> float:
        return mean(report.score for report in self.reports)

    @property
    def max_score(self) -> float:
        return max(report.max_score for report in self.reports)

    @property
    def has_written(self) -> bool:
        return any(report.manual for report in self.reports)

    @property
    def waiting(self) -> int:
        return sum(each.waits for each in self.standings)


def content_of(
    course: Course, assignment: str, reports: Sequence[Report], section: Section = EVERYBODY
) -> ClassContent:
    """Gather what is told about those of a section who handed in, as it was decided."""
    decisions = list_decisions(course, [assignment])
    reports = [decided_report(report, decisions) for report in reports]
    names = course.assignment_names()
    if assignment in names:
        names = names[: names.index(assignment) + 1]
    marks: dict[str, dict[str, Marks]] = {name: {} for name in names}  # up to this assignment
    for each in (each for each in read_marks(course, names) if each.student in section):
        marks[each.assignment][each.student] = each
    before = [marks[name] for name in names if name != assignment]
    earlier = {student: each for found in before for student, each in found.items()}
    mistakes = shared_mistakes(course, assignment, reports)
    found = figures.standings(reports, marks.get(assignment, {}), earlier, mistakes)
    levels = Counter(report.isolation for report in reports)
    present = {folded(report.student) for report in reports}
    people = [p for p in course.people if p.student_id in section]
    return ClassContent(
        assignment=assignment,
        reports=reports,
        faults=faults_in(reports),
        missing=missing_in(reports),
        exercises=figures.summaries(reports),
        items=figures.items(reports),
        mistakes=mistakes,
        standings=found,
        absent=[p.student_id for p in people if folded(p.student_id) not in present],
        written=figures.written_questions(reports, found),
        trend=figures.trend({name: each.values() for name, each in marks.items()}),
        confined={level: levels[level] for level in Isolation if levels[level]},
        decisions=[each.sentence(place(each)) for each in decisions if each.holds],
        sections=figures.by_section(people, found),
        section=section,
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
    """Drop messages and outputs, and make equal records one: thousands of reports fit in memory."""
    exercises = []
    for exercise in report.exercises:
        tests = (test.model_copy(update={"message": ""}) for test in exercise.tests)
        kept = {
            "tests": tuple(known.setdefault(test, test) for test in tests),
            "misconceptions": tuple(known.setdefault(m, m) for m in exercise.misconceptions),
        }
        exercises.append(exercise.model_copy(update=kept))
    return report.model_copy(update={"exercises": tuple(exercises), "cells": ()})


def write_class_report(
    course: Course, assignment: str, section: Section = EVERYBODY
) -> Path | None:
    """Write the page on `assignment` and its tables; return its path, None without any reports."""
    reports = [each for each in reports_on(course, assignment) if each.student in section]
    if not reports:
        return None
    content = content_of(course, assignment, reports, section)
    path = course.reports / f"{content.stem}.html"
    save_whole(class_page(course, content).encode(), path)
    for name, raw in tables(content).items():
        save_whole(raw, course.reports / f"{content.stem}-{name}.csv")
    return path


def class_page(course: Course, content: ClassContent) -> str:
    """Return the page as HTML; all text is escaped, and its policy forbids scripts."""
    shown = [each for found in content.mistakes.values() for each in found[:MAX_EXAMPLES]]
    for each in (each for each in content.exercises if each.unexplained):
        shown.append(SharedMistake(each.name, NO_NAME, "", each.unexplained, len(content.reports)))
    return rendered(
        "class_report.html",
        "class_report.css",
        content=content,
        not_graded=NOT_GRADED,
        bins=figures.histogram(content.shares),
        rule=figures,
        no_name=NO_NAME,
        middle=median(content.shares) if content.shares else None,
        wholes={item.exercise: item for item in content.items if not item.check},
        snippets=examples_of(course, content.assignment, content.reports, shown),
    )


def tables(content: ClassContent) -> dict[str, bytes]:
    rows: dict[str, list[Row]] = {
        "items": [*_items(content), *_written(content)],
        "misconceptions": [
            {
                "exercise": each.exercise,
                "misconception": each.tag,
                "description": each.description,
                "students": len(each.students),
                "share of those who attempted it": each.share,
                "who (ids divided by /)": " / ".join(each.students),
            }
            for mistakes in content.mistakes.values()
            for each in mistakes
        ],
        "students": list(_students(content)),
        "trend": [
            {"assignment": p.assignment, "students": p.students, "mean share of points": p.mean}
            for p in content.trend
        ],
    }
    return {name: _table(each) for name, each in rows.items() if each}


def _table(rows: list[Row]) -> bytes:
    columns = list(dict.fromkeys(column for row in rows for column in row))
    return table_bytes(columns, [[row.get(column) for column in columns] for row in rows])


def _items(content: ClassContent) -> Iterator[Row]:
    summaries = {each.name: each for each in content.exercises}
    for item in content.items:
        row: Row = {
            "exercise": item.exercise,
            "check": item.check,
            "students graded": item.students,
            "without full points": item.missed,
            "difficulty (mean share of points)": item.difficulty,
            "discrimination": item.discrimination,
            "why none": item.why_not,
        }
        summary = summaries[item.exercise]
        if not item.check:
            row |= {
                "mean points": summary.mean,
                "points": summary.max_score,
                "not attempted": summary.not_attempted,
                "not graded yet": summary.not_graded,
                "missed for no known reason": len(summary.unexplained),
                "by whom (ids divided by /)": " / ".join(summary.unexplained),
            }
        yield row


def _written(content: ClassContent) -> Iterator[Row]:
    for each in content.written:
        share = None if each.mean is None or not each.max_score else each.mean / each.max_score
        yield {
            "exercise": each.name,
            "students graded": each.graded,
            "difficulty (mean share of points)": share,
            "mean points": each.mean,
            "points": each.max_score,
            "not graded yet": each.waiting,
        }


def _students(content: ClassContent) -> Iterator[Row]:
    for report, standing in zip(content.reports, content.standings, strict=True):
        yield {
            "student_id": report.student,
            "points graded so far": standing.score,
            "of": standing.max_score,
            "share": standing.share,
            "share one assignment earlier": standing.before,
            "something is not graded yet": "yes" if standing.waits else "",
            f"below {figures.HELP_BELOW:.0%}": "yes" if standing.needs_help else "",
            "what to work on": "; ".join(standing.what),
            **standing.scores,
            "notes": " ".join(report.warnings),
            "confined at level": report.isolation,
        }
    for student in content.absent:
        yield {"student_id": student, "points graded so far": "", "notes": "no report"}
