"""Whatever ends a run of the grader, the next one completes the work.

No grade is lost, doubled or half-written.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import psutil
import pytest
from sqlalchemy import create_engine, text

from autograder.course import Course
from tests import commands
from tests.courses import KIT, copy_of_kit, solved
from tests.notebooks import filled
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, with_settings
from tests.waiting import comes_true

HW1 = "hw1_attention"
WRONG = "def softmax(x):\n    return np.exp(x) / np.exp(x).sum()"
GRADE = [sys.executable, "-m", "autograder", "grade", HW1, "--jobs", "2"]
GRADES = """
    SELECT student_id, base_cell.name, auto_score, manual_score, needs_manual_grade
    FROM grade
    JOIN base_cell ON base_cell.id = grade.cell_id
    JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
    JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
"""
COMMENTS = GRADES.replace("auto_score, manual_score, needs_manual_grade", "auto_comment").replace(
    "grade", "comment"
)


def course_of(root: Path, size: int) -> Course:
    """A course in which `size` students handed in, right, wrong and blank answers in turn."""
    course = copy_of_kit(root)
    right = solved(KIT, HW1)
    answers: Iterator[dict[str, str]] = islice(cycle([right, right | {"softmax": WRONG}, {}]), size)
    for number, sources in enumerate(answers):
        path = course.submission_path(f"s{number:03}", HW1)
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(filled(course.release_path(HW1), sources)))
    return course


def run(course: Course) -> None:
    done = grade(course)
    assert done.returncode == 0, done.stderr


def grade(course: Course) -> subprocess.CompletedProcess[str]:
    return commands.autograder(course.root, "grade", "--jobs", "2")


def run_and_kill(course: Course, seconds: float, number: int) -> bool:
    """Start a run and end it by signal `number`; tell whether it had not ended by itself before."""
    with subprocess.Popen(
        GRADE, cwd=course.root, env=commands.environment(), stdout=subprocess.DEVNULL, stderr=-3
    ) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(number)
            return True
    return False


def begin_again(course: Course) -> None:
    """Remove all that runs have made."""
    for made in (course.reports, course.root / "autograded"):
        shutil.rmtree(made, ignore_errors=True)
    for path in course.root.glob("gradebook.db*"):
        path.unlink()


def outcome(course: Course) -> dict[str, Any]:
    """All that a run leaves which anybody would miss: grades, comments, reports, notebooks."""
    with create_engine(f"sqlite:///{course.root}/gradebook.db").connect() as connection:
        rows = {
            query: sorted(connection.execute(text(query)).all()) for query in (GRADES, COMMENTS)
        }
    reports = {path.name: path.read_bytes() for path in (course.reports / HW1).iterdir()}
    notebooks = [path.parts[-3] for path in course.root.glob(f"autograded/*/{HW1}/{HW1}.ipynb")]
    return rows | {"reports": reports, "notebooks": sorted(notebooks)}


def left_running(course: Course) -> list[str]:
    """Command lines of processes that stand in the course."""
    return [
        " ".join(process.info["cmdline"] or [])
        for process in psutil.process_iter(["cmdline", "cwd"])
        if process.info["cwd"] == str(course.root)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "kills", "longest"),
    [(9, 2, 6), pytest.param(60, 50, 12, marks=pytest.mark.exhaustive)],
)
def test_a_run_that_is_killed_again_and_again_comes_to_the_same_end(
    tmp_path: Path, size: int, kills: int, longest: float
) -> None:
    undisturbed, disturbed = (course_of(tmp_path / name, size) for name in ("a", "b"))
    run(undisturbed)
    moments = random.Random(0)
    for _ in range(kills):
        number = moments.choice([signal.SIGKILL, signal.SIGINT])
        while not run_and_kill(disturbed, moments.uniform(1, longest), number):
            assert outcome(disturbed) == outcome(undisturbed)
            begin_again(disturbed)
    run(disturbed)
    assert outcome(disturbed) == outcome(undisturbed)
    assert comes_true(lambda: not left_running(disturbed), 10)


@pytest.mark.slow
def test_nothing_outlives_a_run_that_is_killed(tmp_path: Path) -> None:
    course = course_of(tmp_path, 40)
    with subprocess.Popen(
        GRADE, cwd=course.root, env=commands.environment(), stdout=subprocess.DEVNULL, stderr=-3
    ) as process:
        assert comes_true(lambda: any(course.reports.rglob("*.json")), 60)
        process.kill()
    assert comes_true(lambda: not left_running(course), 10)


@pytest.fixture
def course(toys: ToyClass) -> Course:
    """A course in which two students handed in, and nothing is graded yet."""
    for student in ("ada", "bo"):
        toys.hand_in(student, RIGHT)
    return toys.course


def recorded(course: Course) -> list[str]:
    return sorted(path.parents[1].name for path in course.root.glob(f"autograded/*/{TOYS}/*.ipynb"))


@pytest.mark.slow
def test_a_damaged_gradebook_is_told_in_a_sentence_and_costs_no_report(course: Course) -> None:
    book = course.root / "gradebook.db"
    book.write_bytes(b"no gradebook" * 999)
    done = grade(course)
    assert done.returncode == 1
    assert "autograder: The gradebook can't be used (file is not a database)." in done.stderr
    assert "Traceback" not in done.stderr
    book.unlink()
    run(course)
    assert recorded(course) == ["ada", "bo"]


@pytest.mark.slow
def test_a_gradebook_that_is_held_by_another_program_is_waited_for_or_told(course: Course) -> None:
    with_settings(course.root, 'database = "sqlite:///gradebook.db?timeout=1"\n')
    with sqlite3.connect(course.root / "gradebook.db", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        done = grade(course)
        other.execute("ROLLBACK")
    assert done.returncode == 1
    assert "database is locked" in done.stderr
    run(course)
    assert recorded(course) == ["ada", "bo"]


@pytest.mark.slow
def test_a_full_disk_is_told_in_a_sentence_and_the_work_is_done_later(course: Course) -> None:
    course.reports.mkdir()
    (course.reports / TOYS).symlink_to("/dev/full")  # where nothing can be written
    done = grade(course)
    assert done.returncode == 1
    assert re.search(r"^autograder: .* run again", done.stderr, re.MULTILINE)
    assert "Traceback" not in done.stderr
    (course.reports / TOYS).unlink()
    run(course)
    assert recorded(course) == ["ada", "bo"]
