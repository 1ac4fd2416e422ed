"""Fixtures of the hidden tests of hw1_attention.

The examples `paired`, `matched`, `graded` and `large` are `(Q, K, V, attention_weights)`. For
`self_attention` they serve as W_Q, W_K and W_V, with the identity for X. So that each mistake costs
its own points only, their weights are doubly stochastic, the same for softmax along either axis;
those of `paired`, `matched` and `large` don't depend on the scale of the scores; and all but those
of `matched` are symmetric, the same when Q and K are exchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.testing import expect

Draw = Callable[..., np.ndarray]
Arrays = tuple[np.ndarray, ...]


@pytest.fixture
def draw(rng: np.random.Generator) -> Draw:
    """Draw `draw(*shape, scale=1.0)`: about normal, of mean 0 and standard deviation `scale`.

    The numbers are eighths of `scale`, at most three times as large as it: so few digits that sums
    of products are exact in float32 as well, in whatever order they are added.
    """

    def draw(*shape: int, scale: float = 1.0) -> np.ndarray:
        eighths = np.round(8 * rng.standard_normal(shape))
        return scale * np.clip(eighths, -24, 24) / 8

    return draw


@pytest.fixture
def unpack() -> Callable[..., tuple[Any, Any]]:
    """Unpack `(attention_weights, context)`; weights of the shape given are found in either place.

    The order of the two has a test of its own, so that a swap costs no other points.
    """

    def unpack(pair: Any, weights_shape: tuple[int, int]) -> tuple[Any, Any]:
        first, second = expect.pair(pair, "attention_weights", "context")
        swapped = weights_shape == getattr(second, "shape", None) != getattr(first, "shape", None)
        return (second, first) if swapped else (first, second)

    return unpack


@pytest.fixture
def paired(draw: Draw) -> Arrays:
    """Four queries: the first two match the first two keys equally well, the last two the last."""
    hot = 20 * np.eye(3)[[0, 0, 1, 1]]
    weights = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]) / 2
    return hot, hot.copy(), draw(4, 5), weights


@pytest.fixture
def matched(draw: Draw) -> Arrays:
    """Three queries, each of which matches one key of its own: exchanging Q and K shows."""
    hot = 20 * np.eye(3, 4)
    return hot[[1, 2, 0]], hot, draw(3, 2), np.eye(3)[[1, 2, 0]]


@pytest.fixture
def graded(draw: Draw) -> Arrays:
    """Three queries and keys with d_k = 16, whose scores are logarithms once divided by 4."""
    keys = np.zeros((3, 16))
    keys[:, :3] = np.log([[1, 2, 5], [2, 5, 1], [5, 1, 2]])
    weights = np.array([[1, 2, 5], [2, 5, 1], [5, 1, 2]]) / 8
    return 4 * np.eye(3, 16), keys, draw(3, 5), weights


@pytest.fixture
def large(draw: Draw) -> Arrays:
    """As `paired`, with scores of hundreds of thousands on either side of 0, once divided by 2.

    Those of the first two queries reach 500,000, those of the last two -300,000 at the most.
    """
    first, last = [1000.0, 0, 0, 1], [0, 1000.0, -800_000, 1]
    Q, K = np.array([first, first, last, last]), np.array([first, first, last, last])
    K[:, 2:] = K[:, :1:-1]
    weights = np.kron(np.eye(2), np.full((2, 2), 0.5))
    return Q, K, draw(4, 5), weights


@pytest.fixture
def two_tokens() -> Arrays:
    """The notebook's worked example: X, W_Q, W_K and W_V."""
    return (
        np.array([[6, 1, 4, 4], [8, 4, 6, 3]], dtype=float),
        np.array([[1, 4, 3, 1], [1, 1, 3, 2], [3, 4, 4, 3], [1, 2, 2, 2]], dtype=float),
        np.array([[2, 1, 2, 1], [4, 1, 4, 2], [3, 4, 4, 1], [3, 4, 1, 2]], dtype=float),
        np.array([[4, 2, 4, 4], [3, 4, 1, 2], [2, 2, 4, 1], [4, 3, 1, 4]], dtype=float),
    )
