"""Fixtures of the hidden tests of hw3_transformer: models with random weights, and a batch."""

from __future__ import annotations

from typing import Any

import pytest

from autograder.testing import ModuleProxy, Student

from .sizes import numbers_by_name
from .small_models import SIZES, SRC, TGT, Make
from .tiny_models import Draw, Pair, State, drawn_batch, drawn_state


@pytest.fixture
def transformer(student: Student, draw: Draw) -> Make:
    """Make a small model in eval mode, whose parameters are random, of ordinary size or `scale`."""

    def transformer(scale: float = 1.0, **sizes: Any) -> ModuleProxy:
        model: ModuleProxy = student.Transformer(SRC, TGT, **SIZES | sizes)
        model.eval()
        state, drawn = model.state(), {}
        for name in numbers_by_name(model):
            old = state[name]
            fan_in = old.shape[-1] if old.dim() > 1 else 1
            new = draw(*old.shape, scale=scale * fan_in**-0.5 if old.dim() > 1 else 0.2)
            drawn[name] = new if old.dim() > 1 else old + new  # norms stay near 1
        model.load(drawn)
        return model

    return transformer


@pytest.fixture
def state(draw: Draw) -> State:
    """Draw parameters of a TinyModel."""
    return drawn_state(draw)


@pytest.fixture
def batch(draw_tokens: Draw) -> Pair:
    """Draw six pairs of a source and a target for a TinyModel."""
    return drawn_batch(draw_tokens, 6, 5, 7)
