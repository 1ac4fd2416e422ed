"""Fixtures of the hidden tests of hw4_efficient_attention: drawn inputs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch


@pytest.fixture
def draw(rng: np.random.Generator) -> Callable[..., torch.Tensor]:
    """Draw `draw(*shape, scale=1.0)`: float32, normal of mean 0 and standard deviation `scale`."""

    def draw(*shape: int, scale: float = 1.0) -> torch.Tensor:
        return torch.from_numpy(scale * rng.standard_normal(shape)).float()

    return draw
