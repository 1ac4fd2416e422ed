"""Every right answer on file gets full marks in the sandbox too, where it meets real limits.

A notebook answers every exercise in another of the styles on file, until each had its turn.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.report import Outcome
from autograder.sandbox.host.probe import strongest
from tests.answering import some
from tests.courses import EXERCISES, KIT, solved
from tests.graders import Graders, full, hand_in, scores

pytestmark = pytest.mark.slow


def notebooks() -> Iterator[tuple[str, dict[str, Path]]]:
    """Yield an assignment and an answer to each exercise, until each answer had its turn."""
    for assignment in KIT.assignment_names():
        names = [exercise for of, exercise in EXERCISES if of == assignment]
        answers = {n: sorted((KIT.answers / assignment / n / "right").glob("*.py")) for n in names}
        for turn in range(max(map(len, answers.values()))):
            yield assignment, {n: paths[turn % len(paths)] for n, paths in answers.items()}


# Most wait for `make exhaustive`: as plain functions, all answers are tried on every change.
@pytest.mark.parametrize(
    ("assignment", "paths"), some([pytest.param(*each) for each in notebooks()], 32)
)
def test_right_answers_of_all_styles_get_full_marks_in_the_sandbox(
    graders: Graders, course: Course, assignment: str, paths: dict[str, Path]
) -> None:
    answers = {name: path.read_text() for name, path in paths.items()}
    report = hand_in(graders(assignment, strongest()), solved(course, assignment) | answers)
    failed = [each for each in report.exercises if each.outcome is not Outcome.PASSED]
    said = {e.name: (paths[e.name].stem, [t.message for t in e.tests]) for e in failed}
    assert not failed, said
    assert scores(report) == full(report)
    assert all("is defined again" in warning for warning in report.warnings)  # by helpers
