"""Whatever ends a run of the grader, the next one completes the work.

No grade is lost, doubled or half-written.
"""

import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
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
LONG = 1800  # seconds in which a run ends by itself
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


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A TMPDIR with a name that is short enough for sockets."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder)


def run_and_kill(course: Course, temporary: Path, seconds: float, number: int) -> bool:
    """Start a run and end it by signal `number`; tell whether it had not ended by itself before."""
    with subprocess.Popen(
        GRADE,
        cwd=course.root,
        env=commands.environment(TMPDIR=str(temporary)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
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
    ("size", "kills"), [(3, 1), pytest.param(60, 50, marks=pytest.mark.exhaustive)]
)
def test_a_run_that_is_killed_again_and_again_comes_to_the_same_end(
    tmp_path: Path, temporary: Path, size: int, kills: int
) -> None:
    undisturbed, disturbed = (course_of(tmp_path / name, size) for name in ("a", "b"))
    begun = time.monotonic()
    assert not run_and_kill(undisturbed, temporary, LONG, signal.SIGKILL)
    takes = time.monotonic() - begun
    moments = random.Random(0)
    for _ in range(kills):
        number = moments.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
        while not run_and_kill(disturbed, temporary, moments.uniform(0, takes), number):
            assert outcome(disturbed) == outcome(undisturbed)
            begin_again(disturbed)
    assert not run_and_kill(disturbed, temporary, LONG, signal.SIGKILL)
    assert outcome(disturbed) == outcome(undisturbed)
    assert comes_true(lambda: not left_running(disturbed), 10)
    assert comes_true(lambda: not [*temporary.iterdir()], 10)
