"""Feedback pages are packed under the names by which a platform finds their students again."""

import json
import zipfile
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.course.roster import Person
from autograder.platforms.canvas import feedback_names, user_id_in
from autograder.platforms.exporting import Returned, pack_feedback
from autograder.platforms.moodle import participant_id_in
from tests.toys import TOYS, course_of

CANVAS, MOODLE = "canvas", "moodle"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return course_of(tmp_path / "course")


def hand_in(
    course: Course, student: str, entry: str, target: str, *pages: str, text: str = ""
) -> None:
    """Let a student have handed in what the platform calls `entry`, and have these pages."""
    submitted = course.submission_path(student, TOYS)
    submitted.parent.mkdir(parents=True)
    source = {"platform": target, "entry": entry, "submitted_at": "2026-10-05T12:00:00Z"}
    submitted.with_name("source.json").write_text(text or json.dumps(source))
    for page in pages:
        path = course.feedback / student / TOYS / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{student}'s {page}")


def packed(course: Course, target: str) -> tuple[dict[str, str], Returned]:
    path = course.exports / "feedback.zip"
    done = pack_feedback(course, target, TOYS, path)
    if not path.exists():
        return {}, done
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}, done


def test_canvas_gets_the_names_that_it_gave_out(course: Course) -> None:
    hand_in(course, "ada", "lovelaceada_101_9001_toys.ipynb", CANVAS, "toys.html")
    hand_in(course, "sean", "all/obriensen_LATE_102_9002_toys_2-1.ipynb", CANVAS, "toys.html")
    files, done = packed(course, CANVAS)
    assert files == {
        "lovelaceada_101_9001_toys.html": "ada's toys.html",
        "obriensen_LATE_102_9002_toys_2-1.html": "sean's toys.html",
    }
    assert (done.students, done.left_out, done.notes) == (2, 0, ())


def test_moodle_gets_the_folders_that_it_gave_out_or_flat_files(course: Course) -> None:
    folder = "Ada Lovelace_501_assignsubmission_file_"
    hand_in(course, "ada", f"{folder}/sub/toys.ipynb", MOODLE, "toys.html")
    flat = "Seán O'Brien_502_assignsubmission_file_"
    hand_in(course, "sean", f"{flat}my_toys.ipynb", MOODLE, "toys.html")
    blind = "Participant_7_503_assignsubmission_file_"
    hand_in(course, "blind", f"{blind}/toys.ipynb", MOODLE, "toys.html")
    newer = "林 梅_504_assignsubmission_file"
    hand_in(course, "mei", f"{newer}/toys.ipynb", MOODLE, "toys.html", "more.html")
    files, _ = packed(course, MOODLE)
    assert files == {
        f"{folder}/toys.html": "ada's toys.html",
        f"{flat}toys.html": "sean's toys.html",
        f"{blind}/toys.html": "blind's toys.html",
        f"{newer}/toys.html": "mei's toys.html",
        f"{newer}/more.html": "mei's more.html",
    }


def test_several_pages_keep_their_student(course: Course) -> None:
    hand_in(course, "ada", "lovelaceada_101_9001_toys.ipynb", CANVAS, "a.html", "b.html")
    files, _ = packed(course, CANVAS)
    assert set(files) == {"lovelaceada_101_9001_toys-a.html", "lovelaceada_101_9001_toys-b.html"}
    assert {user_id_in(name) for name in files} == {"101"}


def test_who_cannot_be_returned_to_is_said(course: Course) -> None:
    hand_in(course, "ada", "lovelaceada_101_9001_toys.ipynb", CANVAS, "toys.html")
    hand_in(course, "bo", "bo_110_9010_toys.ipynb", CANVAS)
    hand_in(course, "folder", "toys.ipynb", CANVAS, "toys.html")
    hand_in(course, "moodle", "M_5_6_assignsubmission_file_/toys.ipynb", MOODLE, "toys.html")
    hand_in(course, "broken", "", CANVAS, "toys.html", text="{")
    files, done = packed(course, CANVAS)
    assert set(files) == {"lovelaceada_101_9001_toys.html"}
    assert (done.students, done.left_out) == (1, 4)
    assert done.notes[0] == "toys: no feedback yet, run `make feedback`: bo."
    assert "Canvas's name for what they handed in isn't known" in done.notes[1]
    assert done.notes[1].endswith("again: broken, folder, moodle.")


def test_two_students_never_share_a_name(course: Course) -> None:
    for student in ("ada", "eve"):
        hand_in(course, student, "lovelaceada_101_9001_toys.ipynb", CANVAS, "toys.html")
    files, done = packed(course, CANVAS)
    assert (files, done.left_out, done.students) == ({}, 2, 0)


def test_the_roster_tells_moodles_folder_where_nothing_else_does(course: Course) -> None:
    (course.root / "roster.csv").write_text("student_id,name,moodle_id\nada,A_d/a,501\nbo,,502\n")
    for student in ("ada", "bo"):
        hand_in(course, student, "toys.ipynb", CANVAS, "toys.html")
    files, done = packed(course, MOODLE)
    assert files == {"A d a_501_assignsubmission_file_/toys.html": "ada's toys.html"}
    assert done.left_out == 1


@pytest.mark.parametrize(
    "entry",
    ["../../etc/x_1_2_toys.ipynb", "/x_1_2_toys.ipynb", "a\\..\\x_1_2_toys.ipynb"],
)
def test_no_name_leads_out_of_the_zip(course: Course, entry: str) -> None:
    hand_in(course, "ada", entry, CANVAS, "toys.html")
    moodle = entry.replace("1_2_toys", "1_assignsubmission_file_")
    hand_in(course, "bo", moodle, MOODLE, "toys.html")
    assert set(packed(course, CANVAS)[0]) == {"x_1_2_toys.html"}
    assert all(".." not in name and name[0] != "/" for name in packed(course, MOODLE)[0])


@pytest.mark.parametrize("entry", ["", "toys.ipynb", "ada_101_toys.ipynb", "ada_¹_²_toys.ipynb"])
def test_a_name_without_canvass_two_ids_is_none_of_canvass(entry: str) -> None:
    assert user_id_in(entry) == ""
    assert feedback_names(entry, Person("ada"), ["toys.html"]) == []


@pytest.mark.parametrize("entry", ["", "toys.ipynb", "Ada_x_assignsubmission_file_/toys.ipynb"])
def test_a_path_without_moodles_number_is_none_of_moodles(entry: str) -> None:
    assert participant_id_in(entry) == ""


@pytest.mark.parametrize(
    "entry",
    ["eve_101_9001_105_9100_toys.ipynb", "eve_101_102_103_toys.ipynb", "eve_5_x_105_9100_t.ipynb"],
)
def test_a_name_that_canvas_could_take_for_anothers_is_not_returned(entry: str) -> None:
    assert user_id_in(entry) == ""
    assert feedback_names(entry, Person("ada"), ["toys.html"]) == []


def test_a_path_that_moodle_could_take_for_anothers_is_not_returned() -> None:
    entry = "Eve_501_assignsubmission_file_x_502_assignsubmission_file_toys.ipynb"
    assert participant_id_in(entry) == ""


def test_where_students_are_anonymous_canvas_gets_its_own_names_too(course: Course) -> None:
    hand_in(course, "x", "anon_k3Fq1_LATE_9001_toys.ipynb", CANVAS, "toys.html")
    assert set(packed(course, CANVAS)[0]) == {"anon_k3Fq1_LATE_9001_toys.html"}
    assert user_id_in("anon_12345_9001_toys.ipynb") == ""
