"""What a student hands in beside the notebook reaches its reader, and no page handed back."""

import os
import subprocess
from pathlib import Path

import pytest

from autograder.gradebook import feedback
from autograder.gradebook.recording import record
from autograder.report import Outcome
from tests.gradebook.books import grades
from tests.gradebook.test_nbgrader_commands import run_nbgrader
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS

PASSED = 9 * [Outcome.PASSED]


@pytest.fixture
def folder(toys: ToyClass, tmp_path: Path) -> Path:
    """Ada's submission, with a table, a time, and three things that nobody may follow."""
    toys.hand_in("ada", RIGHT)
    folder = toys.course.submission_path("ada", TOYS).parent
    (folder / "data.csv").write_text("1,2")
    (folder / "timestamp.txt").write_text("2026-10-05 12:00:00 UTC")
    (tmp_path / "secret").write_text("secret")
    (folder / "secret").symlink_to(tmp_path / "secret")
    (folder / "zero").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe")
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.usefixtures("folder")
def test_ordinary_files_are_recorded_and_none_goes_into_feedback(toys: ToyClass) -> None:
    assert record(toys.course, [toys.report("ada", *PASSED)]) == []
    root = toys.course.root
    assert names(root / "autograded" / "ada" / TOYS) == ["data.csv", "timestamp.txt", "toys.ipynb"]
    feedback.write_feedback(toys.course, [TOYS])
    assert names(root / "feedback" / "ada" / TOYS) == ["toys.html"]


def test_a_time_that_is_a_pipe_is_told_at_once(toys: ToyClass, folder: Path) -> None:
    (folder / "timestamp.txt").unlink()
    os.mkfifo(folder / "timestamp.txt")
    toys.hand_in("bo", RIGHT)
    reports = [toys.report(name, *PASSED) for name in ("ada", "bo")]
    (sentence,) = record(toys.course, reports)
    assert sentence.startswith("ada, toys: not recorded: Its timestamp.txt contains no valid time")
    assert grades(toys.course, "bo")["double_test"] == (5, False)


def autograde(toys: ToyClass, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Let nbgrader's own command do it."""
    return run_nbgrader(toys.course, "autograde", TOYS, *arguments)


@pytest.mark.exhaustive  # nbgrader's own command takes seconds
@pytest.mark.usefixtures("folder")
def test_nbgraders_own_command_leaves_out_what_it_would_follow_and_takes_the_others(
    toys: ToyClass,
) -> None:
    for name in ("bo", "li\nne", "Cy", "cy", "fifo"):
        toys.hand_in(name, RIGHT)
    notebook = toys.course.submission_path("fifo", TOYS)
    notebook.unlink()
    os.mkfifo(notebook)
    (toys.course.submission_path("bo", TOYS).parent / "page.pdf").write_bytes(b"%PDF")
    toys.report("bo", *PASSED)
    done = autograde(toys)
    assert names(toys.course.root / "autograded") == ["bo"]
    assert grades(toys.course, "bo")["why"] == (None, True)  # the answer may be on that page
    for said in ("ada/toys was left out", r"li\nne was left out", "Cy and submitted/cy were"):
        assert said in done.stderr
    assert autograde(toys, "--student", "ada").returncode == 1


@pytest.mark.exhaustive  # nbgrader's own command takes seconds
@pytest.mark.usefixtures("folder")
def test_nbgraders_own_feedback_is_pages_alone(toys: ToyClass) -> None:
    record(toys.course, [toys.report("ada", *PASSED)])
    assert run_nbgrader(toys.course, "generate_feedback", TOYS).returncode == 0
    pages = toys.course.feedback / "ada" / TOYS
    assert [path.name for path in pages.rglob("*") if path.is_file()] == ["toys.html"]
