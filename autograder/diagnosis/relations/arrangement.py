"""The right numbers in another place: exchanged axes, shifted or permuted rows, mixed batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, permutations

import numpy as np

from autograder.diagnosis.relations.evidence import Case, Evidence
from autograder.diagnosis.relations.results import Numbers, clearly_differ, matches
from autograder.diagnosis.relations.wording import axis_words, rows_words

MAX_AXES = 4
MAX_REORDERED_AXES = 5  # with an axis of heads
_SHAPES = "in one of our calls the shape should be {right}, and yours is {got}"


def transposed(evidence: Evidence) -> str | None:
    """Find results with their last two axes exchanged, or all axes reversed."""
    for rearrange, words in (
        (lambda right: right.swapaxes(-1, -2), "with its last two axes exchanged"),
        (lambda right: right.T, "with all its axes in reverse order"),
    ):
        if evidence.holds(_is(rearrange, axes=2)):
            return (
                f"{evidence.subject} is the right result {words}: {_shapes(evidence)}. Which step "
                "turns rows into columns, or leaves them turned?"
            )
    return None


def axes_exchanged(evidence: Evidence) -> str | None:
    """Find results with two other axes exchanged; perhaps read into the right shape afterwards."""
    for first, second in _pairs():
        axes = f"its {axis_words(first)} and its {axis_words(second)}"
        exchange = _exchange(first, second)
        if evidence.holds(_is(exchange, axes=_axes_needed(first, second))):
            return (
                f"{evidence.subject} is the right result, but {axes} have changed places: "
                f"{_shapes(evidence)}. Which step exchanges two axes, or doesn't change them back?"
            )
    if any(map(evidence.holds, _read_on_holds(batch=False))):
        return (
            f"{evidence.subject} has the right shape and the right numbers, but in other places: "
            "just so do they lie if axes change places and the rest is read into the right shape "
            "like a book. `view` and `reshape` cut axes, and never exchange them. Where do you "
            "rely on one of the two?"
        )
    return None


def shifted(evidence: Evidence) -> str | None:
    """Find results that are one place further along an axis, whatever fills the gap."""
    for axis in range(-1, -MAX_AXES - 1, -1):
        for step, words in ((1, "later"), (-1, "earlier")):
            if evidence.holds(_is_shifted(axis, step)):
                case = evidence.differing[0]
                rows = rows_words(axis, case.wanted.ndim)
                return (
                    f"{evidence.subject} is the right result, shifted by one: each {rows} comes "
                    f"one place {words} than it should along the {axis_words(axis)}, in one of "
                    f"our calls with shape {case.out.shape}. What starts one too early or too "
                    "late: a range, a slice, a count?"
                )
    return None


def batch_mixed(evidence: Evidence) -> str | None:
    """Find batch entries that are permuted or all alike, and features shared out otherwise."""
    if evidence.holds(_is_alike_over_batch):
        case = evidence.differing[0]
        return (
            f"In {_inside(evidence)}, all {len(case.out)} entries of the batch are the same, where "
            "each should have a result of its own. Where do the entries of a batch meet, or where "
            "does one stand for all of them?"
        )
    if evidence.holds(lambda case: case.wanted.ndim > 2 and _is_permuted(0)(case)):
        return (
            f"{evidence.subject} has the right entries of the batch in another order: what belongs "
            f"to one of our sequences comes back at the place of another, {_example(evidence)}. "
            "Which step moves things along the first axis?"
        )
    if any(map(evidence.holds, _read_on_holds(batch=True))):
        return (
            f"{evidence.subject} has the right shape and the right numbers, but heads, tokens or "
            "entries of the batch are mixed: just so do they lie if two axes change places and the "
            "rest is read on like a book. Which axes are next to each other before you split or "
            "join them?"
        )
    return None


def permuted(evidence: Evidence) -> str | None:
    """Find the right rows in another order; likewise along other axes."""
    for axis in range(-2, -MAX_AXES - 1, -1):
        if found := _permuted_along(evidence, axis):
            return found
    return _permuted_along(evidence, -1)


def _permuted_along(evidence: Evidence, axis: int) -> str | None:
    for step, order in ((-1, "in reverse order"), (0, "in another order")):
        if evidence.holds(_is_permuted(axis, is_reversed=step == -1)):
            rows = rows_words(axis, evidence.differing[0].wanted.ndim)
            plural = "entries" if rows == "entry" else f"{rows}s"
            return (
                f"{evidence.subject} has the right {plural} {order} along the {axis_words(axis)}, "
                f"{_example(evidence)}: each is right, but not where it belongs. What changes "
                "their order, or doesn't bring it back?"
            )
    return None


def _is(rearrange: Callable[[Numbers], Numbers], axes: int) -> Callable[[Case], bool | None]:
    """Return whether a result is the right one, rearranged; None with fewer axes than needed."""

    def relation(case: Case) -> bool | None:
        return matches(case.out, rearrange(case.wanted)) if case.wanted.ndim >= axes else None

    return relation


def _pairs() -> Iterator[tuple[int, int]]:
    """Yield two axes, counted from the end, then from the front."""
    for first, second in combinations(range(MAX_AXES), 2):
        yield -second - 1, -first - 1
    yield from combinations(range(MAX_AXES), 2)


def _exchange(first: int, second: int) -> Callable[[Numbers], Numbers]:
    return lambda right: right.swapaxes(first, second)


def _axes_needed(first: int, second: int) -> int:
    return -first if first < 0 else second + 1


def _is_shifted(axis: int, step: int) -> Callable[[Case], bool | None]:
    def relation(case: Case) -> bool | None:
        if case.wanted.ndim < -axis or case.wanted.shape[axis] < 3:
            return None
        if case.out.shape != case.wanted.shape:
            return False
        out, right = np.moveaxis(case.out, axis, 0), np.moveaxis(case.wanted, axis, 0)
        late, early = (out, right) if step > 0 else (right, out)
        return matches(late[1:], early[:-1])

    return relation


def _is_permuted(axis: int, is_reversed: bool = False) -> Callable[[Case], bool | None]:
    """Return whether the slices along an axis are the right ones in another order.

    Slices are told apart by their product with fixed weights, so that sorting matches them.
    """

    def relation(case: Case) -> bool | None:
        right, out = case.wanted, case.out
        if not -right.ndim <= axis < right.ndim or right.shape[axis] < 3:
            return None
        if out.shape != right.shape or not np.isfinite(right).all() or not np.isfinite(out).all():
            return False
        if is_reversed:
            return matches(out, np.flip(right, axis))
        one, other = (
            np.moveaxis(each, axis, 0).reshape(right.shape[axis], -1) for each in (out, right)
        )
        weights = np.random.default_rng(0).normal(size=one.shape[1])
        return matches(one[np.argsort(one @ weights)], other[np.argsort(other @ weights)])

    return relation


def _is_alike_over_batch(case: Case) -> bool | None:
    right, out = case.wanted, case.out
    if right.ndim < 3 or len(right) < 2:
        return None
    if out.shape != right.shape or not np.ptp(out) or not np.isfinite(out).all():
        return False
    is_alike = matches(out, np.broadcast_to(out[:1], out.shape))
    return is_alike and (clearly_differ(right[0], right[-1]) or matches(out, right))


def _read_on_holds(batch: bool) -> Iterator[Callable[[Case], bool | None]]:
    """Yield relations: axes changed places, then the numbers were read into the right shape.

    `batch`: the first axis, or heads that the last one is split into, takes part.
    """
    if batch:
        yield _is_split_otherwise
    for ndim in (2, 3, 4):
        for order in permutations(range(ndim)):
            moves_batch = ndim > 2 and order[0] != 0
            if order != tuple(range(ndim)) and moves_batch is batch:
                yield _is_read_on(order)


def _is_read_on(order: tuple[int, ...]) -> Callable[[Case], bool | None]:
    def relation(case: Case) -> bool | None:
        right = case.wanted
        if right.ndim != len(order):
            return None
        return case.out.shape == right.shape and any(
            matches(case.out, each) for each in _readings(right, order, right.shape)
        )

    return relation


def _readings(right: Numbers, order: tuple[int, ...], shape: tuple[int, ...]) -> Iterator[Numbers]:
    """Yield `right` with its axes in another order, read into `shape`; and the way back."""
    yield right.transpose(order).reshape(shape)
    mixed = right.reshape([right.shape[axis] for axis in order])
    yield mixed.transpose(np.argsort(order)).reshape(shape)


def _is_split_otherwise(case: Case) -> bool | None:
    """Tell whether tokens and heads, or heads and their columns, have changed places."""
    right = case.wanted
    if not 2 <= right.ndim < MAX_REORDERED_AXES:
        return None
    if case.out.shape != right.shape:
        return False
    *before, last = range(right.ndim + 1)
    tokens = right.ndim - 2
    orders = [(*before[:tokens], tokens + 1, tokens, last), (*before[:-1], last, before[-1])]
    return any(
        matches(case.out, each)
        for heads in range(2, right.shape[-1])
        if right.shape[-1] % heads == 0
        for order in orders
        for each in _readings(right.reshape(*right.shape[:-1], heads, -1), order, right.shape)
    )


def _shapes(evidence: Evidence) -> str:
    case = evidence.differing[0]
    if case.out.shape == case.wanted.shape:
        return f"see it in a call where the shape, {case.out.shape}, is right by chance"
    return _SHAPES.format(right=case.wanted.shape, got=case.out.shape)


def _example(evidence: Evidence) -> str:
    return f"in one of our calls with shape {evidence.differing[0].out.shape}"


def _inside(evidence: Evidence) -> str:
    return evidence.subject[0].lower() + evidence.subject[1:]
