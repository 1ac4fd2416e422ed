"""What hidden tests make of a result before they look at it, so that each mistake costs its idea.

A wrong container (a list, an axis too many) costs the points of the first test that it fails. So
the test of what comes back stands first in each exercise.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
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


def expect_all_count(weights: np.ndarray, called: str) -> None:
    """Require a weight for each key; the first is of zeros, in the second entries cancel out."""
    for weight, what in zip(weights, ("are all 0", "sum to 0"), strict=False):
        assert weight != 0, (
            f"A {called} whose entries {what} gets a weight of 0. Its score is a number like any "
            "other, so it has a share: which line of yours decides who counts?"
        )
    assert np.all(weights != 0), (
        f"Some {called} gets a weight of 0, though softmax leaves nobody without a share: of "
        f"{len(weights)}, those in places {np.flatnonzero(weights == 0)[:5].tolist()}."
    )


def is_cut_off(found: Any, expected: np.ndarray) -> bool:
    """Tell whether shares are right but that small ones are 0, whatever becomes of the others."""
    if np.shape(found) != expected.shape:
        return False
    is_none = np.asarray(found) == 0
    is_gone = is_none & (expected > 1e-7)
    if not is_gone.any() or is_none.all(axis=-1).any():
        return False
    if expected[is_gone].max() >= expected[~is_none].min():
        return False
    left = np.where(is_gone, 0, expected)
    each_way = (left, left / left.sum(axis=-1, keepdims=True))
    return any(np.allclose(found, each, 1e-6, 1e-9) for each in each_way)


def faint() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return three queries (3, 4), all alike, three keys, and the weights of each query.

    The first key gets a fifteen-hundredth, which is 0.001 if it is rounded to three digits.
    """
    scores = np.array([1.0, 7.0, 8.0])
    keys = np.array([[1.0, 1, 0, 0], [7, 1, 0, 0], [8, 0, 1, 0]])
    weights = np.exp(scores) / np.exp(scores).sum()
    return np.tile([2.0, 0, 0, 0], (3, 1)), keys, np.tile(weights, (3, 1))


def expect_faint(weights: Any, expected: np.ndarray, called: str, reveals: str) -> None:
    """Require a weight for a key whose score lies seven below the best one's."""
    if np.shape(weights) != expected.shape:
        return
    says = (
        f"A {called} whose score lies 7 below the best one's should get about one share of 1500, "
        "and gets exactly 0. Which of your steps takes little for nothing?"
    )
    expect.that(not is_cut_off(weights, expected), says, reveals)
    assert weights[-1, 0] != 0, says


def expect_soft(weights_of: Callable[[np.ndarray], Any], leads: tuple[np.ndarray, ...]) -> None:
    """Require weights that go by how far a key leads; right they need not be.

    Whoever gives all to the best key, the same to each, or goes by the order alone hasn't computed
    what the test asks about. What isn't there, or has another shape, other tests tell.
    """
    asked = (*leads, leads[0])
    answers = [attempted(partial(weights_of, vectors)) for vectors in asked]
    if not all(isinstance(each, np.ndarray) and each.shape[1:] == (4,) for each in answers):
        return
    # of the last row: a mask that nobody asked for hides nothing from it, and costs elsewhere
    once, other, again = (np.sort(np.nan_to_num(each[-1].astype(float))) for each in answers)
    assert np.allclose(once, again), (
        "The same question was asked twice, and the weights are different ones."
    )
    assert (np.abs([once, other]) > 1e-12).sum(-1).min() > 1 and np.abs(
        once - other
    ).max() > 1e-4, (
        "In two questions the same key leads, by little in one and by more in the other. The "
        "weights are the same both times, or a single key gets everything. How do your weights "
        "depend on the scores?"
    )


def attempted(call: Callable[[], Any]) -> Any:
    """Return what a call returns, or None where the student's code raises: another test says so."""
    try:
        return call()
    except StudentRaised:
        return None


def revealing(m: int) -> np.ndarray:
    """Return values (m, m + 1) whose context holds the weights, and a column of zeros."""
    return np.eye(m, m + 1)


def weights_and_context(result: Any, n: int, m: int, d_v: int) -> tuple[Any, Any]:
    """Find weights (n, m) and context (n, d_v), m and d_v being different, in what came back.

    Their order has a test of its own, and costs no other points. Where a context of `revealing`
    values came back alone, the weights are in it. What isn't there is what stands in its place, or
    None.
    """
    parts = list(result) if isinstance(result, (tuple, list)) else [result]
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
    places = [n for n, part in enumerate(parts) if getattr(part, "shape", None) == shape]
    if not places:
        return None
    return parts.pop(min(places, key=lambda n: not np.allclose(parts[n].sum(-1), 1)))


def expect_exact(values: Any, expected: np.ndarray, says: str, near: float = 2e-3) -> None:
    """Require numbers that are `near` the right ones to be right; others cost points elsewhere.

    Where a right number is gone, and 0 stands in its place, more is wrong than a digit.
    """
    entries = np.asarray(values, dtype=float)
    if entries.shape != expected.shape or ((entries == 0) & (np.abs(expected) > 5e-4)).any():
        return
    if (np.abs(entries - expected) < near).all():
        expect.close(values, expected, says)
