"""A file is what is in it, whatever it does to the process that reads it."""

import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.errors import CourseError
from autograder.intake.archive import File
from autograder.intake.submission import Release, sha256
from autograder.platforms.collecting import collect
from autograder.platforms.collecting.collect import read_contents
from tests.notebooks import code, notebook
from tests.platforms.sources import answered, toys_course
from tests.toys import TOYS, course_of

READ = collect._read


def files(folder: Path, **raw: bytes) -> list[File]:
    for name, content in raw.items():
        (folder / name).write_bytes(content)
    return [File(name, folder / name) for name in raw]


def test_a_notebook_is_known_by_its_cells_and_another_one_is_told(tmp_path: Path) -> None:
    course = toys_course(tmp_path / "course")
    right, other, text = files(
        tmp_path, right=answered(1), other=notebook(code("print(1)")), text=b"{hello"
    )
    big, damaged = File("big.ipynb", is_too_large=True), File("a.ipynb", is_damaged=True)
    found = read_contents(course, [right, other, text, big, damaged])
    assert (found[right].assignment, found[right].problem) == (TOYS, "")
    assert "belongs to no assignment" in found[other].problem
    assert "isn't a notebook" in found[text].problem
    assert "too large" in found[big].problem
    assert "damaged" in found[damaged].problem


def dies(path: Path, releases: Sequence[Release]) -> bytes:
    if path.name == "bad":
        os.kill(os.getpid(), signal.SIGKILL)
    return READ(path, releases)


def hangs(path: Path, releases: Sequence[Release]) -> bytes:
    if path.name == "bad":
        os.kill(os.getpid(), signal.SIGSTOP)
    return READ(path, releases)


@pytest.mark.parametrize("harmed", [dies, pytest.param(hangs, marks=pytest.mark.slow)])
def test_a_file_that_harms_its_reader_harms_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harmed: object
) -> None:
    monkeypatch.setattr(collect, "_read", harmed)
    monkeypatch.setattr(collect, "BOUNDS", replace(collect.BOUNDS, seconds=2))
    course = toys_course(tmp_path / "course")
    first, bad, last = files(tmp_path, first=answered(1), bad=answered(2), last=answered(3))
    found = read_contents(course, [first, bad, last])
    assert [found[file].assignment for file in (first, bad, last)] == [TOYS, "", TOYS]
    assert found[bad].problem.startswith("The file can't be read")
    assert found[bad].digest == sha256(answered(2))


def test_a_course_without_a_release_says_so(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="No assignment is released yet"):
        read_contents(course_of(tmp_path / "course"), [])
