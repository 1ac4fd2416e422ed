"""Right answers get full marks, wrong ones lose some, and one that computes nothing earns nothing.

`tests/answers/<assignment>/<exercise>/right/*.py` and `…/wrong/*.py` hold whole solution cells;
the rest of the notebook is the instructor's solution. Those in `…/nothing/*.py` seek points
without what the exercise asks for. What computes nothing at all is made from the solutions: what
they return is replaced, shape by shape.

Some of the right and the wrong answers are tried here. `python -m tests.mutants --answers`, which
CI runs on every change, tries all of them, and so does `autograder test`.
"""

from pathlib import Path

import pytest

from autograder.report import ExerciseReport, Outcome
from tests.answering import answers, exercise_of, graded, some
from tests.courses import EXERCISES, KIT, solved

# `make exhaustive` tries 200.
each_seed = pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.exhaustive)])
# In a notebook, too, warnings stand beside the result.
pytestmark = pytest.mark.filterwarnings("ignore")


def reasons(report: ExerciseReport) -> str:
    return "\n".join(f"{test.name}: {test.message}" for test in report.tests if test.message)


@pytest.mark.parametrize("path", some(answers("right"), 48))
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


@pytest.mark.parametrize("path", some(answers("wrong"), 120))
def test_a_wrong_answer_loses_marks_and_is_told_why(path: Path) -> None:
    report = graded(*exercise_of(path), path.read_text())
    failed = [test for test in report.tests if test.outcome is not Outcome.PASSED]
    assert report.score < report.max_score
    assert all(test.message for test in failed)
    # a value that a hidden test can't go on with is the student's, as the examiner finds out
    faults = [test.message for test in failed if test.outcome is Outcome.GRADER_ERROR]
    assert all(fault.endswith("can't continue with that.") for fault in faults), reasons(report)


@pytest.mark.parametrize("path", some(answers("nothing"), 6))
@each_seed
def test_what_does_not_do_what_is_asked_earns_a_fifth_at_most(path: Path, seed: int) -> None:
    report = graded(*exercise_of(path), path.read_text(), seed)
    earned = [f"{test.score:g} {test.title}" for test in report.tests if test.score]
    assert report.score <= report.max_score / 5, earned


def test_every_exercise_has_hidden_tests_and_right_and_wrong_answers() -> None:
    tests = KIT.exercises.glob("*/hidden_tests/test_*.py")
    tested = {(path.parts[-3], path.stem.removeprefix("test_")) for path in tests}
    assert set(EXERCISES) == tested
    for assignment, exercise in EXERCISES:
        for kind in ("right", "wrong"):
            assert any((KIT.answers / assignment / exercise / kind).glob("*.py")), exercise


GARBAGE = {
    "None": "lambda value, args: None",
    "the input": "lambda value, args: args[0]",
    "zeros": "lambda value, args: value * 0",
    "ones": "lambda value, args: value * 0 + 1",
    "equal shares": "lambda value, args: value * 0 + 1 / max(1, value.shape[-1])",
    "nan": "lambda value, args: value * float('nan')",
}
# Replaces what a function, or a module's forward, returns; pairs and dicts part by part.
SPOIL = """
def _spoiled(function, make):
    def part(value, args):
        if isinstance(value, dict):
            return {{key: part(item, args) for key, item in value.items()}}
        if isinstance(value, tuple):
            return tuple(part(item, args) for item in value)
        return make(value, args)
    def spoiled(*args, **kwargs):
        value = function(*args, **kwargs)
        return part(value, [arg for arg in args if hasattr(arg, "shape")] or [None])
    return spoiled

if isinstance({name}, type):
    {name}.forward = _spoiled({name}.forward, {make})
else:
    {name} = _spoiled({name}, {make})
"""


COMPUTING = [each for each in EXERCISES if each[1] != "train"]  # it trains, whatever it returns


@pytest.mark.slow
@pytest.mark.parametrize("garbage", GARBAGE)
@pytest.mark.parametrize(("assignment", "exercise"), COMPUTING)
def test_garbage_earns_nothing(assignment: str, exercise: str, garbage: str) -> None:
    spoilt = solved(KIT, assignment)[exercise] + SPOIL.format(name=exercise, make=GARBAGE[garbage])
    report = graded(assignment, exercise, spoilt)
    assert [test.title for test in report.tests if test.score] == []
