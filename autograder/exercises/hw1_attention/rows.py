"""What hidden tests look at in rows of weights, so that each mistake costs its own points only."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.testing import expect


def shares(result: Any) -> Any:
    """Return what each entry of a matrix is of its row's sum; what is no matrix as it is.

    Rows of zeros stay zeros: they share out nothing, and aren't nan of the student's making.
    """
    if not isinstance(result, np.ndarray) or result.ndim != 2:
        return result
    totals = result.sum(axis=-1, keepdims=True)
    with np.errstate(all="ignore"):
        return np.where(totals == 0, result, result / totals)


def expect_choice(weights: Any, shape: tuple[int, ...], called: str) -> None:
    """Require finite numbers of `shape` that differ within a row, be they right or wrong."""
    expect.array(weights, shape)
    assert np.isfinite(weights).all(), f"Your {called} are not all finite numbers."
    assert np.ptp(weights, axis=-1).max() > 1e-3, (
        f"Your {called} are all alike within a row, where they should differ. What becomes of the "
        "scores on their way?"
    )
