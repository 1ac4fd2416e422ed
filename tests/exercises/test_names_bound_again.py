"""In every exercise, what cells further down bind under its name neither helps nor hurts it."""

from itertools import pairwise

import pytest

from autograder.course import Course
from autograder.sandbox.host.probe import strongest
from tests.courses import EXERCISES, KIT, solved
from tests.graders import Graders, full, hand_in, scores

pytestmark = pytest.mark.slow
each_assignment = pytest.mark.parametrize("assignment", KIT.assignment_names())

WHOLE_MODELS = ("hw2_encoder", "hw3_transformer")  # which take longest, exercise by exercise
BROKEN = "\n\ndef {}(*args, **kwargs):\n    raise ValueError('not meant for the grader')\n"


def names_of(assignment: str) -> list[str]:
    """Return the exercises of an assignment, in the order of its notebook."""
    known = {exercise for of, exercise in EXERCISES if of == assignment}
    return [name for name in solved(KIT, assignment) if name in known]


@each_assignment
def test_right_answers_keep_their_marks_whatever_binds_their_names_again(
    graders: Graders, course: Course, assignment: str
) -> None:
    """The name of each exercise is bound once more at the end of the notebook."""
    names = names_of(assignment)
    own = [BROKEN.format(name) for name in names]
    report = hand_in(graders(assignment, strongest()), solved(course, assignment), *own)
    assert scores(report) == full(report)
    assert [warning.split()[0] for warning in report.warnings] == [f"`{name}`" for name in names]


@pytest.mark.parametrize(
    "assignment",
    [
        pytest.param(name, marks=pytest.mark.exhaustive if name in WHOLE_MODELS else ())
        for name in KIT.assignment_names()
    ],
)
def test_a_cell_may_bring_a_helper_with_the_name_of_the_exercise_above(
    graders: Graders, course: Course, assignment: str
) -> None:
    """Each is graded on its own; all that is wrong is the exercise above, which isn't used."""
    answers, names = solved(course, assignment), names_of(assignment)
    for above, name in pairwise(names):
        helped = {above: BROKEN.format(above), name: f"{answers[above]}\n\n\n{answers[name]}"}
        report = hand_in(graders(assignment, strongest()), answers | helped)
        (found,) = (exercise for exercise in report.exercises if exercise.name == name)
        assert scores(report)[above] == 0
        assert (found.score, found.followed_through) == (found.max_score, False)


@each_assignment
def test_stubs_get_nothing_for_right_answers_further_down(
    graders: Graders, course: Course, assignment: str
) -> None:
    """They lie beyond the next exercise: what stands beside a stub is graded in its place."""
    own = [solved(course, assignment)[name] for name in names_of(assignment)[:-1]]
    report = hand_in(graders(assignment, strongest()), {}, *own)
    assert scores(report) == dict.fromkeys(names_of(assignment), 0)
