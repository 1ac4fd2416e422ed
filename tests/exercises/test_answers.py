"""Every right answer gets full marks and every wrong one loses some, each in its own plain file.

`tests/answers/<assignment>/<exercise>/right/*.py` and `…/wrong/*.py` hold whole solution cells;
the rest of the notebook is the instructor's solution.
"""

from pathlib import Path

import pytest

from autograder.report import ExerciseReport, Outcome
from tests.answering import answers, exercise_of, graded
from tests.courses import EXERCISES, KIT, solved

each_seed = pytest.mark.parametrize("seed", [0, 1])  # `make exhaustive` tries 200
# In a notebook, too, warnings stand beside the result.
pytestmark = pytest.mark.filterwarnings("ignore")


def reasons(report: ExerciseReport) -> str:
    return "\n".join(f"{test.name}: {test.message}" for test in report.tests if test.message)


@pytest.mark.parametrize("path", answers("right"))
@each_seed
def test_a_right_answer_gets_full_marks(path: Path, seed: int) -> None:
    report = graded(*exercise_of(path), path.read_text(), seed)
    assert report.score == report.max_score, reasons(report)


@pytest.mark.slow
@pytest.mark.parametrize(("assignment", "exercise"), EXERCISES)
@each_seed
def test_a_solution_gets_full_marks(assignment: str, exercise: str, seed: int) -> None:
    report = graded(assignment, exercise, solved(KIT, assignment)[exercise], seed)
    assert report.score == report.max_score, reasons(report)


@pytest.mark.parametrize("path", answers("wrong"))
def test_a_wrong_answer_loses_marks_and_is_told_why(path: Path) -> None:
    report = graded(*exercise_of(path), path.read_text())
    failed = [test for test in report.tests if test.outcome is not Outcome.PASSED]
    assert report.score < report.max_score
    assert all(test.message for test in failed)
    # a value that a hidden test can't go on with is the student's, as the examiner finds out
    faults = [test.message for test in failed if test.outcome is Outcome.GRADER_ERROR]
    assert all(fault.endswith("can't continue with that.") for fault in faults), reasons(report)


def test_every_exercise_has_hidden_tests_and_right_and_wrong_answers() -> None:
    tests = KIT.exercises.glob("*/hidden_tests/test_*.py")
    tested = {(path.parts[-3], path.stem.removeprefix("test_")) for path in tests}
    assert set(EXERCISES) == tested
    for assignment, exercise in EXERCISES:
        for kind in ("right", "wrong"):
            assert any((KIT.answers / assignment / exercise / kind).glob("*.py")), exercise
