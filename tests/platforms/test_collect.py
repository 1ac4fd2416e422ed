"""The same thirty students come through each source: all are accounted for, none is guessed."""

import csv
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from autograder.course import Course, roster
from autograder.course.roster import Person
from autograder.platforms.collecting import assigning
from autograder.platforms.collecting.assigning import UnassignedRow
from autograder.platforms.collecting.collect import collect_archive
from autograder.platforms.exporting import export_points, pack_feedback
from autograder.platforms.points import Choices
from tests.platforms import sources
from tests.platforms.sources import (
    ODD,
    STRANGER,
    Student,
    answered,
    notebooks,
    write_roster,
)
from tests.toys import TOYS

Make = Callable[[Path, Sequence[Student]], Path]
# A source, its platform's name, and whether it says when things were handed in, or who was late.
KINDS: dict[str, tuple[Make, str, bool, bool]] = {
    "canvas": (sources.canvas, "Canvas", False, True),
    "moodle": (sources.moodle, "Moodle", False, False),
    "moodle, flat": (sources.moodle_flat, "Moodle", False, False),
    "gradescope": (sources.gradescope, "Gradescope", True, True),
    "classroom50": (sources.classroom50, "Classroom50", True, True),
    "folder": (sources.plain_folder, "Folder", True, True),
    "zip": (sources.plain_zip, "Folder", False, False),
}
UNKNOWN = Person("x1")  # how the instructor knows the one that no platform's id fits
each_kind = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture
def students(course: Course) -> list[Student]:
    """The class; all but one are in the roster."""
    students = sources.the_class()
    write_roster(course, students)
    return students


def times(course: Course) -> dict[str, datetime]:
    paths = course.submitted.glob(f"*/{TOYS}/timestamp.txt")
    return {p.parent.parent.name: datetime.fromisoformat(p.read_text().strip()) for p in paths}


def rows(course: Course) -> list[UnassignedRow]:
    return assigning.read_unassigned(course)


def complete(course: Course, answer: Callable[[UnassignedRow], tuple[str, str]]) -> None:
    """Fill in the student_id and the assignment of every open line, as a spreadsheet saves it."""
    done = rows(course)
    with (course.root / assigning.UNASSIGNED).open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, assigning.COLUMNS, delimiter=";")
        writer.writeheader()
        for row in done:
            student, assignment = answer(row) if row.is_open else (row.student_id, row.assignment)
            writer.writerow(asdict(row) | {"student_id": student, "assignment": assignment})


@pytest.mark.slow
@each_kind
def test_thirty_of_thirty_are_accounted_for(
    course: Course, students: list[Student], tmp_path: Path, kind: str
) -> None:
    make, title, has_times, has_flags = KINDS[kind]
    early = tmp_path / "early"
    early.mkdir()
    first = replace(students[4], raw=answered(99), time=students[4].time - timedelta(days=1))
    collect_archive(course, make(early, [first]))
    found = collect_archive(course, make(tmp_path, students))
    assert found.plan.platform == title
    late = 3 if has_flags else 0
    assert found.summary() == (
        f"30 found · 28 placed · 2 to assign · {late} late · 1 replaced an earlier one"
    )
    right = {s.person.student_id: s for n, s in enumerate(students) if n not in (ODD, STRANGER)}
    assert notebooks(course) == {student: s.raw for student, s in right.items()}
    said = {student: s.time for student, s in right.items()} if has_times else {}
    assert times(course) == said


# The list is the same whatever was collected: other kinds wait for `make exhaustive`.
@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    [
        kind if kind in ("canvas", "folder") else pytest.param(kind, marks=pytest.mark.exhaustive)
        for kind in KINDS
    ],
)
def test_a_completed_list_places_the_rest(
    course: Course, students: list[Student], tmp_path: Path, kind: str
) -> None:
    source = KINDS[kind][0](tmp_path, students)
    collect_archive(course, source)
    assert {row.student_id for row in rows(course)} == {"", f"s{ODD}"}
    stranger = students[STRANGER].person
    roster.write_roster(course.root / roster.FILE, [*(s.person for s in students[:-1]), UNKNOWN])
    complete(course, lambda row: (row.student_id or UNKNOWN.student_id, TOYS))
    found = collect_archive(course, source)
    assert (len(found.placed), found.plan.to_assign) == (30, 0)
    right = {s.person.student_id: s.raw for s in students}
    right[UNKNOWN.student_id] = right.pop(stranger.student_id)
    assert notebooks(course) == right
    assert collect_archive(course, source).plan.to_assign == 0  # the completed lines stay


def test_an_id_with_a_blank_is_collected_exported_and_returned_like_any_other(
    course: Course, tmp_path: Path
) -> None:
    lovelace = Person("ada lovelace", "Lovelace, Ada", canvas_id="7")
    roster.write_roster(course.root / roster.FILE, [lovelace])
    files = {"lovelaceada_7_1_hw.ipynb": sources.ADA}
    collect_archive(course, sources.zipped(tmp_path / "c.zip", files))
    assert notebooks(course) == {"ada lovelace": sources.ADA}
    path, _ = export_points(course, "csv", [], Choices(), tmp_path / "grades.csv")
    assert 'ada lovelace,"Lovelace, Ada",,' in path.read_text()
    page = course.feedback_path("ada lovelace", TOYS)
    page.parent.mkdir(parents=True)
    page.write_text("Well done.")
    assert pack_feedback(course, "canvas", TOYS, tmp_path / "feedback.zip").students == 1


@pytest.mark.slow
@each_kind
def test_without_a_roster_nobody_is_lost_and_nobody_is_halved(
    course: Course, tmp_path: Path, kind: str
) -> None:
    students = sources.the_class()[: ODD - 4]  # all that have odd names, files or times
    found = collect_archive(course, KINDS[kind][0](tmp_path, students))
    columns = {
        "canvas": "canvas_id",
        "gradescope": "gradescope_sid",
        "classroom50": "github",
        "folder": "student_id",
        "zip": "email",
    }
    column = columns.get(kind, "moodle_id")
    own = {getattr(student.person, column): student.raw for student in students}
    assert found.plan.to_assign == 0
    assert notebooks(course) == own
