"""What several rooms' tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.sandbox.host.probe import works
from autograder.sandbox.host.program import ONE_THREAD
from autograder.sandbox.isolation import Isolation
from tests.grading import Graders

# As the command line does: processes that work side by side would wait for each other's threads.
os.environ.update(ONE_THREAD)


@pytest.fixture(scope="session")
def course() -> Course:
    """This repository's own course."""
    return Course(Path(__file__).parents[1])


@pytest.fixture(scope="session")
def graders(course: Course) -> Iterator[Graders]:
    """Graders that all tests share: to start one takes seconds."""
    graders = Graders(course)
    yield graders
    graders.close()


@pytest.fixture(
    params=[
        Isolation.ROOTNS,
        Isolation.USERNS,
        pytest.param(Isolation.LOCKDOWN, marks=pytest.mark.slow),
    ]
)
def level(request: pytest.FixtureRequest) -> Isolation:
    """Each level of isolation; what differs between them is tested in `sandbox`, fast or not."""
    return offered(request.param)


def offered(level: Isolation) -> Isolation:
    """Return `level`, or skip the test where it is not to be had."""
    if not works(level):
        pytest.skip(f"level {level} is not offered here")
    return level
