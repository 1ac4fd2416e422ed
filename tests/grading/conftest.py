"""A grader of toys."""

from collections.abc import Iterator

import pytest

from autograder.course import Course
from autograder.grading.grader import Grader
from autograder.grading.settings import Settings
from autograder.sandbox.host.probe import strongest
from tests.toys import TOYS


@pytest.fixture(scope="session")
def grader(fresh: Course) -> Iterator[Grader]:
    """One grader, and so one warm process, for all tests that only hand in to it."""
    with Grader(Settings(fresh, strongest()), TOYS) as grader:
        yield grader
