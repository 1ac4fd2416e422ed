"""Whatever ends a run of the grader, the next one completes the work.

No grade is lost, doubled or half-written.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import psutil
import pytest
from sqlalchemy import create_engine, text

from autograder.authoring.release import release
from autograder.course import Course
from tests import commands
from tests.courses import KIT, copy_of_kit, solved
from tests.notebooks import filled
from tests.toys import RIGHT, TOYS, WRONG
from tests.toys import course_of as toys_course_of
from tests.waiting import comes_true

HW1 = "hw1_attention"
WRONG_SOFTMAX = "def softmax(x):\n    return np.exp(x) / np.exp(x).sum()"
GRADE = [sys.executable, "-m", "autograder", "grade", "--jobs", "2"]
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


def homework(root: Path) -> tuple[Course, dict[str, str], dict[str, str]]:
    """A course of this repository's first homework, right answers and wrong ones."""
    right = solved(KIT, HW1)
    return copy_of_kit(root), right, right | {"softmax": WRONG_SOFTMAX}


def toys(root: Path) -> tuple[Course, dict[str, str], dict[str, str]]:
    """A course of toys, which are graded in a tenth of the time."""
    course = toys_course_of(root)
    release(course, [TOYS])
    return course, RIGHT, WRONG


Make = Callable[[Path], tuple[Course, dict[str, str], dict[str, str]]]


def course_of(root: Path, make: Make, size: int) -> Course:
    """A course in which `size` students handed in, right, wrong and blank answers in turn."""
    course, right, wrong = make(root)
    (name,) = course.released()[:1]
    for number, sources in enumerate(islice(cycle([right, wrong, {}]), size)):
        path = course.submission_path(f"s{number:03}", name)
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(filled(course.release_path(name), sources)))
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
    reports = {path.name: path.read_bytes() for path in course.reports.glob("*/*.json")}
    notebooks = [path.parts[-3] for path in course.root.glob("autograded/*/*/*.ipynb")]
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
    ("make", "size", "kills", "part"),  # the one kill comes in the first half, or else it may not
    [(toys, 3, 1, 0.5), pytest.param(homework, 60, 50, 1, marks=pytest.mark.exhaustive)],
)
def test_a_run_that_is_killed_again_and_again_comes_to_the_same_end(
    tmp_path: Path, temporary: Path, make: Make, size: int, kills: int, part: float
) -> None:
    undisturbed, disturbed = (course_of(tmp_path / name, make, size) for name in ("a", "b"))
    begun = time.monotonic()
    assert not run_and_kill(undisturbed, temporary, LONG, signal.SIGKILL)
    takes = time.monotonic() - begun
    assert len(outcome(undisturbed)["reports"]) == size
    moments = random.Random(0)
    for _ in range(kills):
        number = moments.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
        while not run_and_kill(disturbed, temporary, moments.uniform(0, part * takes), number):
            assert outcome(disturbed) == outcome(undisturbed)
            begin_again(disturbed)
    assert not run_and_kill(disturbed, temporary, LONG, signal.SIGKILL)
    assert outcome(disturbed) == outcome(undisturbed)
    assert comes_true(lambda: not left_running(disturbed), 10)
    assert comes_true(lambda: not [*temporary.iterdir()], 10)


@pytest.mark.slow
def test_ctrl_c_in_a_terminal_ends_a_run_and_its_workers_which_say_nothing_of_it(
    tmp_path: Path,
) -> None:
    course, right, _ = toys(tmp_path / "course")
    path = course.submission_path("ada", TOYS)
    path.parent.mkdir(parents=True)
    sleeps = {"double": f"import time\ndef double(x):\n    time.sleep({LONG})"}
    path.write_text(json.dumps(filled(course.release_path(TOYS), right | sleeps)))
    with subprocess.Popen(
        ["env", "--default-signal=INT", *GRADE],  # which a shell's `make test &` ignores
        cwd=course.root,
        env=commands.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # the group that a terminal would interrupt
    ) as process:
        # the run, the server that workers are forked from, its tracker, a worker, its submission
        assert comes_true(lambda: len(left_running(course)) >= 5, 60)
        os.killpg(process.pid, signal.SIGINT)
        has_ended = comes_true(lambda: process.poll() is not None, 10)
        going_on = "\n".join(left_running(course))
        if not has_ended:
            os.killpg(process.pid, signal.SIGKILL)
        _, said = process.communicate()
    assert has_ended, f"What goes on:\n{going_on}\nand what was said:\n{said}"
    assert process.returncode == 128 + signal.SIGINT, said
    assert "KeyboardInterrupt" not in said
    assert comes_true(lambda: not left_running(course), 10)
