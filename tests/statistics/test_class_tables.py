"""All of the class report as CSV: whole lists, and no formulas."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.statistics.class_content import content_of
from autograder.statistics.class_tables import tables, write_tables
from tests.statistics.reports import exercise, report
from tests.toys import course_of

CLASS = [
    report("=cmd|'/C calc'!A0", exercise("f", [0, 1], 1, "@SUM(A1)"), written=["why"]),
    *(report(f"s{n}", exercise("f", [n % 2, 1], 1, "wrong"), written=["why"]) for n in range(150)),
]


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A course of toys, with two in its roster of whom one handed in nothing."""
    course = course_of(tmp_path)
    (course.root / "roster.csv").write_text("student_id,name\ns1,\nzoe,\n")
    return course


def rows(course: Course, name: str) -> list[dict[str, str]]:
    raw = tables(content_of(course, "toys", CLASS))[name]
    return list(csv.DictReader(io.StringIO(raw.decode())))


def test_every_student_has_a_row_and_so_has_who_handed_in_nothing(course: Course) -> None:
    found = {row["student_id"]: row for row in rows(course, "students")}
    assert len(found) == len(CLASS) + 1
    assert found["s1"]["f"] == "2"
    assert (found["s1"]["why"], found["s1"]["something is not graded yet"]) == ("", "yes")
    assert (found["zoe"]["notes"], found["zoe"]["share"]) == ("no report", "")


def test_items_have_both_figures_or_say_why_not(course: Course) -> None:
    whole, first, second, why = rows(course, "items")
    assert (whole["exercise"], whole["check"], first["check"]) == ("f", "", "c0.")
    assert first["students graded"] == "151"
    assert first["without full points"] == "76"
    assert first["difficulty (mean share of points)"] == "0.4967"
    assert second["discrimination"] == ""
    assert "needs" in second["why none"]
    assert (why["exercise"], why["not graded yet"]) == ("why", "151")


def test_misconceptions_name_all_who_hold_them(course: Course) -> None:
    first, second = rows(course, "misconceptions")
    assert (first["misconception"], first["students"]) == ("wrong", "150")
    assert len(first["who"].split()) == 150
    assert second["share of those who attempted it"] == "0.0066"


def test_no_cell_is_a_formula(course: Course) -> None:
    write_tables(course, content_of(course, "toys", CLASS))
    files = sorted(course.reports.glob("*.csv"))
    assert [path.name for path in files] == [
        "toys-items.csv",
        "toys-misconceptions.csv",
        "toys-students.csv",
    ]
    for path in files:
        cells = [cell for row in csv.reader(io.StringIO(path.read_text())) for cell in row]
        assert [cell for cell in cells if cell[:1] in ("=", "+", "@")] == []
    assert "'=cmd" in (course.reports / "toys-students.csv").read_text()
    assert "'@SUM" in (course.reports / "toys-misconceptions.csv").read_text()
