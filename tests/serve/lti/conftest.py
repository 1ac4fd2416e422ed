"""A course that a platform links to."""

from collections.abc import Iterator

import pytest

from tests.serve.lti.worlds import World, world
from tests.toy_class import ToyClass


@pytest.fixture
def linked(toys: ToyClass) -> Iterator[World]:
    """A course that somebody here has accepted; nobody has come from it yet."""
    with world(toys.course) as made:
        yield made.accept()
