"""The bugs that students find: each is somebody's, and the model input shows each of them."""

from itertools import count

import pytest

from autograder.diagnosis.banks import bugs_of
from tests.answering import examined
from tests.courses import KIT, solved

BUGS = [
    pytest.param(assignment, exercise, wrong, id=f"{exercise}-{number}")
    for assignment in KIT.assignment_names()
    for exercise, bugs in bugs_of(KIT, assignment).items()
    for number, wrong in enumerate(bugs.wrong)
]
OURS = '"instructor"'


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("assignment", "exercise", "wrong"), BUGS)
def test_the_model_input_shows_whichever_bug_an_id_draws(
    assignment: str, exercise: str, wrong: str
) -> None:
    bugs, answer = bugs_of(KIT, assignment)[exercise], solved(KIT, assignment)[exercise]
    student = next(f"student{n}" for n in count() if bugs.of(f"student{n}") == wrong)
    assert OURS in answer
    (found,) = examined(assignment, exercise, answer.replace(OURS, f'"{student}"'))
    assert found.passed, found.verdict.message


def test_there_are_so_many_bugs_that_neighbours_mostly_have_another() -> None:
    numbers = [len(b.wrong) for a in KIT.assignment_names() for b in bugs_of(KIT, a).values()]
    assert min(numbers) >= 6
