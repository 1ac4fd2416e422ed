"""What hidden tests that use torch draw and set: inputs, weights, and layers that say nothing.

Their `conftest` takes the fixtures that it needs from here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pytest
import torch
from torch import nn

Draw = Callable[..., torch.Tensor]
AnyModule = TypeVar("AnyModule", bound=nn.Module)


@pytest.fixture
def draw(rng: np.random.Generator) -> Draw:
    """Draw `draw(*shape, scale=1.0)`: float32, normal of mean 0 and standard deviation `scale`."""

    def draw(*shape: int, scale: float = 1.0) -> torch.Tensor:
        return torch.from_numpy(scale * rng.standard_normal(shape)).float()

    return draw


@pytest.fixture
def draw_tokens(rng: np.random.Generator) -> Draw:
    """Draw `draw_tokens(*shape, vocab_size=…)`: int64 token numbers."""

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


def silence(*layers: nn.Module) -> None:
    """Set all parameters of `layers` to zero."""
    for layer in layers:
        for parameter in layer.parameters():
            parameter.zero_()
