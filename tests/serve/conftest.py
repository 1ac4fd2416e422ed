"""A course whose server is open, in which nobody has handed anything in yet."""

from collections.abc import Iterator

import pytest

from tests.serve.houses import School, school_of
from tests.toy_class import ToyClass


@pytest.fixture
def school(toys: ToyClass) -> Iterator[School]:
    with school_of(toys) as opened:
        yield opened
