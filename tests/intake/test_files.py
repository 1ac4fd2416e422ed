"""Only a student's own regular files are read, whatever lies in a submission's folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autograder.errors import SubmissionError
from autograder.grading.worker import Job
from autograder.intake.notebook import read_file, read_submitted


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where Ada's notebook belongs; Bob's lies in its place."""
    for student in ("ada", "bob"):
        (tmp_path / student / "hw").mkdir(parents=True)
    (tmp_path / "bob" / "hw" / "hw.ipynb").write_bytes(b"Bob's")
    return tmp_path / "ada" / "hw" / "hw.ipynb"


def test_a_link_to_another_students_notebook_is_refused(path: Path) -> None:
    path.symlink_to("../../bob/hw/hw.ipynb")
    with pytest.raises(SubmissionError, match=r"^hw\.ipynb is a link"):
        read_submitted(path)


@pytest.mark.parametrize("folder", ["ada", "ada/hw"])
def test_a_link_to_another_students_folder_is_refused(path: Path, folder: str) -> None:
    root = path.parents[2]
    path.parent.rmdir()
    if folder == "ada":
        path.parents[1].rmdir()
    (root / folder).symlink_to(root / folder.replace("ada", "bob"))
    with pytest.raises(SubmissionError, match="is a link"):
        read_submitted(path)


def test_the_folder_of_all_submissions_may_be_a_link(path: Path, tmp_path: Path) -> None:
    path.write_bytes(b"Ada's")
    (tmp_path / "elsewhere").symlink_to(tmp_path)
    assert read_submitted(tmp_path / "elsewhere" / path.relative_to(tmp_path)) == b"Ada's"


def test_a_pipe_is_refused_at_once(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(SubmissionError, match=r"^hw\.ipynb is not a file"):
        Job("ada", "hw", path).read()


def test_a_device_and_a_folder_are_refused(path: Path) -> None:
    with pytest.raises(SubmissionError, match="zero is not a file"):
        read_file(Path("/dev/zero"))
    path.mkdir()
    with pytest.raises(SubmissionError):
        read_submitted(path)


def test_an_instructor_may_check_a_notebook_behind_a_link(path: Path) -> None:
    path.symlink_to("../../bob/hw/hw.ipynb")
    assert read_file(path) == b"Bob's"


@pytest.mark.parametrize("gone", ["hw.ipynb", "hw", "ada"])
def test_what_vanished_before_it_was_read_is_told_in_a_sentence(path: Path, gone: str) -> None:
    path.write_bytes(b"Ada's")
    places = {"hw.ipynb": path, "hw": path.parent, "ada": path.parents[1]}
    places[gone].rename(path.parents[2] / "elsewhere")
    with pytest.raises(SubmissionError, match=r"^hw\.ipynb can't be read: No such file"):
        Job("ada", "hw", path).read()
