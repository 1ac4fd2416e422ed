"""A course of toys to hand in to, and a graded class to export."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.platforms.collecting.collect import Collected, collect_archive
from tests.platforms.graded import grade
from tests.platforms.sources import Hand, toys_course, zipped
from tests.toy_class import ToyClass


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return toys_course(tmp_path / "course")


@pytest.fixture
def hand(course: Course, tmp_path: Path) -> Hand:
    """Collect a zip file of these files."""

    def hand_in(files: Mapping[str, bytes], platform: str | None = None) -> Collected:
        return collect_archive(course, zipped(tmp_path / "class.zip", files), platform)

    return hand_in


@pytest.fixture(scope="session")
def graded(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A class of toys, graded; tests only look at it."""
    return grade(ToyClass.like(fresh, tmp_path_factory.mktemp("graded")))


@pytest.fixture
def graded_copy(graded: Course, tmp_path: Path) -> ToyClass:
    """The same class, to change."""
    return ToyClass.like(graded, tmp_path)
