"""An archive of what a class handed in is unpacked, and can do nothing else."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.errors import SubmissionError
from autograder.intake.notebook import MAX_BYTES
from autograder.platforms.incoming.archive import collect, owner_of
from tests.toys import course_of

HW1, HW2 = ASSIGNMENTS = ["hw1_attention", "hw2_encoder"]
Pack = Callable[[Path, Mapping[str, bytes]], Path]


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A course of toys that were released."""
    course = course_of(tmp_path / "course")
    path = course.release_path("toys")
    path.parent.mkdir()
    path.write_text("{}")
    return course


def zipped(folder: Path, files: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(folder / "class.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return folder / "class.zip"


def tarred(folder: Path, files: Mapping[str, bytes]) -> Path:
    with tarfile.open(folder / "class.tar.gz", "w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return folder / "class.tar.gz"


def unpacked(course: Course) -> dict[str, bytes]:
    """Every file in and around the course's submissions."""
    return {
        str(path.relative_to(course.submitted)): path.read_bytes()
        for path in course.submitted.rglob("*")
        if path.is_file()
    }


either = pytest.mark.parametrize("pack", [zipped, tarred])


@pytest.mark.parametrize(
    ("name", "owner"),
    [
        ("ada/hw1_attention/hw1_attention.ipynb", ("ada", HW1)),
        ("submitted/ada/hw1_attention/hw1_attention.ipynb", ("ada", HW1)),
        ("Ada Lovelace_12_assignsubmission_file_/hw2_encoder.ipynb", ("Ada-Lovelace", HW2)),
        ("lovelaceada_LATE_12_34_hw1_attention-2.ipynb", ("lovelaceada", HW1)),
        ("日本_1_hw1_attention.ipynb", ("日本", HW1)),
        ("ada\\hw1_attention.ipynb", ("ada", HW1)),
        ("hw1_attention.ipynb", None),
        ("ada/notes.ipynb", None),
        ("../hw1_attention.ipynb", None),
        ("../../_hw1_attention.ipynb", None),
        ("-rf/hw1_attention.ipynb", None),
        ("ada/hw1_attention and hw2_encoder.ipynb", None),
    ],
)
def test_a_path_names_a_student_and_an_assignment(name: str, owner: tuple[str, str] | None) -> None:
    assert owner_of(name, ASSIGNMENTS) == owner


@either
def test_notebooks_are_put_where_they_belong(course: Course, tmp_path: Path, pack: Pack) -> None:
    files = {
        "ada/toys/toys.ipynb": b"a",
        "bob_1_toys.ipynb": b"b",
        "bob_1_notes.txt": b"n",
        "__MACOSX/ada/._toys.ipynb": b"m",
        "mystery.ipynb": b"?",
    }
    found = collect(course, pack(tmp_path, files))
    assert unpacked(course) == {"ada/toys/toys.ipynb": b"a", "bob/toys/toys.ipynb": b"b"}
    assert found.passed_over == ("mystery.ipynb names no student and assignment.",)


@either
@pytest.mark.parametrize(
    "name", ["../../toys.ipynb", "/etc/toys.ipynb", "../evil_toys.ipynb", "a/../../b_toys.ipynb"]
)
def test_no_path_leads_out(course: Course, tmp_path: Path, pack: Pack, name: str) -> None:
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    archive = pack(tmp_path, {name: b"x"})
    collect(course, archive)
    after = {path for path in tmp_path.rglob("*") if path.is_file()} - before - {archive}
    assert all(path.is_relative_to(course.submitted) for path in after)


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE]
)
def test_links_and_devices_in_a_tar_file_are_no_notebooks(
    course: Course, tmp_path: Path, kind: bytes
) -> None:
    with tarfile.open(tmp_path / "class.tar", "w") as archive:
        info = tarfile.TarInfo("ada_toys.ipynb")
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
    assert collect(course, tmp_path / "class.tar").placed == ()
    assert unpacked(course) == {}


def test_links_in_a_zip_file_are_no_notebooks(course: Course, tmp_path: Path) -> None:
    info = zipfile.ZipInfo("ada_toys.ipynb")
    info.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    assert collect(course, tmp_path / "class.zip").placed == ()


@either
def test_a_bomb_is_refused_and_nothing_has_changed(
    course: Course, tmp_path: Path, pack: Pack
) -> None:
    files = {f"s{n}_toys.ipynb": b"a" * (1 << 20) for n in range(40)}
    with pytest.raises(SubmissionError, match="would grow more than 200 times"):
        collect(course, pack(tmp_path, files))
    assert unpacked(course) == {}


def test_a_file_larger_than_a_notebook_is_passed_over(course: Course, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:  # stored: it doesn't grow
        archive.writestr("ada_toys.ipynb", b"a" * (MAX_BYTES + 1))
    assert collect(course, tmp_path / "class.zip").passed_over == ("ada_toys.ipynb is too large.",)


@pytest.mark.parametrize("raw", [b"", b"hello", b"PK\x05\x06" + bytes(3), b"PK\x03\x04" * 99])
def test_what_is_no_archive_is_told_in_a_sentence(
    course: Course, tmp_path: Path, raw: bytes
) -> None:
    (tmp_path / "class.zip").write_bytes(raw)
    with pytest.raises(SubmissionError, match=r"^class\.zip "):
        collect(course, tmp_path / "class.zip")


@either
def test_half_an_archive_changes_nothing(course: Course, tmp_path: Path, pack: Pack) -> None:
    files = {f"s{n}_toys.ipynb": bytes(range(256)) * 400 for n in range(9)}
    path = pack(tmp_path, files)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(SubmissionError, match="class"):
        collect(course, path)
    assert unpacked(course) == {}


def test_a_later_one_replaces_what_was_handed_in(course: Course, tmp_path: Path) -> None:
    collect(course, zipped(tmp_path, {"ada_toys.ipynb": b"old"}))
    collect(course, zipped(tmp_path, {"ada_toys.ipynb": b"new"}))
    assert unpacked(course) == {"ada/toys/toys.ipynb": b"new"}
