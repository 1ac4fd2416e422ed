"""What the model examples say must hold holds of every right answer on file, however it rounds."""

from pathlib import Path

import pytest

from autograder.sandbox.host.in_process import InProcess
from autograder.testing import examples_of
from autograder.testing.student import Student
from tests.answering import answers, exercise_of
from tests.courses import KIT, solved

MANY = 3  # examples
ABOUT = {"softmax": "softmax_examples", "causal_mask": "causal_mask_examples"}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", [p for p in answers("right") if p.values[0].parts[-3] in ABOUT])
def test_a_right_answer_passes_the_model_examples(path: Path) -> None:
    assignment, exercise = exercise_of(path)
    cells = solved(KIT, assignment) | {exercise: path.read_text("utf-8")}
    student = Student(InProcess(cells.values()))
    for example in examples_of(getattr(student, ABOUT[exercise]), MANY):
        assert example.accepts(getattr(student, exercise)(example.input)), example.name
