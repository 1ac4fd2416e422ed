"""A graded class, to export."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course import Course
from tests.platforms.exporting.graded import grade
from tests.toy_class import ToyClass


@pytest.fixture(scope="session")
def graded(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A class of toys, graded; tests only look at it."""
    return grade(ToyClass.like(fresh, tmp_path_factory.mktemp("graded")))


@pytest.fixture
def graded_copy(graded: Course, tmp_path: Path) -> ToyClass:
    """The same class, to change."""
    return ToyClass.like(graded, tmp_path)
