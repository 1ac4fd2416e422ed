"""The strings of the capstone: drawn, turned around, and written by a model."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from autograder.testing import ModuleProxy, expect

STRINGS, DIGITS = 100_000, 5


def strings_of(numbers: np.ndarray[Any, Any]) -> torch.Tensor:
    """Write whole numbers as strings of five digits."""
    powers = 10 ** np.arange(DIGITS - 1, -1, -1)
    return torch.from_numpy(numbers[:, None] // powers % 10)


def reversed_targets(strings: torch.Tensor) -> torch.Tensor:
    """Return (batch, 7): 10 for bos, the digits from the end, 11 for eos."""
    begin, end = torch.full((len(strings), 1), 10), torch.full((len(strings), 1), 11)
    return torch.cat([begin, strings.flip(1), end], dim=1)


def decoded(model: ModuleProxy, src: torch.Tensor) -> torch.Tensor:
    """Write a target for each source, always the likeliest token, as long as the right ones."""
    tokens = torch.full((len(src), 1), 10)
    for _ in range(DIGITS + 1):
        logits: Any = model(src, tokens)
        expect.array(logits, (*tokens.shape, 12), "tensor", "Look at your Transformer first.")
        tokens = torch.cat([tokens, logits[:, -1:].argmax(dim=-1)], dim=1)
    return tokens


def share_written(model: ModuleProxy, src: torch.Tensor, targets: torch.Tensor) -> float:
    """Return the share of the sources whose whole target the model writes, eos included."""
    model.eval()
    right: torch.Tensor = (decoded(model, src) == targets).all(dim=1)
    return right.double().mean().item()
