"""Graders with the limits that students meet."""

from collections.abc import Iterator

import pytest

from autograder.course import Course
from autograder.sandbox.limits import Limits
from tests.graders import Graders


@pytest.fixture(scope="package")
def graders(course: Course) -> Iterator[Graders]:
    """One for each assignment: what its students' processes are forked from imports torch."""
    graders = Graders(course, Limits())
    yield graders
    graders.close()
