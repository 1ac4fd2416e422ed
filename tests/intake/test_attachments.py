"""Of what lies beside a notebook, small ordinary files are kept, and nothing else is touched."""

import os
from pathlib import Path

import pytest

from autograder.intake import attachments as module
from autograder.intake.attachments import Attachments, copy_attachments, find_attachments


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A submission with a table and a sketch."""
    path = tmp_path / "ada" / "hw"
    (path / "pictures").mkdir(parents=True)
    (path / "hw.ipynb").touch()
    (path / "data.csv").write_text("1,2")
    (path / "pictures" / "sketch.png").write_bytes(b"png")
    return path


def copied(folder: Path) -> dict[str, bytes]:
    target = folder.parents[1] / "target"
    target.mkdir(exist_ok=True)
    copy_attachments(folder, target)
    files = (path for path in target.rglob("*") if path.is_file())
    return {path.relative_to(target).as_posix(): path.read_bytes() for path in files}


def test_small_files_are_copied_with_the_time_and_without_hidden_files(folder: Path) -> None:
    for name in (".DS_Store", "other.ipynb", "source.json"):
        (folder / name).touch()
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").touch()
    (folder / "timestamp.txt").write_text("2026-10-05")
    assert copied(folder) == {
        "data.csv": b"1,2",
        "pictures/sketch.png": b"png",
        "timestamp.txt": b"2026-10-05",
    }
    assert not find_attachments(folder).warning


def test_links_pipes_and_devices_are_left_out_and_told(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (folder / "a").symlink_to(tmp_path / "secret")
    (folder / "b").symlink_to(tmp_path)
    os.mkfifo(folder / "c")
    assert find_attachments(folder) == Attachments(
        ("data.csv", "pictures/sketch.png"),
        ("a is a link", "b is a link", "c isn't an ordinary file"),
    )
    assert "(a is a link, and 2 more)" in find_attachments(folder).warning
    assert set(copied(folder)) == {"data.csv", "pictures/sketch.png"}


def test_a_name_in_the_warning_is_shown_and_not_obeyed(folder: Path, tmp_path: Path) -> None:
    (folder / "\x1b[31m\n").symlink_to(tmp_path)
    assert r"(\x1b[31m\n is a link)" in find_attachments(folder).warning


def test_too_many_and_too_large_files_are_left_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_FILES", 2)
    (folder / "z.csv").touch()
    assert find_attachments(folder).left_out == ("z.csv is one too many",)
    monkeypatch.setattr(module, "MAX_BYTES", 4)
    assert find_attachments(folder).left_out == ("pictures/sketch.png is too large",)


def test_of_thousands_of_files_none_is_kept_and_none_is_looked_at(folder: Path) -> None:
    for number in range(module.MAX_ENTRIES):
        (folder / f"{number}").touch()
    assert find_attachments(folder).kept == ()
    assert "there are more than 1000 entries" in find_attachments(folder).warning
    assert copied(folder) == {}


def test_a_folder_that_is_gone_has_nothing(folder: Path) -> None:
    assert find_attachments(folder / "gone") == Attachments()
