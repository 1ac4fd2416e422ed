"""A course whose server is open, in which nobody has handed anything in yet."""

import os
from collections.abc import Iterator

import pytest

from autograder.course import Course
from autograder.course.course import DATABASE, SERVED
from autograder.serve.store import open_store
from tests.serve.houses import School, school_of
from tests.toy_class import ToyClass


@pytest.fixture(scope="session")
def fresh(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """Toys with the tables of a server that nobody has used yet: to make them takes its time."""
    course = ToyClass.like(fresh, tmp_path_factory.mktemp("served")).course
    with open_store(course):
        pass
    return course


@pytest.fixture
def toys(toys: ToyClass) -> ToyClass:
    """A course in which nobody handed anything in yet; on a database server no table is ready."""
    if DATABASE in os.environ:
        for path in toys.course.root.glob(f"{SERVED}*"):
            path.unlink()
    return toys


@pytest.fixture
def school(toys: ToyClass) -> Iterator[School]:
    with school_of(toys) as opened:
        yield opened
