"""A course of toys to hand in to, and a graded class to export."""

from pathlib import Path

import pytest

from autograder.course import Course
from tests.platforms.graded import grade
from tests.platforms.sources import Inbox, toys_course
from tests.toy_class import ToyClass


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return toys_course(tmp_path / "course")


@pytest.fixture
def inbox(course: Course) -> Inbox:
    return Inbox(course)


@pytest.fixture(scope="session")
def fresh(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A copy of what other rooms share, for packages are written into it."""
    return ToyClass.like(fresh, tmp_path_factory.mktemp("packaged")).course


@pytest.fixture(scope="session")
def graded(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A class of toys, graded; tests only look at it."""
    return grade(ToyClass.like(fresh, tmp_path_factory.mktemp("graded")))


@pytest.fixture
def graded_copy(graded: Course, tmp_path: Path) -> ToyClass:
    """The same class, to change."""
    return ToyClass.like(graded, tmp_path)
