"""Cells are run whole or not at all, however long they are, and again if they had to wait."""

import json
import time

import pytest

from autograder.course import Course
from autograder.grading.grader import Grader
from autograder.grading.settings import Settings
from autograder.report import ExerciseReport, Outcome
from autograder.sandbox.host import child
from autograder.sandbox.host.probe import strongest
from autograder.sandbox.limits import MAX_TEXT, Limits
from tests.notebooks import code, filled
from tests.toys import RIGHT, TOYS

pytestmark = pytest.mark.slow  # most wait for a process that stands still

DOUBLE = RIGHT["double"]


def padded(source: str, size: int) -> str:
    """Return `source` behind so long a comment that both have `size` characters."""
    return f"# {'x' * (size - len(source) - 3)}\n{source}"


def double_in(grader: Grader, *cells: str) -> tuple[ExerciseReport, ExerciseReport]:
    """Grade a notebook with these cells as the answer to `double`; report on both exercises."""
    content = filled(grader.settings.course.release_path(TOYS), RIGHT | {"double": cells[0]})
    content["cells"] += [code(cell, "double", solution=True) for cell in cells[1:]]
    first, second = grader.grade(json.dumps(content).encode()).exercises
    return first, second


@pytest.mark.parametrize("size", [100_001, MAX_TEXT])
def test_a_long_cell_is_run_whole(grader: Grader, size: int) -> None:
    double, _ = double_in(grader, padded(DOUBLE, size))
    assert double.outcome is Outcome.PASSED


def test_a_cell_joined_of_several_is_run_whole(grader: Grader) -> None:
    double, _ = double_in(grader, padded("", 90_000), padded(DOUBLE, 90_000))
    assert double.outcome is Outcome.PASSED


def test_one_too_long_to_be_sent_is_refused_in_a_sentence_and_never_cut(grader: Grader) -> None:
    """What stands in its first half would do: it isn't run alone."""
    double, counter = double_in(grader, padded(DOUBLE, 150_000), padded("", 150_000))
    assert (double.score, counter.score) == (0, counter.max_score)
    assert {test.message for test in double.tests} == {
        "The cell of `double` is too long to run: shorten it."
    }


def test_a_cell_that_had_to_wait_is_tried_once_more(
    fresh: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So does one on a machine that is busy with something else for a while."""
    monkeypatch.setattr(child, "LEAST_PATIENCE", 1)
    settings = Settings(fresh, strongest(), limits=Limits(cell_seconds=0.5))
    with Grader(settings, TOYS) as grader:
        wait = f"import time\ntime.sleep(max(0, {time.time() + 1.6} - time.time()))\n"
        double, counter = double_in(grader, wait + DOUBLE)
    assert (double.outcome, counter.outcome) == (Outcome.PASSED, Outcome.PASSED)


def test_one_that_waits_for_ever_is_left_out_and_says_why(
    fresh: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "LEAST_PATIENCE", 0.5)
    settings = Settings(fresh, strongest(), limits=Limits(cell_seconds=0.25))
    with Grader(settings, TOYS) as grader:
        double, counter = double_in(grader, "import time\ntime.sleep(600)\n" + DOUBLE)
    assert (double.score, counter.outcome) == (0, Outcome.PASSED)
    assert {test.outcome for test in double.tests} == {Outcome.TIMEOUT}
    assert "waited for 0.5 s without computing" in double.tests[0].message


def test_sleep_is_bounded_in_all_and_what_was_earned_is_kept(
    fresh: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Naps take together as long as may be computed, and no longer."""
    monkeypatch.setattr(child, "LEAST_PATIENCE", 0.5)
    settings = Settings(fresh, strongest(), limits=Limits(notebook_seconds=1.5))
    sleepy = RIGHT["Counter"].replace("self.steps += 1", "time.sleep(0.3); self.steps += 1")
    with Grader(settings, TOYS) as grader:
        answers = RIGHT | {"Counter": "import time\n" + sleepy}
        content = filled(grader.settings.course.release_path(TOYS), answers)
        content["cells"] += [code(f"import time\ntime.sleep(0.{n})") for n in range(40, 49)]
        started = time.monotonic()
        double, counter = grader.grade(json.dumps(content).encode()).exercises
        took = time.monotonic() - started
    assert (double.score, counter.score) == (double.max_score, 2)
    said = counter.tests[-1].message
    assert "time limit of 1.5 s was reached before the end: `Counter` took more than half" in said
    assert took < 8
