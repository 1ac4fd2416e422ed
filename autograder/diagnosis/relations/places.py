"""Right for some alone: but for certain rows or columns, for equal sizes, or for small numbers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations, product
from typing import TypeAlias

import numpy as np

from autograder.diagnosis.relations.dependence import has
from autograder.diagnosis.relations.evidence import (
    Evidence,
    Numbers,
    ResultCase,
    arrays,
    from_the_end,
    is_varied,
    largest,
    length_words,
    lengths,
    matches,
)
from autograder.testing.comparison import are_near

_AXES = (-2, -1, -3, -4)
MOSTLY = 0.75  # of the entries: some may be right by chance
MANY = 4  # slices, of which those that are wrong are hardly so by chance
LARGE, ORDINARY = 50.0, 10.0  # the smallest large number, and the largest ordinary one
Places: TypeAlias = Callable[[int], Iterable[int]]  # of the slices that are wrong, of so many

_ENDS: tuple[tuple[str, Places], ...] = (
    ("the first {row}", lambda n: [0]),
    ("the last {row}", lambda n: [n - 1]),
    ("every {row} after the first", lambda n: range(1, n)),
    ("every {row} before the last", lambda n: range(n - 1)),
)
_PATTERNS: tuple[tuple[str, Places], ...] = (  # to be seen in axes of different lengths
    ("every second {row}, from the first on,", lambda n: range(0, n, 2)),
    ("every second {row}, from the second on,", lambda n: range(1, n, 2)),
    ("the first half of the {rows}", lambda n: range(n // 2)),
    ("the second half of the {rows}", lambda n: range(n // 2, n)),
)
# What a wrong row has False in a mask, and which rows are spared then.
_SPARED: tuple[tuple[str, Callable[[Numbers], Numbers]], ...] = (
    ("everything", lambda mask: np.asarray(mask.any(-1))),
    ("something", lambda mask: np.asarray(mask.all(-1))),
)


def partly_right(evidence: Evidence) -> Iterator[str]:
    """Find results that are wrong at certain places along an axis, and right at all others."""
    for choices, least_lengths in ((_ENDS, 1), (_PATTERNS, 2)):
        for (name, places), axis in product(choices, _AXES):
            if _all_wrong_in(evidence, axis, places, least_lengths):
                yield _told(evidence, axis, name)


def equal_sizes(evidence: Evidence) -> Iterator[str]:
    """Find two lengths that are equal wherever the result is right, and nowhere else."""
    wrong, right = evidence.failures, evidence.agreeing
    if not wrong or not _are_called_alike(evidence):
        return
    # nothing passed in or returned may be as special as the identity
    ordinary = (
        case.is_telling and all(v.is_telling for v in arrays(case) if v.raw.dtype.kind == "f")
        for case in right
    )
    if sum(ordinary) < 2:
        return
    known = [lengths(case, case.call.arguments) for case in (*wrong, *right)]
    should_be_equal = [False] * len(wrong) + [True] * len(right)
    for one, other in combinations(known[0], 2):
        is_natural = one[0] == other[0] or one[1] == other[1]
        if not (is_natural and all(one in each and other in each for each in known)):
            continue
        if [each[one] == each[other] for each in known] == should_be_equal:
            words = {"first": length_words(*one), "second": length_words(*other)}
            found = f"{known[0][one]} and {known[0][other]}"
            yield evidence.says("equal_sizes", lengths=found, **words)


def some_lengths(evidence: Evidence) -> Iterator[str]:
    """Find the only length that is even, or odd, or 1, where results are right, and nowhere else.

    It is 1 along the first axis of what should come back: a batch of one.
    """
    wrong, right = evidence.failures, [case for case in evidence.agreeing if case.is_telling]
    if not wrong or not _are_called_alike(evidence):
        return
    found = dict[tuple[int, ...], dict[str, str]]()  # by what is seen: two lengths may be the same
    for key, ours, theirs in _lengths_of_all(right, wrong):
        if _are_told_apart(set(ours), set(theirs)):
            word = "odd" if ours[0] % 2 else "even"
            found.setdefault((*ours, *theirs), {"length": length_words(*key), "word": word})
    if _first_lengths(right) == {1} and not _first_lengths(wrong) & {0, 1} and len(right) > 1:
        first = "the length of the first axis of the right result"
        yield evidence.says("some_lengths", length=first, word="1")
    if len(found) == 1:
        yield evidence.says("some_lengths", **found.popitem()[1])


def axes_of_length_one(evidence: Evidence) -> Iterator[str]:
    """Find results that are right where no axis of an argument has length 1, and nowhere else.

    It may be one axis that matters, if no other tells as much. Axes that have this length in every
    call say nothing.
    """
    wrong, right = evidence.failures, [case for case in evidence.agreeing if case.is_telling]
    if len(wrong) < 2 or len(right) < 2 or not _are_called_alike(evidence):
        return
    known = [_lengths_or_result(case) for case in (*right, *wrong)]
    varying = dict.fromkeys(key for each in known for key, n in each.items() if n != 1)
    is_wrong = [False] * len(right) + [True] * len(wrong)
    fitting = [key for key in varying if [each.get(key) == 1 for each in known] == is_wrong]
    if len({axis for _, axis in fitting}) == 1:
        length = length_words(*fitting[0])
        yield evidence.says("some_lengths", length=length, word="more than 1")
    elif [any(each.get(key) == 1 for key in varying) for each in known] == is_wrong:
        yield evidence.says("axes_of_length_one")


def _first_lengths(cases: Iterable[ResultCase]) -> set[int]:
    """Return the lengths of the first axes of right results; 0 for one that has no other axis."""
    shapes = [case.right.raw.shape if case.right else () for case in cases]
    return {shape[0] if len(shape) > 1 else 0 for shape in shapes}


def _are_told_apart(ours: set[int], theirs: set[int]) -> bool:
    """Tell whether lengths differ in parity alone: there are three of each at least, and they mix.

    With fewer, one of the arguments' lengths may well be odd where results are wrong by accident.
    """
    parities = {n % 2 for n in ours}, {n % 2 for n in theirs}
    are_mixed = min(max(ours | {0}), max(theirs)) > max(min(ours | {0}), min(theirs))
    return parities in (({0}, {1}), ({1}, {0})) and min(len(ours), len(theirs)) > 2 and are_mixed


def small_numbers(evidence: Evidence) -> Iterator[str]:
    """Find results that are right for ordinary numbers, and wrong for large ones."""
    wrong, right = evidence.failures, evidence.agreeing
    ordinary = [case for case in right if case.is_telling and largest(case) <= ORDINARY]
    if len(ordinary) < 2 or not wrong:
        return
    is_large = min(map(largest, wrong)) >= max(LARGE, 2 * max(map(largest, right)))
    if is_large and _are_called_alike(evidence):
        yield evidence.says("small_numbers")


def up_to_a_length(evidence: Evidence) -> Iterator[str]:
    """Find the only length up to which results are right, and beyond which none is."""
    wrong, right = evidence.failures, evidence.agreeing
    if not wrong or len([case for case in right if case.is_telling]) < 3:
        return
    found = []
    for key, ours, theirs in _lengths_of_all(right, wrong):
        if max(ours) < min(theirs) and len(set(ours)) > 1:
            found.append({"length": length_words(*key), "most": max(ours), "least": min(theirs)})
    if len(found) == 1:
        yield evidence.says("up_to_a_length", **found[0])


def wrong_beyond(evidence: Evidence) -> Iterator[str]:
    """Find a length up to which results are right, the same in calls of different lengths."""
    for axis in _AXES:
        wrong = [_wrong_slices(case, axis) for case in evidence.differing]
        starts = {int(np.argmax(each)) if each is not None else 0 for each in wrong}
        start = max(starts, default=0)
        if len(starts) != 1 or start <= 1:
            continue
        if _all_wrong_in(evidence, axis, partial(range, start), 2):
            yield _told(evidence, axis, f"everything after the first {start} {{rows}}")


def wrong_where_masked(evidence: Evidence) -> Iterator[str]:
    """Find an argument of True and False that hides something just where the result is wrong."""
    for name in evidence.differing[0].call.arguments if evidence.differing else ():
        for words, spared in _SPARED:
            if _are_wrong_rows(evidence, name, spared):
                yield evidence.says("wrong_where_masked", argument=name, something=words)


def one_missing_or_too_many(evidence: Evidence) -> Iterator[str]:
    ends = (("first", slice(1, None)), ("last", slice(None, -1)))
    changes = (("is missing", True), ("is one too many", False))
    for axis, (end, kept), (words, is_missing) in product(_AXES, ends, changes):
        if evidence.holds(partial(_lacks, axis, kept, is_missing)):
            what = evidence.along(axis) | {"end": end, "what": words}
            yield evidence.says("one_missing_or_too_many", **what)


def _lacks(axis: int, kept: slice, is_missing: bool, case: ResultCase) -> bool | None:
    """Tell whether a slice at one end is missing from what came back, or else is one too many."""
    longer, shorter = (case.wanted, case.out) if is_missing else (case.out, case.wanted)
    if longer.ndim < -axis or longer.ndim != shorter.ndim or case.is_right:
        return None
    rest = np.moveaxis(longer, axis, 0)[kept]
    return shorter.size > 0 and matches(rest, np.moveaxis(shorter, axis, 0))


def _mask(case: ResultCase, name: str) -> Numbers | None:
    given = case.call.given.get(name)
    if given is None or given.value is None or given.value.raw.dtype.kind != "b":
        return None
    mask = given.value.raw
    if mask.ndim == 4 and mask.shape[1] == 1 and case.wanted.ndim == 3:
        mask = mask[:, 0]
    return mask if mask.ndim >= 2 else None


def _are_wrong_rows(evidence: Evidence, name: str, spared: Callable[[Numbers], Numbers]) -> bool:
    """Tell whether the wrong rows are those that a mask doesn't spare, and not all in each."""
    is_partly = False
    for case in evidence.differing:
        mask, wrong = _mask(case, name), _wrong_entries(case)
        if mask is None or wrong is None or wrong.ndim < 2:
            return False
        rows = wrong.any(-1)
        try:
            expected = np.broadcast_to(~spared(mask), rows.shape)
        except ValueError:
            return False
        if (rows != expected).any():
            return False
        is_partly |= not rows.all() and is_varied(case.wanted[~rows])
    return is_partly


