"""hw4's long texts, in the sandbox and with its real limits: n² of anything doesn't fit.

That n does, `test_answers_in_the_sandbox` shows of every right answer.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.course import Course
from autograder.grading.grader import Grader
from autograder.grading.settings import Settings
from autograder.report import Outcome, Verdict
from autograder.sandbox.host.probe import strongest
from tests.answering import ANSWERS, some
from tests.courses import solved
from tests.graders import hand_in

pytestmark = pytest.mark.slow

ASSIGNMENT = "hw4_efficient_attention"
LONG = ("sliding_window_attention", "linear_attention")  # the exercises that are given long texts
MEMORY, TIME = "test_a_long_text_fits_into_memory", "test_a_long_text_takes_time_in_proportion"


def answers(kind: str) -> list[Any]:
    paths = [path for name in LONG for path in (ANSWERS / ASSIGNMENT / name / kind).glob("*.py")]
    return [pytest.param(path, id=f"{path.parts[-3]}-{path.stem}") for path in sorted(paths)]


@pytest.fixture(scope="module")
def grader(course: Course) -> Iterator[Grader]:
    with Grader(Settings(course, strongest()), ASSIGNMENT) as grader:
        yield grader


def failures(grader: Grader, path: Path) -> dict[str, Verdict]:
    """Grade the answer in `path`, with everything else solved; return failed tests, by name."""
    solutions = solved(grader.settings.course, ASSIGNMENT)
    report = hand_in(grader, solutions | {path.parts[-3]: path.read_text()})
    tests = [test for exercise in report.exercises for test in exercise.tests]
    return {test.name: test for test in tests if test.outcome is not Outcome.PASSED}


@pytest.mark.parametrize("path", some(answers("deadly"), 3))  # one for each exercise
def test_a_quadratic_answer_loses_the_marks_for_long_texts_alone(
    grader: Grader, path: Path
) -> None:
    failed = failures(grader, path)
    assert set(failed) == {MEMORY, TIME}
    assert {test.outcome for test in failed.values()} == {Outcome.MEMORY}
    assert "n² entries" in failed[MEMORY].message


@pytest.mark.parametrize("path", answers("periodic"))
def test_who_takes_a_long_text_for_a_repeated_one_loses_the_same_marks(
    grader: Grader, path: Path
) -> None:
    failed = failures(grader, path)
    assert set(failed) == {MEMORY, TIME}
    assert {test.outcome for test in failed.values()} == {Outcome.FAILED}


@pytest.mark.exhaustive  # each waits for the end of a long time limit
@pytest.mark.parametrize("path", answers("quadratic_time"))
def test_an_answer_quadratic_in_time_loses_the_marks_for_time(grader: Grader, path: Path) -> None:
    failed = failures(grader, path)
    assert failed[TIME].outcome is Outcome.TIMEOUT
    assert set(failed) <= {MEMORY, TIME}
