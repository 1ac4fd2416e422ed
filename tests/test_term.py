"""A whole term, as an instructor goes through it; every number is checked against the sums below.

| student | hw1: tests | written | late | hw1 | hw2 |
|---------|-----------:|--------:|-----:|----:|----:|
| ada     |          8 |       2 |      |  10 |   2 |
| bo      |    0, then 3 on appeal | 1 | |  4 |   0 |
| cy      |          8 |       1 | half a day: a tenth of 9 | 8.1 | 2 |
| di      |          8 |       2 | a day and a half, extended by two | 10 | 2 |
"""

import csv
import json
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.course import Course, scaffold, solution
from autograder.course.roster import Person
from tests import commands
from tests.notebooks import filled
from tests.platforms import sources
from tests.platforms.sources import Student

pytestmark = pytest.mark.slow

HW1, HW2, ESSAY = "hw1_statistics", "hw2", "why_standardise"
DUE = datetime(2026, 10, 5, 12, tzinfo=UTC)
SETTINGS = f"""
late = {{ per_day = 0.1 }}
[assignments.{HW1}]
due = {DUE.isoformat()}
extensions = {{ di = {(DUE + timedelta(days=2)).isoformat()} }}
"""
LATE_BY = {"ada": -1, "bo": -1, "cy": 12, "di": 36}  # hours
SOLVED = {HW1: {"ada", "cy", "di"}, HW2: {"ada", "cy", "di"}}
WRITTEN = {"ada": 2.0, "bo": 1.0, "cy": 1.0, "di": 2.0}
TOTALS = {"ada": ("10", "2"), "bo": ("4", "0"), "cy": ("8.1", "2"), "di": ("10", "2")}
HEADER = "Student,ID,SIS User ID,SIS Login ID,Section,Statistics (71),Two (72),Final Score\n"
PEOPLE = [
    Person(name, f"{name.title()} Doe", f"{name}@u.example", str(100 + n), gradescope_sid=name)
    for n, name in enumerate(LATE_BY)
]


def canvas_gradebook() -> str:
    """What Canvas exports: a line a student, with no grades yet."""
    points = "    Points Possible,,,,,10,2,(read only)\n"
    rows = (f'"Doe, {p.student_id.title()}",{p.canvas_id},,{p.student_id},A,,,77\n' for p in PEOPLE)
    return HEADER + points + "".join(rows)


def moodle_worksheet() -> str:
    """What Moodle exports of the first assignment; a participant's number is Moodle's alone."""
    header = "Identifier,Full name,Email address,Status,Grade,Maximum grade,Feedback comments\n"
    rows = (f"Participant 7{p.canvas_id},{p.name},{p.email}" for p in PEOPLE)
    return header + "".join(f"{row},Submitted for grading,,10.00,\n" for row in rows)


def autograder(course: Course, *arguments: str, status: int = 0) -> str:
    done = commands.autograder(course.root, *arguments)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


def work(course: Course, assignment: str) -> list[Student]:
    """What each student hands in for an assignment, and when."""
    handed_in = []
    for person in PEOPLE:
        name = person.student_id
        answers = solution.sources(course, assignment) if name in SOLVED[assignment] else {}
        answers |= {ESSAY: f"Because, says {name}."}
        raw = json.dumps(filled(course.release_path(assignment), answers)).encode()
        time = DUE + timedelta(hours=LATE_BY[name])
        handed_in.append(Student(person, f"{assignment}.ipynb", raw, time))
    return handed_in


def give(course: Course, assignment: str, cell: str, student: str, points: float) -> None:
    """Give points as the formgrader does."""
    with Gradebook(course.database) as book:
        grade = book.find_grade(cell, assignment, assignment, student)
        grade.manual_score, grade.needs_manual_grade = points, False
        book.db.commit()


@pytest.fixture
def course(tmp_path: Path) -> Course:
    root = tmp_path / "course"
    scaffold.init(root)
    scaffold.new(Course.load(root), HW2, "centre")
    path = root / "course.toml"
    path.write_text(path.read_text() + SETTINGS)
    course = Course.load(root)
    autograder(course, "release")
    return course


def test_a_term_from_the_roster_to_the_grades_on_canvas(course: Course, tmp_path: Path) -> None:
    (course.root / "canvas.csv").write_text(canvas_gradebook())
    autograder(course, "roster", "import", "canvas.csv")
    collect_everything(course, tmp_path)
    autograder(course, "grade", "--jobs", "1")
    for student, points in WRITTEN.items():
        give(course, HW1, ESSAY, student, points)
    give(course, HW1, "standardise_test", "bo", 3)  # an appeal
    autograder(course, "grade", "--jobs", "1", "--force")
    assert grades_on_canvas(course) == TOTALS
    assert grades_on_moodle(course) == {name: hw1 for name, (hw1, _) in TOTALS.items()}
    autograder(course, "feedback")
    autograder(course, "return", "--to", "canvas", HW2)
    assert returned(course) == {f"{name}doe" for name in TOTALS}


def collect_everything(course: Course, folder: Path) -> None:
    """Collect the first assignment from Gradescope, the second from Canvas."""
    said = autograder(course, "collect", str(sources.gradescope(folder, work(course, HW1))))
    assert "4 found · 4 placed · 0 to assign · 1 late" in said
    assert "late by 12:00:00: cy, hw1_statistics" in said
    said = autograder(course, "collect", str(sources.canvas(folder, work(course, HW2))))
    assert "4 found · 4 placed · 0 to assign" in said


def grades_on_canvas(course: Course) -> dict[str, tuple[str, str]]:
    columns = ("--column", f"{HW1}=71", "--column", f"{HW2}=72")
    autograder(course, "export", "--to", "canvas", "canvas.csv", *columns)
    path = course.exports / "canvas-canvas.csv"
    assert path.read_text().splitlines()[1].endswith("(read only)")
    with path.open(newline="") as file:
        rows = list(csv.reader(file))[2:]
    assert {row[7] for row in rows} == {"77"}
    return {row[3]: (row[5], row[6]) for row in rows}


def grades_on_moodle(course: Course) -> dict[str, str]:
    """Return what stands in the worksheet that goes back to Moodle, by student."""
    (course.root / "worksheet.csv").write_text(moodle_worksheet())
    autograder(course, "export", "--to", "moodle", "worksheet.csv", HW1)
    with (course.exports / "moodle-worksheet.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {row["Email address"].partition("@")[0]: row["Grade"] for row in rows}


def returned(course: Course) -> set[str]:
    (path,) = course.exports.glob(f"{HW2}-feedback-canvas.zip")
    with zipfile.ZipFile(path) as archive:
        return {name.split("_")[0] for name in archive.namelist()}