def _all_wrong_in(evidence: Evidence, axis: int, places: Places, least_lengths: int) -> bool:
    """Tell whether just these slices are wrong in each wrong result, and others are telling.

    There have to be axes of so many different lengths, and a long one.
    """
    found, is_telling = set[int](), False  # the axes' lengths
    for case in evidence.differing:
        if case.wanted.ndim >= -axis and case.wanted.shape[axis] == 1 and 0 in places(1):
            continue  # the only slice is the first, and the last
        wrong = _wrong_slices(case, axis)
        if wrong is None or np.flatnonzero(wrong).tolist() != list(places(len(wrong))):
            return False
        entries = _wrong_entries(case)  # slices are to be wrong as such, not only here and there
        if entries is None or np.moveaxis(entries, axis, 0)[wrong].mean() < MOSTLY:
            return False
        found.add(len(wrong))
        if len(wrong) > 2:
            is_telling |= is_varied(np.moveaxis(case.wanted, axis, 0)[~wrong])
    calls = {(case.call.test, case.call.place) for case in evidence.differing}
    is_long = max(found, default=0) >= MANY
    return is_telling and len(calls) > 1 and len(found) >= least_lengths and is_long


def _wrong_slices(case: ResultCase, axis: int) -> Numbers | None:
    """Return which slices along an axis are wrong; None if not some are wrong and some right."""
    wrong = _wrong_entries(case)
    if wrong is None or wrong.ndim < -axis:
        return None
    others = tuple(each for each in range(wrong.ndim) if each != wrong.ndim + axis)
    slices = np.asarray(wrong.any(axis=others))
    return None if slices.all() or not slices.any() else slices


