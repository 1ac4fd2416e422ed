"""What hidden tests make of a result before they look at it, so that each mistake costs its idea.

A wrong container (a list, a tuple, an axis too many or too few) is told and paid for in one test of
each exercise; the others look at the numbers in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autograder.testing import expect
from autograder.testing.failures import StudentRaised

Shape = tuple[int, ...]


def shares(result: Any) -> Any:
    """Return what each entry of a matrix is of its row's sum; what is no matrix as it is.

    Rows of zeros stay zeros: they share out nothing, and aren't nan of the student's making.
    """
    if not isinstance(result, np.ndarray) or result.ndim != 2:
        return result
    totals = result.sum(axis=-1, keepdims=True)
    with np.errstate(all="ignore"):
        return np.where(totals == 0, result, result / totals)


def expect_choice(weights: Any, shape: Shape, called: str) -> None:
    """Require finite numbers of `shape` that differ within a row, be they right or wrong."""
    expect.array(weights, shape)
    assert np.isfinite(weights).all(), f"Your {called} are not all finite numbers."
    assert np.ptp(weights, axis=-1).max() > 1e-3, (
        f"Your {called} are all alike within a row, where they should differ. What becomes of the "
        "scores on their way?"
    )


def attempted(call: Callable[[], Any]) -> Any:
    """Return what a call returns, or None where the student's code raises: another test says so."""
    try:
        return call()
    except StudentRaised:
        return None


def repaired(value: Any, *shapes: Shape) -> Any:
    """Return the array of one of `shapes` that is in `value`; without one, `value` as it is.

    It may be in lists of rows, beside other results, or have axes of length 1 too many or too few.
    """
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (list, tuple)):
        inside = (_fitting(_as_array(each), shapes) for each in (value, *value))
        return next((each for each in inside if each is not None), value)
    found = _fitting(value, shapes)
    return value if found is None else found


def _as_array(value: Any) -> Any:
    if not isinstance(value, (list, tuple)):
        return value
    try:
        return np.array(value, dtype=float)
    except (TypeError, ValueError):
        return value


def _fitting(value: Any, shapes: Iterable[Shape]) -> Any:
    if not isinstance(value, (np.ndarray, np.generic)):
        return None
    for shape in shapes:
        if _long(value.shape) == _long(shape):
            return np.reshape(value, shape)
    return None


def _long(shape: Shape) -> Shape:
    return tuple(size for size in shape if size != 1)


def revealing(m: int) -> np.ndarray:
    """Return values (m, m + 1) whose context holds the weights, and a column of zeros."""
    return np.eye(m, m + 1)


def weights_and_context(result: Any, n: int, m: int, d_v: int) -> tuple[Any, Any]:
    """Find weights (n, m) and context (n, d_v), m and d_v being different, in what came back.

    Their order and containers have a test of their own, and cost no other points. Where a context
    of `revealing` values came back alone, the weights are in it. What isn't there is what stands in
    its place, or None.
    """
    parts = [result]
    if isinstance(result, dict):
        parts = list(result.values())
    elif (
        isinstance(result, (tuple, list))
        and _fitting(_as_array(result), [(n, m), (n, d_v)]) is None
    ):
        parts = list(result)
    weights, context = _taken(parts, (n, m)), _taken(parts, (n, d_v))
    if weights is None and context is not None and not parts and d_v == m + 1:
        weights = context[:, :m]
    if weights is None and parts:
        weights = parts.pop(0)
    if context is None and parts:
        context = parts.pop()
    return weights, context


def _taken(parts: list[Any], shape: Shape) -> Any:
    """Take the array of `shape` from `parts`; of several, that with the rows that sum to 1."""
    found = [(repaired(part, shape), place) for place, part in enumerate(parts)]
    found = [(each, place) for each, place in found if getattr(each, "shape", None) == shape]
    if not found:
        return None
    array, place = min(found, key=lambda each: not np.allclose(each[0].sum(-1), 1))
    del parts[place]
    return array


def expect_exact(values: Any, expected: np.ndarray, says: str, near: float = 2e-3) -> None:
    """Require numbers that are `near` the right ones to be right; others cost points elsewhere."""
    entries = np.asarray(values, dtype=float)
    if entries.shape == expected.shape and (np.abs(entries - expected) < near).all():
        expect.close(values, expected, says)
