"""Fixtures of the hidden tests of hw4: drawn inputs, and words for memory that grew with n².

50 000 tokens stand for "long": n² bytes are 2.3 GiB and so beyond the 2 GiB that a student's
process may take, be they but a mask of single bytes. What is linear in n takes a few megabytes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import numpy as np
import pytest
import torch

from autograder.report import Outcome
from autograder.student import StudentFailure, StudentOutOfMemory

Draw = Callable[..., torch.Tensor]


@pytest.fixture
def draw(rng: np.random.Generator) -> Draw:
    """Draw `draw(*shape, scale=1.0)`: float32, normal of mean 0 and standard deviation `scale`."""

    def draw(*shape: int, scale: float = 1.0) -> torch.Tensor:
        return torch.from_numpy(scale * rng.standard_normal(shape)).float()

    return draw


@pytest.fixture
def long() -> int:
    """How many tokens a long text has."""
    return 50_000


@pytest.fixture
def within_memory(long: int) -> Callable[[str], contextlib.AbstractContextManager[None]]:
    """Say what it means if a call in `with within_memory("Hint."): …` uses up the memory."""

    @contextlib.contextmanager
    def within_memory(hint: str) -> Iterator[None]:
        try:
            yield
        except StudentFailure as failure:
            if failure.outcome is not Outcome.MEMORY:
                raise
            raise StudentOutOfMemory(
                f"With {long:,} tokens your code ran out of memory: what it holds grows with n². "
                f"That would be {long**2:,} entries, too many even if each were a single byte. "
                f"{hint}"
            ) from None

    return within_memory
