"""The class report: a page per assignment on what the class understood, and the same as tables.

The tables are CSV files that no spreadsheet takes for formulas:

`<assignment>-items.csv`           exercises, their checks, and written questions
`<assignment>-misconceptions.csv`  each with who holds it
`<assignment>-students.csv`        where each student stands
`<assignment>-trend.csv`           the class from the first assignment to this one
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median

from autograder.course import Course
from autograder.course.sheets import as_number, save_whole, table_bytes
from autograder.report import NOT_GRADED
from autograder.statistics.content import ClassContent, content_of, reports_on
from autograder.statistics.items import MIN_ASIDE, MIN_STUDENTS
from autograder.statistics.mistakes import examples_of
from autograder.statistics.standing import HELP_BELOW, MIN_SCORES, histogram
from autograder.telling.pages.looks import rendered

MAX_EXAMPLES = 4  # of an exercise
CAPS = {  # the most that the page shows of each list; the CSV files have all
    "mistakes": 8,  # of an exercise
    "names": 20,  # in one place
    "in_need": 20,
    "students": 100,
    "notes": 20,
    "faults": 10,
    "what": 3,  # sentences on one student
}
Row = dict[str, object]  # of a table, by column; None leaves a cell empty


def write_class_report(course: Course, assignment: str) -> Path | None:
    """Write the page on `assignment`, and its tables beside it, from the stored reports.

    Returns the page's path; None if there are no reports.
    """
    reports = reports_on(course, assignment)
    if not reports:
        return None
    content = content_of(course, assignment, reports)
    path = course.reports / f"{assignment}.html"
    path.write_text(class_page(course, content), encoding="utf-8")
    for name, raw in tables(content).items():
        save_whole(raw, course.reports / f"{assignment}-{name}.csv")
    return path


def class_page(course: Course, content: ClassContent) -> str:
    """Return the page as HTML; all text is escaped, and its policy forbids scripts."""
    common = [each for found in content.mistakes.values() for each in found[:MAX_EXAMPLES]]
    return rendered(
        "class_report.html",
        "class_report.css",
        content=content,
        caps=CAPS,
        not_graded=NOT_GRADED,
        bins=histogram(content.shares),
        min_scores=MIN_SCORES,
        middle=median(content.shares) if content.shares else None,
        help_below=HELP_BELOW,
        wholes={item.exercise: item for item in content.items if not item.check},
        snippets=examples_of(course, content.assignment, content.reports, common),
        min_students=MIN_STUDENTS,
        min_aside=MIN_ASIDE,
    )


def tables(content: ClassContent) -> dict[str, bytes]:
    """Return each table by name, the bytes of a CSV file."""
    rows = {
        "items": [*_items(content), *_written(content)],
        "misconceptions": list(_misconceptions(content)),
        "students": list(_students(content)),
        "trend": [
            {"assignment": p.assignment, "students": p.students, "mean share of points": p.mean}
            for p in content.trend
        ],
    }
    return {name: _table(each) for name, each in rows.items() if each}


def _table(rows: list[Row]) -> bytes:
    columns = list(dict.fromkeys(column for row in rows for column in row))
    return table_bytes(columns, [[_text(row.get(column)) for column in columns] for row in rows])


def _text(value: object) -> str:
    if isinstance(value, int | float):
        return as_number(value)
    return "" if value is None else str(value)


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
                "missed for no known reason": summary.unexplained,
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


def _misconceptions(content: ClassContent) -> Iterator[Row]:
    for mistakes in content.mistakes.values():
        for each in mistakes:
            yield {
                "exercise": each.exercise,
                "misconception": each.tag,
                "description": each.description,
                "students": len(each.students),
                "share of those who attempted it": each.share,
                "who (ids divided by /)": " / ".join(each.students),
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
            f"below {HELP_BELOW:.0%}": "yes" if standing.needs_help else "",
            "what to work on": "; ".join(standing.what),
            **standing.scores,
            "notes": " ".join(report.warnings),
            "confined at level": report.isolation,
        }
    for student in content.absent:
        yield {"student_id": student, "points graded so far": "", "notes": "no report"}
