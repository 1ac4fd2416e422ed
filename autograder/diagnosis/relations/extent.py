"""Right for some calls alone: for equal sizes, or for small numbers."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations

import numpy as np

from autograder.diagnosis.relations.evidence import Case, Evidence
from autograder.diagnosis.relations.results import Result
from autograder.diagnosis.relations.wording import axis_words

LARGE, ORDINARY = 50.0, 10.0  # the smallest large number, and the largest ordinary one


def equal_sizes(evidence: Evidence) -> str | None:
    """Find two lengths that are equal wherever the result is right, and nowhere else."""
    wrong, right = evidence.failures, evidence.agreeing
    if not set(map(_signature, wrong)) <= set(map(_signature, right)):
        return None
    if not wrong or len([case for case in right if _is_ordinary(case)]) < 2:
        return None
    for one, other in combinations(_lengths(wrong[0]), 2):
        is_natural = one[0] == other[0] or one[1] == other[1]
        if is_natural and _tell_apart(evidence, one, other):
            first, second = (f"the {axis_words(axis)} of {name}" for name, axis in (one, other))
            lengths = _lengths(wrong[0])
            return (
                f"{evidence.subject} is right in all of our calls in which {first} and {second} "
                "are of the same length, and in none in which they aren't, such as "
                f"{lengths[one]} and {lengths[other]}. Where do you use one for the other?"
            )
    return None


def up_to_a_length(evidence: Evidence) -> str | None:
    """Find the only length up to which results are right, and beyond which none is."""
    wrong, right = evidence.failures, evidence.agreeing
    if not wrong or len([case for case in right if case.is_telling]) < 3:
        return None
    found = []
    for length in _all_lengths(wrong[0]):
        ours, theirs = ([_all_lengths(case).get(length, 0) for case in e] for e in (right, wrong))
        if max(ours) < min(theirs) and len(set(ours)) > 1:
            found.append((length, max(ours), min(theirs)))
    if len(found) != 1:
        return None
    ((length, most, least),) = found
    return (
        f"{evidence.subject} is right in all of our calls in which {length} is {most} or less, and "
        f"in none in which it is {least} or more. What in your code is made for so many, or counts "
        "from the wrong end, or lets go of the rest?"
    )


def small_numbers(evidence: Evidence) -> str | None:
    """Find results that are right for ordinary numbers, and wrong for large ones."""
    wrong, right = evidence.failures, evidence.agreeing
    ordinary = [case for case in right if case.is_telling and _largest(case) <= ORDINARY]
    if len(ordinary) < 2 or not wrong:
        return None
    if min(map(_largest, wrong)) < max(LARGE, 2 * max(map(_largest, right))):
        return None
    if not set(map(_signature, wrong)) <= set(map(_signature, right)):
        return None
    return (
        f"{evidence.subject} is right where we pass small numbers, and wrong in every call with "
        "large ones; apart from their size the arguments are of the same kind. Which step "
        "can't hold what becomes of a large number, and what could be done before it?"
    )


def _lengths(case: Case) -> dict[tuple[str, int], int]:
    """Return the length of each axis of each argument, by name and axis from the end."""
    return {
        (name, axis): result.raw.shape[axis]
        for name, result in _arrays(case)
        for axis in range(-1, -result.raw.ndim - 1, -1)
    }


def _all_lengths(case: Case) -> dict[str, int]:
    """Return the lengths of a call's arguments, else of its right result, by words for each."""
    given = [(name, case.call.given[name].shapes[:1]) for name in case.call.arguments]
    found = _lengths_in([(name, shape) for name, shapes in given for shape in shapes])
    if not found and case.right is not None:
        return _lengths_in([("the right result", case.right.raw.shape)])
    return found


def _lengths_in(shapes: list[tuple[str, tuple[int, ...]]]) -> dict[str, int]:
    return {
        f"the length of the {axis_words(axis)} of {name}": shape[axis]
        for name, shape in shapes
        for axis in range(-1, -len(shape) - 1, -1)
    }


def _are_equal(case: Case, one: tuple[str, int], other: tuple[str, int]) -> bool | None:
    lengths = _lengths(case)
    return lengths[one] == lengths[other] if one in lengths and other in lengths else None


def _tell_apart(evidence: Evidence, one: tuple[str, int], other: tuple[str, int]) -> bool:
    """Tell whether two lengths are equal for right results, and differ for wrong ones."""
    return all(_are_equal(case, one, other) is True for case in evidence.agreeing) and all(
        _are_equal(case, one, other) is False for case in evidence.failures
    )


def _is_ordinary(case: Case) -> bool:
    """Tell whether nothing passed in or returned is as special as the identity."""
    arrays = [result for _, result in _arrays(case) if result.raw.dtype.kind == "f"]
    return case.is_telling and all(result.is_telling for result in arrays)


def _largest(case: Case) -> float:
    """Return the largest size of a finite number among the arguments."""
    sizes = [np.abs(result.numbers[np.isfinite(result.numbers)]) for _, result in _arrays(case)]
    return max((float(each.max()) for each in sizes if each.size), default=0.0)


def _arrays(case: Case) -> list[tuple[str, Result]]:
    return [
        (name, result)
        for name in case.call.arguments
        if (result := case.call.given[name].result) is not None and result.raw.ndim
    ]


def _signature(case: Case) -> Hashable:
    """Return the names of the arguments that a call was given."""
    given = case.call.given
    return tuple(name for name in case.call.arguments if not given[name].is_missing)
