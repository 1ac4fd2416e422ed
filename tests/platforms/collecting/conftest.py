"""A course of toys, and handing in to it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.platforms.collecting.collect import Collected, collect
from tests.platforms.collecting.sources import Hand, toys_course, zipped


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return toys_course(tmp_path / "course")


@pytest.fixture
def hand(course: Course, tmp_path: Path) -> Hand:
    """Collect a zip file of these files."""

    def hand_in(files: Mapping[str, bytes], platform: str | None = None) -> Collected:
        return collect(course, zipped(tmp_path / "class.zip", files), platform)

    return hand_in
