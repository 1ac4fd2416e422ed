"""A whole term, as an instructor goes through it; every number is checked against the sums below.

| student | hw1: tests | written | late | hw1 | hw2 |
|---------|-----------:|--------:|-----:|----:|----:|
| ada     |          8 |       2 |      |  10 |   2 |
| bo      |    0, then 3 on appeal | 1 | |  4 |   0 |
| cy      |          8 |       1 | half a day: a tenth of 9 | 8.1 | 2 |
| di      |          8 |       2 | a day and a half, extended by two | 10 | 2 |

And its worst week, in which bo's appeal is still to come:

| hw1                                    | ada | bo | cy  | di |
|----------------------------------------|----:|---:|----:|---:|
| as graded                              |  10 |  1 | 8.1 | 10 |
| a slip day for everybody               |  10 |  1 |   9 | 10 |
| `standardise` dropped: 8 for all       |  10 |  9 |   9 | 10 |
| `standardise` counts half              |   6 |  1 |   5 |  6 |
| 3 points more for it, of 8 at most     |  10 |  4 |   9 | 10 |
| bo handed in what is right, from a fork |  10 |  9 |   9 | 10 |
"""

import csv
import json
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
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


AS_GRADED = {"ada": "10", "bo": "1", "cy": "8.1", "di": "10"}
WITH_SLIP_DAY = AS_GRADED | {"cy": "9"}
WHY = ("--reason", "It has two readings")


def hw1(course: Course, *section: str) -> dict[str, str]:
    """Return what a table says of the first assignment, by student."""
    autograder(course, "export", "--to", "csv", HW1, *section)
    path = max(course.exports.glob("grades*.csv"), key=lambda path: path.stat().st_mtime_ns)
    with path.open(newline="") as file:
        return {row["student_id"]: row[HW1] for row in csv.DictReader(file)}


def by_git(folder: Path, raw: bytes) -> Path:
    """A clone of bo's fork, in the folder that GitHub Classroom names after its owner."""
    path = folder / "hw1-submissions" / "hw1-bo" / "assignments" / HW1 / f"{HW1}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes(raw)
    return folder / "hw1-submissions"


def killed_while_grading(course: Course) -> None:
    """Grade everything anew in a process that is killed after its first submission."""
    command = [sys.executable, "-m", "autograder", "grade", "--force", "--json-lines"]
    with subprocess.Popen(
        command, cwd=course.root, env=commands.environment(), stdout=subprocess.PIPE
    ) as run:
        assert run.stdout is not None
        assert any(b'"graded"' in line for line in run.stdout)
        run.kill()


@pytest.mark.exhaustive  # it plays a term twice over
def test_its_worst_week(course: Course, tmp_path: Path) -> None:
    (course.root / "canvas.csv").write_text(canvas_gradebook().replace(",di,A,", ",di,B,"))
    autograder(course, "roster", "import", "canvas.csv")
    collect_everything(course, tmp_path)
    autograder(course, "grade", "--jobs", "1")
    for student, points in WRITTEN.items():
        give(course, HW1, ESSAY, student, points)
    assert hw1(course) == AS_GRADED

    toml = course.root / "course.toml"
    toml.write_text("slip_days = 1\n" + toml.read_text())
    course = Course.load(course.root)
    assert hw1(course) == WITH_SLIP_DAY
    assert hw1(course, "--section", "B") == {"di": "10"}

    autograder(course, "drop", HW1, "standardise", *WHY)
    assert hw1(course) == WITH_SLIP_DAY | {"bo": "9"}
    autograder(course, "restore", "1")
    autograder(course, "reweigh", HW1, "standardise", "0.5", *WHY)
    assert hw1(course) == {"ada": "6", "bo": "1", "cy": "5", "di": "6"}
    autograder(course, "restore", "2")
    autograder(course, "add", HW1, "standardise", "3", *WHY)
    assert hw1(course) == WITH_SLIP_DAY | {"bo": "4"}
    autograder(course, "restore", "3")

    again = [replace(s, raw=b"%PDF-1.7", file="hw1.pdf") for s in work(course, HW1)]
    (tmp_path / "pdf").mkdir()
    autograder(course, "collect", str(sources.gradescope(tmp_path / "pdf", again)), status=1)
    assert (course.root / "unassigned.csv").read_text().count(
        "a page: ask for the .ipynb file"
    ) == 4
    newest = {name: course.submission_path(name, HW1).read_bytes() for name in LATE_BY}
    exchanged = zip(work(course, HW1), reversed(work(course, HW1)), strict=True)
    earlier = [replace(s, raw=t.raw, time=s.time - timedelta(days=3)) for s, t in exchanged]
    (tmp_path / "earlier").mkdir()
    autograder(course, "collect", str(sources.gradescope(tmp_path / "earlier", earlier)))
    assert newest == {name: course.submission_path(name, HW1).read_bytes() for name in LATE_BY}

    answers = solution.sources(course, HW1) | {ESSAY: "Because, says bo."}
    raw = json.dumps(filled(course.release_path(HW1), answers)).encode()
    autograder(course, "collect", str(by_git(tmp_path, raw)))
    killed_while_grading(course)
    said = autograder(course, "grade", "--jobs", "1")
    assert "handed in again" in said
    assert hw1(course) == WITH_SLIP_DAY | {"bo": "9"}

    autograder(course, "withhold", HW1, "--student", "ada", "--reason", "A case is pending")
    assert hw1(course) == WITH_SLIP_DAY | {"ada": "", "bo": "9"}
    autograder(course, "feedback")
    page = course.feedback / "ada" / HW1 / f"{HW1}.html"
    assert "The marks here are withheld for now" in page.read_text()
    told = re.sub(r"<style.*?</style>|<[^>]*>", "", page.read_text(), flags=re.DOTALL)
    assert not re.search(r"\b(8|10) ", told)
    autograder(course, "restore", "4")

    autograder(course, "archive", str(tmp_path / "term.zip"))
    commands.autograder(tmp_path, "open", str(tmp_path / "term.zip"), str(tmp_path / "years later"))
    assert hw1(Course.load(tmp_path / "years later")) == WITH_SLIP_DAY | {"bo": "9"}