def _wrong_entries(case: ResultCase) -> Numbers | None:
    if not case.has_right_shape:
        return None
    return ~are_near(case.out, case.wanted, case.allowed)


def _told(evidence: Evidence, axis: int, name: str) -> str:
    words = evidence.along(axis)
    along = " along the {axis}" if words["row"] == "slice" else ""
    return evidence.says("partly_right", where=f"{name}{along}".format(**words))


def _lengths_or_result(case: ResultCase) -> dict[tuple[str, int], int]:
    """Return the lengths of a call's arguments, else of its right result."""
    shape = case.right.raw.shape if case.right else ()
    found = lengths(case, case.call.arguments)
    return found or {("the right result", axis): n for axis, n in from_the_end(shape)}


def _lengths_of_all(
    right: Iterable[ResultCase], wrong: Sequence[ResultCase]
) -> Iterator[tuple[tuple[str, int], list[int], list[int]]]:
    """Yield each length of the first wrong call, in all right calls and in all wrong ones."""
    ours, theirs = ([_lengths_or_result(case) for case in cases] for cases in (right, wrong))
    for key in theirs[0]:
        yield key, [each.get(key, 0) for each in ours], [each.get(key, 0) for each in theirs]


def _are_called_alike(evidence: Evidence) -> bool:
    """Tell whether each call that failed was given arguments of names that a right one was, too."""
    wrong, right = (
        {tuple(name for name in case.call.arguments if has(case, name)) for case in cases}
        for cases in (evidence.failures, evidence.agreeing)
    )
    return wrong <= right
