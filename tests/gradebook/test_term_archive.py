"""A frozen term is read years later as it was, and no archive writes where it shouldn't."""

import hashlib
import json
import os
import sqlite3
import stat
import zipfile
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.errors import CourseError
from autograder.gradebook.marks import marks_to_export, read_marks
from autograder.gradebook.term_archive import MANIFEST, Manifest, open_archive, write_archive
from autograder.statistics.class_report import write_class_report
from tests.toy_class import ToyClass
from tests.toys import TOYS

MADE = datetime(2030, 1, 1, tzinfo=UTC)


@pytest.fixture
def course(recorded: Course, tmp_path: Path) -> Course:
    """A graded class, to change."""
    return ToyClass.like(recorded, tmp_path).course


def frozen(course: Course, folder: Path) -> tuple[Path, list[str]]:
    said: list[str] = []
    write_archive(course, folder / "term.zip", said.append)
    return folder / "term.zip", said


def opened(file: Path, folder: Path) -> Course:
    open_archive(file, folder)
    return Course.load(folder)


@pytest.mark.slow
def test_marks_and_reports_of_an_opened_term_are_those_that_were_frozen(
    course: Course, tmp_path: Path
) -> None:
    file, said = frozen(course, tmp_path)
    before = marks_to_export(course, TOYS), (course.reports / TOYS / "ada.json").read_bytes()
    course.root.rename(tmp_path / "gone")
    again = opened(file, tmp_path / "again")
    assert said == []
    assert marks_to_export(again, TOYS) == before[0]
    assert not any(marks.outdated for marks in before[0].values())
    assert (again.reports / TOYS / "ada.json").read_bytes() == before[1]
    assert again.seed == 0
    assert write_class_report(again, TOYS)
    assert again.feedback_path("ada", TOYS).is_file()


def test_it_says_what_it_holds_and_only_its_owner_reads_it(course: Course, tmp_path: Path) -> None:
    file, _ = frozen(course, tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with zipfile.ZipFile(file) as archive:
        said = Manifest.model_validate_json(archive.read(MANIFEST))
        names = set(archive.namelist()) - {MANIFEST}
        sums = {name: hashlib.sha256(archive.read(name)).hexdigest() for name in names}
    assert "personal data, and the seed" in said.holds
    assert (said.students, said.assignments) == (5, (TOYS,))
    assert {"Python", "autograder", "nbgrader"} <= said.versions.keys()
    assert said.files == sums
    assert {"course.toml", "seed.txt", "gradebook.db", f"reports/{TOYS}/ada.json"} <= names


def test_a_gradebook_is_frozen_with_what_its_log_holds(course: Course, tmp_path: Path) -> None:
    """The file alone would miss what SQLite hasn't moved there yet, as while a desk is open."""
    with closing(sqlite3.connect(course.root / "gradebook.db")) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("PRAGMA wal_autocheckpoint=0")
        writer.execute("UPDATE grade SET manual_score = 1.25")
        writer.commit()
        file, _ = frozen(course, tmp_path)
    again = opened(file, tmp_path / "again")
    assert {mark.manual for marks in read_marks(again, [TOYS]) for mark in marks.each} == {1.25}
    assert not (tmp_path / "again" / "gradebook.db-wal").exists()


def test_links_and_pipes_are_left_out_and_told(course: Course, tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "file").write_text("private")
    (course.submitted / "ada" / "folder").symlink_to(tmp_path / "private")
    (course.submitted / "ada" / "link.txt").symlink_to(tmp_path / "private" / "file")
    os.mkfifo(course.submitted / "ada" / "pipe")
    file, said = frozen(course, tmp_path)
    assert sorted(said) == [
        "submitted/ada/folder was left out: it is a link, or no ordinary file.",
        "submitted/ada/link.txt was left out: it is a link, or no ordinary file.",
        "submitted/ada/pipe was left out: it is a link, or no ordinary file.",
    ]
    assert b"private" not in file.read_bytes()


def test_nothing_that_is_there_is_overwritten(course: Course, tmp_path: Path) -> None:
    file, _ = frozen(course, tmp_path)
    before = file.read_bytes()
    with pytest.raises(CourseError, match="is there already: name a file"):
        frozen(course, tmp_path)
    for folder in (tmp_path, course.root):
        with pytest.raises(CourseError, match="is there already: name a new folder"):
            open_archive(file, folder)
    assert file.read_bytes() == before


def test_a_gradebook_on_a_server_or_elsewhere_is_refused_in_a_sentence(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = course.root / "course.toml"
    text = path.read_text()
    for database, said in (
        ("postgresql://u@h/n", "is on a server"),
        (f"sqlite:///{tmp_path}/other.db", "isn't the one in the course's folder"),
    ):
        path.write_text(f'{text}\ndatabase = "{database}"\n')
        with pytest.raises(CourseError, match=said):
            frozen(Course.load(course.root), tmp_path)
    path.write_text(text)
    monkeypatch.setenv("AUTOGRADER_SEED", "5")
    with pytest.raises(CourseError, match="AUTOGRADER_SEED overrides the seed"):
        frozen(Course.load(course.root), tmp_path)
    assert not (tmp_path / "term.zip").exists()


def crafted(path: Path, files: Mapping[str, bytes], mode: int = stat.S_IFREG) -> Path:
    """An archive with a list of its files, as ours has."""
    sums = {name: hashlib.sha256(raw).hexdigest() for name, raw in files.items()}
    said = Manifest(course="c", made=MADE, assignments=(), students=0, versions={}, files=sums)
    with zipfile.ZipFile(path, "w") as archive:
        for name, raw in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (mode | 0o644) << 16
            archive.writestr(entry, raw)
        archive.writestr(MANIFEST, said.model_dump_json())
    return path


@pytest.mark.parametrize(
    "make",
    [
        lambda path: crafted(path, {"../evil": b"x"}),
        lambda path: crafted(path, {"a/../../evil": b"x"}),
        lambda path: crafted(path, {f"{path.parent}/evil": b"x"}),
        lambda path: crafted(path, {"evil": b"/etc/passwd"}, stat.S_IFLNK),
        lambda path: path.write_bytes(b"no zip file"),
        lambda path: zipfile.ZipFile(path, "w").close(),
    ],
    ids=["above", "above, hidden", "absolute", "link", "no zip", "empty"],
)
def test_what_leads_out_or_is_no_archive_writes_nothing(
    tmp_path: Path, make: Callable[[Path], object]
) -> None:
    path = tmp_path / "term.zip"
    make(path)
    with pytest.raises(CourseError, match="can't be opened"):
        open_archive(path, tmp_path / "again")
    assert [each.name for each in tmp_path.iterdir()] == ["term.zip"]


@pytest.mark.parametrize("change", ["content", "added", "other format"])
def test_an_archive_that_was_changed_is_refused_whole(
    course: Course, tmp_path: Path, change: str
) -> None:
    file, _ = frozen(course, tmp_path)
    with zipfile.ZipFile(file) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    if change == "content":
        files["course.toml"] += b"\n# changed"
    elif change == "added":
        files["solutions/more.py"] = b""
    else:
        said = json.loads(files[MANIFEST])
        files[MANIFEST] = json.dumps(said | {"format": "autograder/archive/v9"}).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for name, raw in files.items():
            archive.writestr(name, raw)
    with pytest.raises(CourseError, match=r"can.t be opened|newer autograder"):
        open_archive(file, tmp_path / "again")
    assert not (tmp_path / "again").exists()
