"""The right numbers in another place: exchanged axes, shifted or permuted rows, mixed batches.

Axes may have changed places before the numbers were read on, like a book, into the right shape.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, permutations, product

import numpy as np

from autograder.diagnosis.relations.evidence import (
    Evidence,
    Numbers,
    ResultCase,
    axis_words,
    matches,
)

MAX_AXES = 4  # of a result; heads add one
_AXES = range(-1, -MAX_AXES - 1, -1)


def transposed(evidence: Evidence) -> Iterator[str]:
    """Find results with their last two axes exchanged, or all axes reversed."""
    for words, rearrange in (
        ("with its last two axes exchanged", partial(np.swapaxes, axis1=-1, axis2=-2)),
        ("with all its axes in reverse order", np.transpose),
    ):
        if evidence.holds(partial(_is, rearrange, 2)):
            yield evidence.says("transposed", how=words, shapes=_shapes(evidence))


def axes_exchanged(evidence: Evidence) -> Iterator[str]:
    """Find results with two other axes exchanged; perhaps read into the right shape afterwards."""
    pairs = list(combinations(range(MAX_AXES), 2))
    for first, second in [*((-second - 1, -first - 1) for first, second in pairs), *pairs]:
        needed = -first if first < 0 else second + 1
        exchange = partial(np.swapaxes, axis1=first, axis2=second)
        if evidence.holds(partial(_is, exchange, needed)):
            axes = {"first": axis_words(first), "second": axis_words(second)}
            yield evidence.says("axes_exchanged", shapes=_shapes(evidence), **axes)
    if any(map(evidence.holds, _readings(batch=False))):
        yield evidence.says("read_on")


def _is(rearrange: Callable[[Numbers], Numbers], axes: int, case: ResultCase) -> bool | None:
    """Tell whether a result is the right one, rearranged; None with fewer axes than needed."""
    return matches(case.out, rearrange(case.wanted)) if case.wanted.ndim >= axes else None


def _shapes(evidence: Evidence) -> str:
    for case in evidence.differing:
        got, wanted = case.out.shape, case.wanted.shape
        if got != wanted:
            return f"in one of our calls the shape should be {wanted}, and yours is {got}"
    shape = evidence.differing[0].out.shape
    return f"see it in a call where two axes are equally long, and the shape, {shape}, is right"


def shifted(evidence: Evidence) -> Iterator[str]:
    """Find results that are one place further along an axis, whatever fills the gap."""
    for axis, (step, words) in product(_AXES, ((1, "later"), (-1, "earlier"))):
        if evidence.holds(partial(_is_shifted, axis, step)):
            yield evidence.says("shifted", direction=words, **evidence.along(axis))


def batch_mixed(evidence: Evidence) -> Iterator[str]:
    """Find entries of the batch in another order, and heads or tokens that are mixed."""
    if evidence.holds(lambda case: case.wanted.ndim > 2 and _is_permuted(0, False, case)):
        yield evidence.says("batch_permuted")
    if evidence.holds(_is_right_in_first_entry_alone):
        yield evidence.says("first_entry_alone")
    if any(map(evidence.holds, _readings(batch=True))):
        yield evidence.says("batch_read_on")


def permuted(evidence: Evidence) -> Iterator[str]:
    """Find the right rows in another order, likewise along other axes or in each row."""
    orders = ((True, "in reverse order"), (False, "in another order"))
    for axis, (is_reversed, order) in product((*_AXES[1:], -1), orders):
        if evidence.holds(partial(_is_permuted, axis, is_reversed)):
            yield evidence.says("permuted", order=order, **evidence.along(axis))
    if evidence.holds(_is_sorted_alike):
        yield evidence.says("permuted_in_rows")


def averaged(evidence: Evidence) -> Iterator[str]:
    """Find means or sums of the right results over an axis, which may be gone or filled up."""
    for axis, (words, reduce) in product(_AXES, (("averaged", np.mean), ("summed up", np.sum))):
        if evidence.gives(partial(_along, axis, partial(_reduced, reduce))):
            case = evidence.differing[0]
            is_filled_up = case.got and case.got.raw.shape == case.wanted.shape
            sentence = "averaged_everywhere" if is_filled_up else "averaged"
            yield evidence.says(sentence, how=words, axis=axis_words(axis))


def running_total(evidence: Evidence) -> Iterator[str]:
    """Find sums or means of all right slices along an axis, up to each place."""
    for axis, (words, total) in product(_AXES, (("the sum", _sums), ("the mean", _means))):
        if evidence.gives(partial(_along, axis, total)):
            yield evidence.says("running_total", what=words, **evidence.along(axis))


def one_for_all(evidence: Evidence) -> Iterator[str]:
    """Find the first or the last slice of the right result in the place of all others."""
    for axis, (place, end) in product(_AXES[1:], ((0, "first"), (-1, "last"))):
        if evidence.gives(partial(_along, axis, partial(_repeated, place))):
            yield evidence.says("one_for_all", end=end, **evidence.along(axis))


def _along(
    axis: int, change: Callable[[Numbers, int], Sequence[Numbers]], case: ResultCase
) -> Sequence[Numbers] | None:
    """Return what a change makes of the right result along an axis; None where nothing can."""
    right = case.wanted
    if right.ndim < -axis or right.shape[axis] < 2:
        return None
    with np.errstate(all="ignore"):
        return change(right, axis)


def _reduced(
    reduce: Callable[..., Numbers], right: Numbers, axis: int
) -> tuple[Numbers, Numbers, Numbers]:
    whole = np.asarray(reduce(right, axis=axis, keepdims=True))
    return whole, whole.squeeze(axis), np.broadcast_to(whole, right.shape)


def _sums(right: Numbers, axis: int) -> tuple[Numbers]:
    return (np.cumsum(right, axis),)


def _means(right: Numbers, axis: int) -> tuple[Numbers]:
    return (np.cumsum(right, axis) / np.cumsum(np.ones(right.shape), axis),)


def _repeated(place: int, right: Numbers, axis: int) -> tuple[Numbers]:
    return (np.broadcast_to(np.take(right, [place], axis), right.shape),)


def results_exchanged(evidence: Evidence) -> Iterator[str]:
    """Find several results that are right, each in the place of another."""
    replies: dict[tuple[int, int], dict[str, ResultCase]] = defaultdict(dict)
    for case in evidence.compared:
        replies[case.call.test, case.call.place][case.piece] = case
    names = sorted({case.piece for case in evidence.cases})
    if not 1 < len(names) <= MAX_AXES or not any(case.is_telling for case in evidence.differing):
        return
    for order in list(permutations(names))[1:]:  # the first is the order that they have
        if all(
            reply[name].got is not None and matches(reply[name].out, reply[other].wanted)
            for reply in replies.values()
            for name, other in zip(names, order, strict=True)
        ):
            yield evidence.says("results_exchanged")


def _is_shifted(axis: int, step: int, case: ResultCase) -> bool | None:
    if case.wanted.ndim < -axis or case.wanted.shape[axis] < 3:
        return None
    if case.out.shape != case.wanted.shape:
        return False
    out, right = np.moveaxis(case.out, axis, 0), np.moveaxis(case.wanted, axis, 0)
    late, early = (out, right) if step > 0 else (right, out)
    return matches(late[1:], early[:-1])


def _is_right_in_first_entry_alone(case: ResultCase) -> bool | None:
    out, right = case.out, case.wanted
    if right.ndim < 3 or len(right) < 2:
        return None
    if out.shape != right.shape:
        return False
    return matches(out[0], right[0]) and not any(map(matches, out[1:], right[1:]))


def _is_permuted(axis: int, is_reversed: bool, case: ResultCase) -> bool | None:
    """Tell whether the slices along an axis are the right ones, reversed or in any other order.

    Slices are told apart by their product with fixed weights, so that sorting matches them.
    """
    right, out = case.wanted, case.out
    if not -right.ndim <= axis < right.ndim or right.shape[axis] < 3 or case.is_nearly_right:
        return None
    if not case.is_finite:
        return False
    if is_reversed:
        return matches(out, np.flip(right, axis))
    one, other = (np.moveaxis(x, axis, 0).reshape(right.shape[axis], -1) for x in (out, right))
    weights = np.random.default_rng(0).normal(size=one.shape[1])
    return matches(one[np.argsort(one @ weights)], other[np.argsort(other @ weights)])


def _is_sorted_alike(case: ResultCase) -> bool | None:
    """Tell whether each row has the right numbers; their order may differ between rows."""
    out, right = case.out, case.wanted
    if not right.ndim or case.kind != "f" or case.is_nearly_right:
        return None
    return out.shape == right.shape and matches(np.sort(out, axis=-1), np.sort(right, axis=-1))


def _readings(batch: bool) -> Iterator[Callable[[ResultCase], bool | None]]:
    """Yield relations: axes changed places, then the numbers were read into the right shape.

    `batch`: the first axis, or heads that the last one is split into, takes part.
    """
    if batch:
        yield _is_split_otherwise
    for ndim in (2, 3, 4):
        for order in list(permutations(range(ndim)))[1:]:  # the first moves no axis
            if (ndim > 2 and order[0] != 0) is batch:
                yield partial(_is_read_on, order)


def _is_read_on(order: Sequence[int], case: ResultCase) -> bool | None:
    return _is_read(case, case.wanted, order) if case.wanted.ndim == len(order) else None


def _is_split_otherwise(case: ResultCase) -> bool | None:
    """Tell whether tokens and heads, or heads and their columns, have changed places."""
    right = case.wanted
    if not 2 <= right.ndim <= MAX_AXES:
        return None
    *before, last = range(right.ndim + 1)
    tokens = right.ndim - 2
    orders = [(*before[:tokens], tokens + 1, tokens, last), (*before[:-1], last, before[-1])]
    return any(
        _is_read(case, right.reshape(*right.shape[:-1], heads, -1), order)
        for heads in range(2, right.shape[-1])
        if right.shape[-1] % heads == 0
        for order in orders
    )


def _is_read(case: ResultCase, right: Numbers, order: Sequence[int]) -> bool:
    """Tell whether a result is `right` with its axes in another order, read on; or the way back."""
    shape = case.wanted.shape
    if case.out.shape != shape:
        return False
    mixed = right.reshape([right.shape[axis] for axis in order])
    return matches(case.out, right.transpose(order).reshape(shape)) or matches(
        case.out, mixed.transpose(np.argsort(order)).reshape(shape)
    )
