"""The right numbers in another place: exchanged axes, shifted or permuted rows, mixed batches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, permutations

import numpy as np

from autograder.diagnosis.relations.evidence import Case, Evidence
from autograder.diagnosis.relations.reading import readings
from autograder.diagnosis.relations.results import Numbers, matches
from autograder.diagnosis.relations.wording import axis_words, plural, rows_words

MAX_AXES = 4


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
    if any(map(evidence.holds, readings(batch=False))):
        return (
            f"{evidence.subject} has the right shape and the right numbers, but in other places: "
            "that is how they lie if axes change places and the rest is read into the right shape "
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
    """Find entries of the batch in another order, and heads or tokens that are mixed."""
    if evidence.holds(lambda case: case.wanted.ndim > 2 and _is_permuted(0)(case)):
        return (
            f"{evidence.subject} has the right entries of the batch in another order: what belongs "
            f"to one of our sequences comes back at the place of another, {_example(evidence)}. "
            "Which step moves things along the first axis?"
        )
    if evidence.holds(_is_right_in_first_entry_alone):
        return (
            f"{evidence.subject} is right for the first entry of the batch and wrong for each of "
            f"the others, {_example(evidence)}. Whose numbers does each of our sequences meet, its "
            "own or those of another?"
        )
    if any(map(evidence.holds, readings(batch=True))):
        return (
            f"{evidence.subject} has the right shape and the right numbers, but heads, tokens or "
            "entries of the batch are mixed: that is how they lie if two axes change places and "
            "the rest is read on like a book. Which axes are next to each other before you split "
            "or join them?"
        )
    return None


def _is_right_in_first_entry_alone(case: Case) -> bool | None:
    out, right = case.out, case.wanted
    if right.ndim < 3 or len(right) < 2:
        return None
    if out.shape != right.shape:
        return False
    return matches(out[0], right[0]) and not any(map(matches, out[1:], right[1:]))


def permuted(evidence: Evidence) -> str | None:
    """Find the right rows in another order; likewise along other axes."""
    for axis in range(-2, -MAX_AXES - 1, -1):
        if found := _permuted_along(evidence, axis):
            return found
    return _permuted_along(evidence, -1) or _permuted_in_each_row(evidence)


def _permuted_in_each_row(evidence: Evidence) -> str | None:
    """Find the right numbers of each row in another order, which may differ between rows."""
    if not evidence.holds(_is_sorted_alike):
        return None
    return (
        f"Each row of {evidence.subject_within} has the right numbers, "
        f"but not each in its place, {_example(evidence)}. What changes their order, or doesn't "
        "bring it back?"
    )


def _is_sorted_alike(case: Case) -> bool | None:
    out, right = case.out, case.wanted
    if not right.ndim or case.right is None or case.right.raw.dtype.kind != "f":
        return None
    return out.shape == right.shape and matches(np.sort(out, axis=-1), np.sort(right, axis=-1))


def results_exchanged(evidence: Evidence) -> str | None:
    """Find several results that are right, each in the place of another."""
    replies: dict[tuple[int, int], dict[str, Case]] = defaultdict(dict)
    for case in evidence.compared:
        replies[case.call.test, case.call.place][case.piece] = case
    names = sorted({case.piece for case in evidence.cases})
    for order in permutations(names) if 1 < len(names) <= MAX_AXES else ():
        places = dict(zip(names, order, strict=True))
        is_moved = list(order) != names and any(case.is_telling for case in evidence.differing)
        if is_moved and all(_are_moved(reply, places) for reply in replies.values()):
            return (
                "What you return holds the right results in each other's places: in one of our "
                f"calls you return shape {evidence.differing[0].out.shape} where "
                f"{evidence.differing[0].wanted.shape} belongs. In which order, or under which "
                "names, does the exercise ask for them?"
            )
    return None


def _are_moved(reply: Mapping[str, Case], places: Mapping[str, str]) -> bool:
    return all(
        reply[name].got is not None and matches(reply[name].out, reply[other].wanted)
        for name, other in places.items()
    )


def _permuted_along(evidence: Evidence, axis: int) -> str | None:
    for step, order in ((-1, "in reverse order"), (0, "in another order")):
        if evidence.holds(_is_permuted(axis, is_reversed=step == -1)):
            rows = plural(rows_words(axis, evidence.differing[0].wanted.ndim))
            return (
                f"{evidence.subject} has the right {rows} {order} along the {axis_words(axis)}, "
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


def _shapes(evidence: Evidence) -> str:
    """Return the shapes of the smallest wrong result in which they differ, if there is one."""
    for case in evidence.differing:
        if case.out.shape != case.wanted.shape:
            return (
                f"in one of our calls the shape should be {case.wanted.shape}, and yours is "
                f"{case.out.shape}"
            )
    shape = evidence.differing[0].out.shape
    return f"see it in a call where two axes are equally long, and the shape, {shape}, is right"


def _example(evidence: Evidence) -> str:
    return f"in one of our calls with shape {evidence.differing[0].out.shape}"
