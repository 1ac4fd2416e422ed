"""Every right answer on file gets full marks in the sandbox too, where it meets real limits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.sandbox.host.probe import strongest
from autograder.sandbox.limits import Limits
from tests.answering import answers, exercise_of
from tests.courses import solved
from tests.graders import Graders, full, hand_in, messages, scores

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def graders(course: Course) -> Iterator[Graders]:
    """Graders with the limits that students meet."""
    graders = Graders(course, Limits())
    yield graders
    graders.close()


@pytest.mark.parametrize("path", answers("right"))
def test_a_right_answer_gets_full_marks_in_the_sandbox(
    graders: Graders, course: Course, path: Path
) -> None:
    assignment, exercise = exercise_of(path)
    sources = solved(course, assignment) | {exercise: path.read_text()}
    report = hand_in(graders(assignment, strongest()), sources)
    assert scores(report) == full(report), messages(report, exercise)
    assert report.warnings == ()
