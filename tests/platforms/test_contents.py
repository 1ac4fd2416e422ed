"""A file is what is in it, whatever it does to the process that reads it."""

import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.errors import CourseError, SubmissionError
from autograder.intake.archive import File
from autograder.intake.release import Release
from autograder.intake.submission import sha256
from autograder.platforms.collecting import reading
from autograder.platforms.collecting.collect import collect_archive
from autograder.platforms.collecting.reading import read_contents
from tests.notebooks import code, notebook
from tests.platforms.sources import ADA, BO, Inbox, answered, toys_course, zipped
from tests.toys import TOYS, course_of

READ = reading._read


def files(folder: Path, **raw: bytes) -> list[File]:
    for name, content in raw.items():
        (folder / name).write_bytes(content)
    return [File(name, folder / name) for name in raw]


def test_a_notebook_is_known_by_its_cells_and_another_one_is_told(tmp_path: Path) -> None:
    course = toys_course(tmp_path / "course")
    right, other, text = files(
        tmp_path, right=answered(1), other=notebook(code("print(1)")), text=b"{hello"
    )
    big = File("big.ipynb", problem="It is too large.")
    found = read_contents(course, [right, other, text, big])
    assert (found[right].assignment, found[right].problem) == (TOYS, "")
    assert "belongs to no assignment" in found[other].problem
    assert "isn't a notebook" in found[text].problem
    assert found[big].problem == "It is too large."


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
    monkeypatch.setattr(reading, "_read", harmed)
    monkeypatch.setattr(reading, "BOUNDS", replace(reading.BOUNDS, seconds=1))
    course = toys_course(tmp_path / "course")
    first, bad, last = files(tmp_path, first=answered(1), bad=answered(2), last=answered(3))
    found = read_contents(course, [first, bad, last])
    assert [found[file].assignment for file in (first, bad, last)] == [TOYS, "", TOYS]
    assert found[bad].problem.startswith("The file can't be read")
    assert found[bad].digest == sha256(answered(2))


def test_a_course_without_a_release_says_so(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="No assignment is released yet"):
        read_contents(course_of(tmp_path / "course"), [])


@pytest.mark.slow
def test_an_archive_that_takes_too_long_is_refused_in_a_sentence_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = "(?P<student_id>(a|a)*)-"  # twice as long for each letter
    course = toys_course(tmp_path / "course", f'[collect]\npattern = "{slow}"\n')
    source = zipped(tmp_path / "class.zip", {f"{50 * 'a'}.ipynb": answered(1)})
    monkeypatch.setattr(reading, "ARCHIVE_BOUNDS", replace(reading.ARCHIVE_BOUNDS, seconds=0.5))
    with pytest.raises(SubmissionError, match=r"^class\.zip can't be read: it took too long\. "):
        collect_archive(course, source)
    assert list(course.submitted.iterdir()) == []


def test_whoever_hands_in_a_great_many_notebooks_is_asked_for_one_and_nobody_waits(
    inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_EACH", 3)
    many = {f"eve/{n}.ipynb": answered(n) for n in range(9)}
    found = inbox.hand({"ada/hw.ipynb": ADA, **many, "zoe/hw.ipynb": BO})
    assert set(inbox.notebooks) == {"ada", "zoe"}
    assert sum("More than 3 notebooks were handed in" in note for note in found.notes) == 6
