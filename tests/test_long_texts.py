"""A right answer that holds n² of anything loses the marks of the long text, and is told why."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course import Course
from autograder.report import Outcome
from autograder.sandbox.isolation import strongest
from tests.grading import Graders, hand_in, solved
from tests.test_answers import ANSWERS

pytestmark = pytest.mark.slow

QUADRATIC = sorted(ANSWERS.glob("hw4_efficient_attention/*/deadly/*.py"))


@pytest.mark.parametrize("path", QUADRATIC, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_quadratic_answer_loses_the_marks_for_memory_alone(
    graders: Graders, course: Course, path: Path
) -> None:
    assignment, exercise = path.parts[-4], path.parts[-3]
    answers = solved(course, assignment) | {exercise: path.read_text()}
    report = hand_in(graders(assignment, strongest()), answers)
    (graded,) = (each for each in report.exercises if each.name == exercise)
    (failed,) = (test for test in graded.tests if test.outcome is not Outcome.PASSED)
    assert failed.outcome is Outcome.MEMORY
    assert "grows with n²" in failed.message
    assert all(each.score == each.max_score for each in report.exercises if each is not graded)
