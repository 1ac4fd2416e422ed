"""Fixtures of the hidden tests of hw3_transformer: models with random weights, and a batch."""

from __future__ import annotations

import pytest

from autograder.testing import Student

from .calls import Maker
from .tiny_models import Draw, Pair, State, drawn_batch, drawn_state


@pytest.fixture
def transformer(student: Student, draw: Draw) -> Maker:
    """Make small models in eval mode, with random parameters."""
    return Maker(student, draw)


@pytest.fixture
def state(draw: Draw) -> State:
    """Draw parameters of a TinyModel."""
    return drawn_state(draw)


@pytest.fixture
def batch(draw_tokens: Draw) -> Pair:
    """Draw six pairs of a source and a target for a TinyModel."""
    return drawn_batch(draw_tokens, 6, 5, 7)
