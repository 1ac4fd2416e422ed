"""All of the class report as tables: CSV files that no spreadsheet takes for formulas.

`<assignment>-items.csv`           exercises, their checks, and written questions
`<assignment>-misconceptions.csv`  each with who holds it
`<assignment>-students.csv`        where each student stands
`<assignment>-trend.csv`           the class from the first assignment to this one
"""

from __future__ import annotations

from collections.abc import Iterator

from autograder.course import Course
from autograder.course.sheets import as_number, save_whole, table_bytes
from autograder.statistics.class_content import ClassContent
from autograder.statistics.class_standing import HELP_BELOW

Row = dict[str, str]  # by column


def write_tables(course: Course, content: ClassContent) -> None:
    """Write the tables beside the page."""
    for name, raw in tables(content).items():
        save_whole(raw, course.reports / f"{content.assignment}-{name}.csv")


def tables(content: ClassContent) -> dict[str, bytes]:
    """Return each table by name, the bytes of a CSV file."""
    rows = {
        "items": [*_items(content), *_written(content)],
        "misconceptions": list(_misconceptions(content)),
        "students": list(_students(content)),
        "trend": list(_trend(content)),
    }
    return {name: _table(each) for name, each in rows.items() if each}


def _table(rows: list[Row]) -> bytes:
    columns = list(dict.fromkeys(column for row in rows for column in row))
    return table_bytes(columns, [[row.get(column, "") for column in columns] for row in rows])


def _items(content: ClassContent) -> Iterator[Row]:
    summaries = {each.name: each for each in content.exercises}
    for item in content.items:
        row = {
            "exercise": item.exercise,
            "check": item.check,
            "students graded": str(item.students),
            "without full points": str(item.missed),
            "difficulty (mean share of points)": _number(item.difficulty),
            "discrimination": _number(item.discrimination),
            "why none": item.why_not,
        }
        summary = summaries[item.exercise]
        if not item.check:
            row |= {
                "mean points": _number(summary.mean),
                "points": _number(summary.max_score),
                "not attempted": str(summary.not_attempted),
                "not graded yet": str(summary.not_graded),
                "missed for no known reason": str(summary.unexplained),
            }
        yield row


def _written(content: ClassContent) -> Iterator[Row]:
    for each in content.written:
        share = None if each.mean is None or not each.max_score else each.mean / each.max_score
        yield {
            "exercise": each.name,
            "students graded": str(each.graded),
            "difficulty (mean share of points)": _number(share),
            "mean points": _number(each.mean),
            "points": _number(each.max_score),
            "not graded yet": str(each.waiting),
        }


def _misconceptions(content: ClassContent) -> Iterator[Row]:
    for mistakes in content.mistakes.values():
        for each in mistakes:
            yield {
                "exercise": each.exercise,
                "misconception": each.tag,
                "description": each.description,
                "students": str(len(each.students)),
                "share of those who attempted it": _number(each.share),
                "who": " ".join(each.students),
            }


def _students(content: ClassContent) -> Iterator[Row]:
    what = {each.standing.student: each.what for each in content.in_need}
    for report, standing in zip(content.reports, content.standings, strict=True):
        marks = content.marks.get(report.student)
        row = {
            "student_id": report.student,
            "points graded so far": _number(standing.score),
            "of": _number(standing.max_score),
            "share": _number(standing.share),
            "share one assignment earlier": _number(standing.before),
            "something is not graded yet": "yes" if standing.waits else "",
            f"below {HELP_BELOW:.0%}": "yes" if report.student in what else "",
            "what to work on": "; ".join(what.get(report.student, ())),
        }
        for exercise in report.exercises:
            mark = marks[exercise.name] if marks else None
            score = mark.score if mark else exercise.score if exercise.is_graded else None
            row |= {exercise.name: _number(score)}
        for answer in report.manual:
            mark = marks[answer.name] if marks else None
            row |= {answer.name: _number(mark.score if mark else None)}
        yield row | {"notes": " ".join(report.warnings), "confined at level": report.isolation}
    for student in content.absent:
        yield {"student_id": student, "points graded so far": "", "notes": "no report"}


def _trend(content: ClassContent) -> Iterator[Row]:
    for point in content.trend:
        yield {
            "assignment": point.assignment,
            "students": str(point.students),
            "mean share of points": _number(point.mean),
        }


def _number(value: float | None) -> str:
    return "" if value is None else as_number(value)
