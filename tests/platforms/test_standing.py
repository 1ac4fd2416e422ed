"""What was there before, times, and texts of others: nothing good is lost or believed."""

import tarfile
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.course.roster import Person
from autograder.errors import CourseError, SubmissionError
from autograder.platforms.collecting.collect import collect_archive
from tests.platforms.sources import (
    ADA,
    BO,
    DUE,
    EXPORT,
    SETTINGS,
    Inbox,
    answered,
    laid,
    notebooks,
    zipped,
)
from tests.toys import with_settings

# What was there before


def times(course: Course) -> list[datetime]:
    found = course.submitted.glob("*/*/timestamp.txt")
    return [datetime.fromisoformat(path.read_text().strip()) for path in found]


def exported(raw: bytes, time: datetime) -> dict[str, bytes]:
    said = EXPORT.split("submission_2")[0].replace("2026-10-05 12:00:00.5 Z", time.isoformat())
    return {"submission_metadata.yml": said.encode(), "submission_1/hw.ipynb": raw}


def test_an_earlier_submission_replaces_no_later_one(inbox: Inbox) -> None:
    inbox.hand(exported(ADA, DUE))
    found = inbox.hand(exported(BO, DUE - timedelta(days=1)))
    assert inbox.notebooks == {"007": ADA, "008": ADA}
    assert times(inbox.course) == [DUE, DUE]
    assert "the one that was there, of" in found.notes[0]


def test_a_time_stays_with_its_notebook_and_goes_with_it(inbox: Inbox) -> None:
    inbox.hand(exported(ADA, DUE + timedelta(hours=1)))
    same = inbox.hand({"x_007_1_hw.ipynb": ADA, "y_008_2_hw.ipynb": BO})  # Canvas knows no times
    assert times(inbox.course) == [DUE + timedelta(hours=1)]
    assert [each.is_late for each in same.placed] == [True, False]


def test_an_extension_is_in_time(course: Course, tmp_path: Path) -> None:
    later = (DUE + timedelta(days=2)).isoformat()
    course = with_settings(course.root, f"{SETTINGS}extensions = {{ '008' = {later} }}")
    files = exported(ADA, DUE + timedelta(hours=1))
    found = collect_archive(course, zipped(tmp_path / "c.zip", files))
    assert {each.student: each.is_late for each in found.placed} == {"007": True, "008": False}


# Other


def test_a_source_that_fails_halfway_changes_nothing(course: Course, tmp_path: Path) -> None:
    files = {f"s_{n}_1_hw.ipynb": answered(n) for n in range(20)}
    source = tmp_path / "c.tar.gz"
    with tarfile.open(source, "w:gz") as opened:
        opened.add(laid(tmp_path / "class", files), "class")
    raw = source.read_bytes()
    source.write_bytes(raw[: len(raw) // 2])
    before = sorted(course.root.rglob("*"))
    with pytest.raises(SubmissionError, match=r"^c\.tar\.gz"):
        collect_archive(course, source)
    kept = [p for p in course.root.rglob("*") if course.work not in (p, p.parent)]
    assert sorted(p for p in kept if p != course.submitted) == before


def test_a_damaged_entry_is_told_and_the_others_are_placed(course: Course, tmp_path: Path) -> None:
    source = zipped(tmp_path / "c.zip", {f"{s}/hw.ipynb": answered(1) for s in ("ada", "bo", "cy")})
    raw = bytearray(source.read_bytes())
    start = raw.find(b"bo/hw.ipynb") + 60
    raw[start : start + 4] = bytes(4)
    source.write_bytes(raw)
    found = collect_archive(course, source)
    assert set(notebooks(course)) == {"ada", "cy"}
    assert (found.plan.to_assign, Inbox(course).asked) == (
        1,
        [("bo/hw.ipynb", "The file is damaged in the archive: download the archive again.")],
    )


def test_an_entry_without_a_name_of_its_own_keeps_nobody_from_being_collected(inbox: Inbox) -> None:
    inbox.hand({"ada/hw.ipynb": ADA, "bo/hw.ipynb": BO, "..": BO})
    assert inbox.notebooks == {"ada": ADA, "bo": BO}


def test_names_are_shown_without_control_characters(inbox: Inbox) -> None:
    inbox.hand({"\x1b[31mAda_4_assignsubmission_file_/\u202ehw.txt": b"", "a.csv": b""})
    text = inbox.unassigned.read_text("utf-8")
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_no_cell_of_the_list_is_a_formula_and_it_is_recognised_nonetheless(inbox: Inbox) -> None:
    inbox.lists(Person("ada", "Ada"))
    files = {"=HYPERLINK(1)_4_assignsubmission_file_/hw.ipynb": ADA}
    inbox.hand(files)
    line = inbox.unassigned.read_text("utf-8").splitlines()[1]
    assert not any(cell.startswith(("=", "+", "@")) for cell in line.split(","))
    inbox.answer("'=HYPERLINK", "ada")
    inbox.hand(files)
    assert inbox.notebooks == {"ada": ADA}


def test_an_unknown_platform_is_told_which_there_are(inbox: Inbox) -> None:
    with pytest.raises(CourseError, match="choose from gradescope, moodle, canvas"):
        inbox.hand({"a.ipynb": ADA}, "blackboard")


# Ids with blanks
