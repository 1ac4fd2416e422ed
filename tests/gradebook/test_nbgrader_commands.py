"""nbgrader's own commands, and its formgrader, work on a course of ours."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autograder import gradebook
from autograder.course import Course
from autograder.report import Outcome
from tests.courses import ROOT
from tests.gradebook.books import book_of, grades
from tests.toy_class import ToyClass
from tests.toys import RIGHT

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED


def run_nbgrader(course: Course, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run nbgrader's own command line, on a PATH that knows nothing of our environment."""
    environment: dict[str, Any] = os.environ | {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=course.root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


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
    command = gradebook.formgrader_command(toys.course)
    assert Path(command[0]) == Path(sys.executable)
    with book_of(toys.course) as book:
        assert [assignment.name for assignment in book.assignments] == ["toys"]
