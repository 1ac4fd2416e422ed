"""A course whose written question has a rubric, in which nobody handed anything in yet."""

from pathlib import Path

import pytest

from autograder.course import Course
from tests.desk.desks import WITH_RUBRIC, answered
from tests.toy_class import ToyClass, in_the_gradebook
from tests.toys import course_of


@pytest.fixture(scope="session")
def unanswered(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return in_the_gradebook(course_of(tmp_path_factory.mktemp("desk"), WITH_RUBRIC))


@pytest.fixture
def school(unanswered: Course, tmp_path: Path, database: None) -> ToyClass:
    return ToyClass.like(unanswered, tmp_path)


@pytest.fixture(scope="session")
def because(unanswered: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """The same, in which student a answered "Because.": to copy from, for to record takes time."""
    school = ToyClass.like(unanswered, tmp_path_factory.mktemp("because"))
    return answered(school, {"a": "Because."}).course


@pytest.fixture
def one_answer(because: Course, tmp_path: Path) -> ToyClass:
    """A school in which student a answered "Because."."""
    return ToyClass.like(because, tmp_path)
