"""A course that version 1.0.0 made opens in this one; what a newer version made is left alone.

`course-1.0.0.zip` was made by that version's own commands: two students, feedback, and 1.5 points
with a comment that a grader gave at the desk.
"""

import json
import re
import resource
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.gradebook.marks import read_marks
from autograder.gradebook.tables import VERSION
from tests.commands import autograder

HW1 = "hw1_statistics"
MADE_BY_1_0_0 = Path(__file__).with_name("course-1.0.0.zip")
COMMANDS = (
    *(("grade",), ("feedback",), ("late",), ("decisions",), ("export", "--to", "csv")),
    *(("migrate",), ("migrate", "--dry-run"), ("desk", "--port", "0")),
)


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Course]:
    with zipfile.ZipFile(MADE_BY_1_0_0) as archive:
        archive.extractall(tmp_path / "old")
    yield Course.load(tmp_path / "old")


def contents(course: Course) -> dict[Path, bytes]:
    """All that matters: what lies in `.course` may be deleted by anybody."""
    found = (path for path in course.root.rglob("*") if path.is_file())
    return {path: path.read_bytes() for path in found if path.parent != course.work}


def points(course: Course) -> dict[str, dict[str, tuple[float | None, str]]]:
    return {
        marks.student: {mark.name: (mark.score, mark.comment) for mark in marks.each}
        for marks in read_marks(course, [HW1])
    }


POINTS = {
    "ada": {"standardise": (8, ""), "why_standardise": (1.5, "Well said, Ada.")},
    "bo": {"standardise": (3, ""), "why_standardise": (None, "")},
}


def test_migrate_says_what_it_would_do_and_does_it_once(old: Course) -> None:
    before = contents(old)
    trial = autograder(old.root, "migrate", "--dry-run")
    assert trial.stdout.startswith(f"Would change: the gradebook's tables, to version {VERSION}: ")
    assert "autograder_decisions" in trial.stdout
    assert contents(old) == before
    done = autograder(old.root, "migrate")
    assert done.stdout == trial.stdout.replace("Would change", "Changed")
    assert autograder(old.root, "migrate").stdout == "Nothing to change.\n"
    assert points(old) == POINTS


def test_migrate_keeps_the_gradebook_as_it_was_beside_it_and_a_copy_brings_it_back(
    old: Course,
) -> None:
    book = old.root / "gradebook.db"
    with closing(sqlite3.connect(book)) as before:
        rows = [*before.iterdump()]
    done = autograder(old.root, "migrate")
    (copy,) = (path for path in old.root.glob("gradebook.db-v*"))
    assert re.fullmatch(rf"gradebook\.db-v0-{datetime.now(UTC):%Y}-\d\d-\d\dT\d{{6}}Z", copy.name)
    assert f"note: The gradebook as it was is kept in {copy.name}, beside it." in done.stderr
    assert copy in Course.load(old.root).secrets()
    with closing(sqlite3.connect(copy)) as kept:
        assert [*kept.iterdump()] == rows
    autograder(old.root, "migrate")
    assert len([*old.root.glob("gradebook.db-v*")]) == 1
    copy.replace(book)
    assert "to version" in autograder(old.root, "migrate", "--dry-run").stdout
    assert points(old) == POINTS


def test_a_copy_that_knows_a_student_who_is_forgotten_is_named_however_short_the_id(
    old: Course,
) -> None:
    autograder(old.root, "migrate")
    (copy,) = old.root.glob("gradebook.db-v*")
    with closing(sqlite3.connect(old.root / "gradebook.db")) as book:
        book.execute("INSERT INTO student (id) VALUES ('cy')")  # who came later
        book.commit()
    before = contents(old)
    found = {name: autograder(old.root, "person", "forget", name, "--yes") for name in ("bo", "cy")}
    assert {name: done.returncode for name, done in found.items()} == {"bo": 1, "cy": 0}
    assert f"{copy.name} still names bo: edit or delete it by hand." in found["bo"].stderr
    assert copy.read_bytes() == before[copy]
    assert contents(old).keys() <= before.keys()  # nothing is made beside it


def test_a_gradebook_that_cannot_be_copied_is_not_changed(old: Course) -> None:
    """A limit on what a file may hold stands for a full disk."""
    before = contents(old)
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 14, limit[1]))
    try:
        done = autograder(old.root, "migrate")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert done.returncode == 1
    assert re.match(r"autograder: The gradebook can't be used \(.*\)\. .*make room", done.stderr)
    assert before.items() <= contents(old).items()
    assert not [*old.root.glob("gradebook.db-v*")]


@pytest.mark.slow
def test_a_course_of_1_0_0_goes_on_as_it_is_and_keeps_what_people_gave(old: Course) -> None:
    done = autograder(old.root, "grade", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert points(old) == POINTS
    assert autograder(old.root, "drop", HW1, "standardise", "--reason", "Wrong.").returncode == 0
    assert points(old)["bo"]["standardise"] == (8, "")


def test_a_gradebook_of_a_newer_version_is_refused_before_anything_is_written(
    old: Course,
) -> None:
    autograder(old.root, "migrate")
    with closing(sqlite3.connect(old.root / "gradebook.db")) as book:
        book.execute("UPDATE autograder_schema SET version = 99")
        book.commit()
    before = contents(old)
    for command in COMMANDS:
        done = autograder(old.root, *command)
        assert done.returncode == 1, command
        (line,) = done.stderr.splitlines()
        assert line.startswith("autograder: The gradebook was written by a newer autograder (its")
    assert contents(old) == before


def test_a_report_of_a_newer_version_is_refused_and_not_made_again(old: Course) -> None:
    path = old.report_path("bo", HW1)
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | {"schema": "autograder/report/v2", "new": 1}))
    before = contents(old)
    for command in (("grade", "--jobs", "1"), ("report",), ("migrate",)):
        done = autograder(old.root, *command)
        assert done.returncode == 1, command
        assert "bo.json was written by a newer autograder (autograder/report/v2" in done.stderr
    assert contents(old) == before


def test_an_archive_of_a_newer_version_is_refused_in_a_sentence(
    old: Course, tmp_path: Path
) -> None:
    file = tmp_path / "term.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("archive.json", json.dumps({"format": "autograder/archive/v2"}))
    done = autograder(old.root, "open", str(file), str(tmp_path / "opened"))
    assert done.returncode == 1
    assert "term.zip was written by a newer autograder (autograder/archive/v2" in done.stderr
    assert not (tmp_path / "opened").exists()
