"""Temporary folders are removed by who made them, and nobody else's ever is."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from autograder.folders import own_folder, remove_tree
from tests.courses import ROOT

KILLED = """
import os, signal
from autograder.folders import own_folder
with own_folder() as folder:
    (folder.path / "left").touch()
    print(folder.path.parent, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def left_by_a_killed_maker(below: Path) -> Path:
    command = [sys.executable, "-c", KILLED]
    made = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"TMPDIR": str(below)}, stdout=subprocess.PIPE
    )
    return Path(made.stdout.decode().strip())


def test_a_folder_is_its_makers_alone_and_goes_with_its_maker(below: Path) -> None:
    with own_folder() as folder:
        outer = folder.path.parent
        assert outer.parent == below
        assert outer.stat().st_mode & 0o777 == 0o711
        assert folder.path.stat().st_mode & 0o777 == 0o700
        (folder.path / "sub").mkdir()
    assert not outer.exists()


def test_what_a_killed_maker_left_is_removed_and_what_is_in_use_is_not(below: Path) -> None:
    with own_folder() as folder:
        left = left_by_a_killed_maker(below)
        assert left.is_dir()
        with own_folder():
            assert not left.exists()
        assert folder.path.is_dir()


def test_a_strangers_folder_link_and_file_of_such_a_name_stay(below: Path) -> None:
    left = left_by_a_killed_maker(below)
    theirs = below / "theirs"
    left.rename(theirs)  # whatever lies in it, no link leads there
    (below / "autograder-1-0").mkdir()
    (below / "autograder-1-0/work").mkdir()
    (below / "autograder-2-0").symlink_to(theirs)
    (below / "autograder-3-0").write_text("a file")
    copied = below / "autograder-4-0"  # of ours, and so its lock names another folder
    copied.mkdir()
    (copied / "lock").write_bytes((theirs / "lock").read_bytes())
    (below / "autograder-5-0").mkdir()
    os.mkfifo(below / "autograder-5-0/lock")
    before = sorted(below.rglob("*"))
    with own_folder():
        pass
    assert sorted(below.rglob("*")) == before


def test_what_took_the_place_of_a_folder_meanwhile_stays(below: Path) -> None:
    with own_folder() as folder:
        outer = folder.path.parent
        outer.rename(below / "moved")
        outer.mkdir()
        (outer / "theirs").touch()
    assert (outer / "theirs").exists()


def test_a_link_to_a_folder_is_not_removed_as_one(below: Path) -> None:
    (below / "theirs").mkdir()
    (below / "link").symlink_to(below / "theirs")
    with pytest.raises(NotADirectoryError):
        remove_tree(below / "link")
    assert (below / "theirs").is_dir()


def test_only_one_function_removes_folders() -> None:
    found = [
        path.relative_to(ROOT).as_posix()
        for path in ROOT.glob("autograder/**/*.py")
        if "rmtree" in path.read_text("utf-8")
    ]
    assert found == ["autograder/folders.py"]
