"""nbgrader's own commands, and its formgrader, work on a course of ours."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.gradebook.steps import formgrader_command
from autograder.report import Outcome
from tests.commands import run
from tests.gradebook.books import book_of, grades
from tests.toy_class import ToyClass
from tests.toys import RIGHT

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED


def run_nbgrader(course: Course, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run nbgrader's own command line, on a PATH that knows nothing of our environment."""
    return run(course.root, "-m", "nbgrader", *arguments, PATH="/usr/bin:/bin")


@pytest.mark.slow
def test_nbgraders_own_command_comes_to_the_same_grades(toys: ToyClass) -> None:
    (toys.course.root / "gradebook.db").unlink()
    toys.hand_in("a", RIGHT)
    toys.report("a", *3 * [PASSED], *6 * [FAILED])
    done = run_nbgrader(toys.course, "autograde", "toys")
    assert done.returncode == 0, done.stderr
    assert grades(toys.course, "a")["double_test"] == (3, False)
    versions = sqlite3.connect(toys.course.root / "gradebook.db").execute(
        "SELECT version_num FROM alembic_version"
    )
    assert versions.fetchone()


@pytest.mark.slow
def test_nbgraders_own_release_is_ours(toys: ToyClass) -> None:
    ours = toys.course.release_path("toys").read_bytes()
    done = run_nbgrader(toys.course, "generate_assignment", "toys", "--force")
    assert done.returncode == 0, done.stderr
    assert toys.course.release_path("toys").read_bytes() == ours


@pytest.mark.slow
def test_the_formgrader_lists_what_is_released(toys: ToyClass) -> None:
    (toys.course.root / "gradebook.db").unlink()
    command = formgrader_command(toys.course)
    assert Path(command[0]) == Path(sys.executable)
    with book_of(toys.course) as book:
        assert [assignment.name for assignment in book.assignments] == ["toys"]
