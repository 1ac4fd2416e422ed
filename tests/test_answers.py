"""Every right answer gets full marks and every wrong one loses some, each in its own plain file.

`tests/answers/<assignment>/<exercise>/right/*.py` and `…/wrong/*.py` hold whole solution cells;
the rest of the notebook is the instructor's solution.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from autograder.course import Course, solution
from autograder.grading import hidden_tests
from autograder.report import ExerciseReport, Outcome
from autograder.sandbox.host.in_process import InProcess

ANSWERS = Path(__file__).parent / "answers"
COURSE = Course(Path(__file__).parents[1])
ANOTHER = (pytest.mark.slow, pytest.mark.exhaustive)
# In a notebook, too, warnings stand beside the result.
pytestmark = pytest.mark.filterwarnings("ignore")


def files(kind: str) -> list[Any]:
    """Return the answers of a kind; those that need torch are left to the slow tests."""
    return [
        pytest.param(
            path,
            id=f"{path.parts[-3]}-{path.stem}",
            marks=() if path.parts[-4] == "hw1_attention" else pytest.mark.slow,
        )
        for path in sorted(ANSWERS.glob(f"*/*/{kind}/*.py"))
    ]


@cache
def solved(assignment: str) -> dict[str, str]:
    return solution.sources(COURSE, assignment)


@cache
def forbidden(assignment: str) -> tuple[str, ...]:
    return hidden_tests.forbidden_of(assignment)


def grade(path: Path, seed: int = 0) -> ExerciseReport:
    """Grade the answer in `path` in this process, with everything else solved."""
    assignment, exercise = path.parts[-4], path.parts[-3]
    sources = solved(assignment) | {exercise: path.read_text()}
    channel = InProcess(sources.values(), forbidden(assignment))
    try:
        verdicts = hidden_tests.run(assignment, [exercise], lambda _: channel, seed, brief=True)
    finally:
        channel.close()
    return ExerciseReport.of(exercise, verdicts[exercise])


def complaints(report: ExerciseReport) -> str:
    return "\n".join(f"{test.name}: {test.message}" for test in report.tests if test.message)


@pytest.mark.parametrize("path", files("right"))
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=ANOTHER)])
def test_a_right_answer_gets_full_marks(path: Path, seed: int) -> None:
    report = grade(path, seed)
    assert report.score == report.max_score, complaints(report)


@pytest.mark.parametrize("path", files("wrong"))
def test_a_wrong_answer_loses_marks_and_is_told_why(path: Path) -> None:
    report = grade(path)
    failed = [test for test in report.tests if test.outcome is not Outcome.PASSED]
    assert report.score < report.max_score
    assert all(test.message for test in failed)
    assert all(test.outcome is not Outcome.GRADER_ERROR for test in failed), complaints(report)
