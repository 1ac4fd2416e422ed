"""What several rooms' tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course import Course


@pytest.fixture(scope="session")
def course() -> Course:
    """This repository's own course."""
    return Course(Path(__file__).parents[1])
