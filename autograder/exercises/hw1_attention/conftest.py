"""Fixtures of the hidden tests of hw1_attention.

`paired` and `large` are `(Q, K, V, attention_weights)`; where X is the identity, they may serve as
W_Q, W_K and W_V.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from .rows import revealing

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
def paired(draw: Draw) -> Arrays:
    """Four queries: the first two match the first two keys equally well, the last two the last.

    The weights don't depend on the scale of the scores, are the same for softmax along either axis,
    and when Q and K are exchanged.
    """
    hot = 20 * np.eye(3)[[0, 0, 1, 1]]
    weights = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]) / 2
    return hot, hot.copy(), draw(4, 5), weights


@pytest.fixture
def alike(draw: Draw) -> Arrays:
    """Four vectors (4, 4), and the softmax of their products with each other.

    The products are moderate, and each row and each column has the same. So neither an exchange of
    queries and keys nor the axis of softmax has an effect: only what divides the products. The
    vectors don't equal their transpose.
    """
    near, far = draw(2, scale=1 / 16) + np.array([0.3, 1.7])
    row = np.array([2 * abs(near) + abs(far) + 1, near, far, near])  # so there are such vectors
    weights = np.exp(np.stack([np.roll(row, shift) for shift in range(4)]))
    return np.roll(_with_products(row), 1, axis=1), weights / weights.sum(1)


@pytest.fixture
def leads(draw: Draw) -> Arrays:
    """Twice four vectors (4, 4), whose products with each other have the same order.

    How far the largest lead differs. Each row and each column has the same products, so neither
    an exchange of queries and keys nor the axis of softmax has an effect.
    """
    near, far, size = np.abs(draw(3)) / 8
    rows = ([lead + size, 1 + near, behind + far, 1 + near] for lead, behind in ((6, 4), (9, 5)))
    return tuple(_with_products(np.array(row)) for row in rows)


def _with_products(row: np.ndarray) -> np.ndarray:
    """Return vectors whose products with each other are the rotations of `row`."""
    sizes, directions = np.linalg.eigh(np.stack([np.roll(row, shift) for shift in range(4)]))
    vectors: np.ndarray = directions * np.sqrt(sizes) @ directions.T
    return vectors


@pytest.fixture
def large() -> Arrays:
    """Scores of hundreds of thousands on either side of 0, once divided by 2, and six keys.

    Those of the first two queries reach 500,000, those of the last two -300,000 at the most, and
    nobody looks at the last key. The weights don't depend on the scale; the values are `revealing`.
    """
    Q = np.array([[1000.0, 0, 0, 1], [0, 1000.0, -800_000, 1]])[[0, 0, 1, 1]]
    keys = np.array([[1000.0, 0, 1, 0], [0, 1000.0, 1, -800_000], [-1000.0, 0, 1, 0]])
    weights = np.array([[1 / 2, 1 / 2, 0, 0, 0, 0], [0, 0, 1 / 3, 1 / 3, 1 / 3, 0]])
    return Q, keys[[0, 0, 1, 1, 1, 2]], revealing(6), weights[[0, 0, 1, 1]]


@pytest.fixture
def two_tokens() -> Arrays:
    """The notebook's worked example: X, W_Q, W_K and W_V."""
    return (
        np.array([[6, 1, 4, 4], [8, 4, 6, 3]], dtype=float),
        np.array([[1, 4, 3, 1], [1, 1, 3, 2], [3, 4, 4, 3], [1, 2, 2, 2]], dtype=float),
        np.array([[2, 1, 2, 1], [4, 1, 4, 2], [3, 4, 4, 1], [3, 4, 1, 2]], dtype=float),
        np.array([[4, 2, 4, 4], [3, 4, 1, 2], [2, 2, 4, 1], [4, 3, 1, 4]], dtype=float),
    )
