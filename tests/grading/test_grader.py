"""Whole notebooks in, reports out; hostile ones are in `test_hostile`."""

import pytest

from autograder.course import Course
from autograder.errors import GraderFault
from autograder.grading.grader import Grader
from autograder.grading.settings import Settings
from autograder.report import Outcome
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.host.probe import strongest
from autograder.sandbox.limits import Isolation, Limits
from tests.courses import solved
from tests.graders import Graders, exercise_in, full, hand_in, messages, scores

ASSIGNMENTS = ["hw1_attention", pytest.param("hw2_encoder", marks=pytest.mark.slow)]  # torch
LAST = "worked_example"  # no other exercise of hw1 needs it


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_solution_gets_full_marks_on_every_exercise(
    graders: Graders, level: Isolation, course: Course, assignment: str
) -> None:
    report = hand_in(graders(assignment, level), solved(course, assignment))
    assert scores(report) == full(report)
    assert {one.outcome for one in report.exercises} == {Outcome.PASSED}
    assert report.warnings == ()
    assert report.isolation == level


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_blank_release_scores_zero_and_was_not_attempted(
    graders: Graders, level: Isolation, assignment: str
) -> None:
    report = hand_in(graders(assignment, level), {})
    assert report.score == 0
    assert {one.outcome for one in report.exercises} == {Outcome.NOT_ATTEMPTED}


def test_a_cell_that_raises_after_defining_is_graded_with_a_warning(
    graders: Graders, level: Isolation, course: Course
) -> None:
    answers = solved(course, "hw1_attention")
    late = answers["softmax"] + "\nsoftmax(nothing)"
    report = hand_in(graders("hw1_attention", level), answers | {"softmax": late})
    assert scores(report) == full(report)
    assert any("of the cell raised NameError" in warning for warning in report.warnings)


def test_what_needs_a_deadly_function_is_graded_without_it(
    graders: Graders, level: Isolation, course: Course
) -> None:
    answers = solved(course, "hw1_attention")
    deadly = {"softmax": "import os\n\ndef softmax(x):\n    os._exit(1)"}
    report = hand_in(graders("hw1_attention", level), answers | deadly)
    assert scores(report) == full(report) | {"softmax": 0}
    assert exercise_in(report, LAST).followed_through


@pytest.mark.slow
def test_a_notebook_has_so_much_time_and_no_more(course: Course) -> None:
    limits = Limits(notebook_seconds=1)
    answers, loop = solved(course, "hw1_attention"), "while True:\n    pass"
    with Grader(Settings(course, strongest(), limits=limits), "hw1_attention") as grader:
        above = hand_in(grader, answers, first=loop)
        below = hand_in(grader, answers, loop, "print('too late')")
    assert {one.outcome for one in above.exercises} == {Outcome.TIMEOUT}
    assert "The notebook's time limit of 1 s was reached" in messages(above, LAST)
    assert scores(below) == full(below)
    assert "The notebook's time limit of 1 s was reached" in below.warnings[0]


def test_a_fault_of_the_sandbox_is_not_the_students(
    graders: Graders, level: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(warm: WarmProcess, seconds: float) -> None:
        raise GraderFault("The sandbox is on fire.")

    grader = graders("hw1_attention", level)
    with monkeypatch.context() as patched:
        patched.setattr(WarmProcess, "spawn", fail)
        with pytest.raises(GraderFault, match="on fire"):
            hand_in(grader, {})
    assert hand_in(grader, {}).score == 0
