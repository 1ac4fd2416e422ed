"""Fixtures of the hidden tests of hw2_encoder: layers of known weights, and the table of §3.5.

Reference modules are made here, given random weights and then loaded into the student's, so that
nothing depends on how, or in which order, the student's weights were drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import pytest
import torch
from torch import nn


@pytest.fixture
def unbiased(layers: nn.ModuleDict) -> nn.ModuleDict:
    """The `layers` of a file of tests with biases of 0, so that a slip in biases costs one test."""
    for layer in layers.values():
        layer.get_parameter("bias").zero_()
    return layers


@pytest.fixture
def by_hand() -> Callable[..., nn.ModuleDict]:
    """Make linear layers that multiply by the matrices given by name, with biases of 0."""

    def by_hand(**matrices: torch.Tensor) -> nn.ModuleDict:
        layers = nn.ModuleDict()
        for name, matrix in matrices.items():
            d_out, d_in = matrix.shape
            layers[name] = layer = nn.Linear(d_in, d_out).requires_grad_(False)
            layer.weight.copy_(matrix)
            layer.bias.zero_()
        return layers

    return by_hand


@cache  # one table is asked for by many tests
def entry(position: int, column: int, d_model: int) -> float:
    """Return one entry of the table of positions, in double precision (§3.5)."""
    angle = position / 10000 ** ((column - column % 2) / d_model)
    return math.cos(angle) if column % 2 else math.sin(angle)


@pytest.fixture
def sinusoids() -> Callable[[int, int], torch.Tensor]:
    """Compute the table of positions, each entry by itself."""

    def sinusoids(seq_len: int, d_model: int) -> torch.Tensor:
        rows = [
            [entry(row, column, d_model) for column in range(d_model)] for row in range(seq_len)
        ]
        return torch.tensor(rows)

    return sinusoids
