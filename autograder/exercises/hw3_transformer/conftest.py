"""Fixtures of the hidden tests of hw3_transformer: models with random weights of ordinary size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from autograder.testing import ModuleProxy, Student

from .sizes import numbers_by_name
from .small_models import (
    SIZES,
    SRC,
    TGT,
    Make,
)


@pytest.fixture
def transformer(student: Student, draw: Callable[..., torch.Tensor]) -> Make:
    """Make a small model in eval mode, whose parameters are random and of ordinary size."""

    def transformer(**sizes: Any) -> ModuleProxy:
        model: ModuleProxy = student.Transformer(SRC, TGT, **SIZES | sizes)
        model.eval()
        state, drawn = model.state(), {}
        for name in numbers_by_name(model):
            old = state[name]
            fan_in = old.shape[-1] if old.dim() > 1 else 1
            new = draw(*old.shape, scale=fan_in**-0.5 if old.dim() > 1 else 0.2)
            drawn[name] = new if old.dim() > 1 else old + new  # norms stay near 1
        model.load(drawn)
        return model

    return transformer
