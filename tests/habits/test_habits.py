"""A right answer keeps all its points, whatever ordinary habit surrounds it."""

from collections.abc import Iterator

import pytest

from autograder.sandbox.host.probe import strongest
from autograder.sandbox.limits import Limits
from tests.answering import some
from tests.courses import KIT
from tests.graders import Graders
from tests.habits import CATALOGUE
from tests.habits.edits import Habit, kept_in, together

NOTEBOOKS = [
    pytest.param(
        habits,
        id=f"{habits[0].title}, and {len(habits) - 1} more" if habits[1:] else habits[0].title,
    )
    for habits in together(CATALOGUE)
]


@pytest.fixture(scope="module")
def patient() -> Iterator[Graders]:
    """Graders with the limits of the course: what students import takes its time."""
    graders = Graders(KIT, Limits())
    yield graders
    graders.close()


@pytest.mark.slow
@pytest.mark.parametrize("habits", some(NOTEBOOKS, 4))
def test_a_right_answer_keeps_its_points_whatever_surrounds_it(
    patient: Graders, habits: list[Habit]
) -> None:
    grader = patient(habits[0].assignment, strongest())
    report = grader.grade(kept_in(habits))
    if report.score < report.max_score:  # whose fault is it?
        alone = {habit.title: grader.grade(habit.notebook()).score for habit in habits}
        raise AssertionError(f"less than {report.max_score:g}: {alone}; {report.warnings}")


@pytest.mark.exhaustive
@pytest.mark.parametrize("habit", CATALOGUE, ids=[habit.title for habit in CATALOGUE])
def test_it_keeps_them_in_each_habit_alone(patient: Graders, habit: Habit) -> None:
    report = patient(habit.assignment, strongest()).grade(habit.notebook())
    assert report.score == report.max_score, report.warnings


@pytest.mark.slow
def test_every_habit_has_a_name_of_its_own_and_changes_a_notebook() -> None:
    titles = [habit.title for habit in CATALOGUE]
    assert len(set(titles)) == len(titles)
    for habit in CATALOGUE:
        plain = Habit("none", lambda kept: None, habit.assignment)
        assert habit.notebook() != plain.notebook(), habit.title
