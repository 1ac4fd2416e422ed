"""Fixtures of the hidden tests of all assignments: what is drawn, as tensors.

Torch is imported where it is used: hw1 does without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pytest

if TYPE_CHECKING:
    import torch
    from torch import nn

    AnyModule = TypeVar("AnyModule", bound=nn.Module)

Draw = Callable[..., "torch.Tensor"]


@pytest.fixture
def draw(rng: np.random.Generator) -> Draw:
    """Draw `draw(*shape, scale=1.0)`: float32, normal of mean 0 and standard deviation `scale`."""
    import torch

    def draw(*shape: int, scale: float = 1.0) -> torch.Tensor:
        return torch.from_numpy(scale * rng.standard_normal(shape)).float()

    return draw


@pytest.fixture
def draw_tokens(rng: np.random.Generator) -> Draw:
    """Draw `draw_tokens(*shape, vocab_size=…)`: int64 token numbers."""
    import torch

    def draw_tokens(*shape: int, vocab_size: int) -> torch.Tensor:
        return torch.from_numpy(rng.integers(vocab_size, size=shape))

    return draw_tokens


@pytest.fixture
def randomise(draw: Draw) -> Callable[[AnyModule], AnyModule]:
    """Give every parameter of a module random values, norms included; return it in eval mode.

    Fresh norms are all alike, and fresh biases of attention are zero: mistakes would not show.
    """

    def randomise(module: AnyModule) -> AnyModule:
        for parameter in module.parameters():
            fan_in = parameter.shape[1] if parameter.dim() == 2 else 1
            parameter.requires_grad_(False).copy_(draw(*parameter.shape, scale=fan_in**-0.5))
        return module.eval()

    return randomise
