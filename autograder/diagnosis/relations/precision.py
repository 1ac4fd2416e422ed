"""How exact a result is: its type, and the digits that are left."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from autograder.diagnosis.relations.evidence import Case, Evidence
from autograder.diagnosis.relations.results import (
    LOOSE,
    TENSOR,
    Numbers,
    Result,
    error,
    is_varied,
)


def wrong_type(evidence: Evidence) -> str | None:
    """Find results whose numbers are all right, in a type or dtype that no passed test allows."""
    if evidence.raised or not all(map(_is_right_but_for_rounding, evidence.compared)):
        return None
    mistyped = [each for each in evidence.compared if _types(each)[0] != _types(each)[1]]
    tolerated = {
        _types(case)
        for case in mistyped
        if case.call.passed and case.is_right and not _are_tensors(case)
    }
    cases = evidence.explaining(tuple(c for c in mistyped if _types(c) not in tolerated))
    if not cases:
        return None
    got, right = _types(min(cases, key=lambda case: case.size))
    return (
        f"{evidence.subject} has the right numbers in the wrong type: in one of our calls it "
        f"should be {right}, and yours is {got}. Which line makes it what it is, and which type "
        "does the exercise ask for?"
    )


def half_precision(evidence: Evidence) -> str | None:
    """Find results that have passed through float16 or bfloat16."""
    # what bfloat16 can hold of ordinary numbers, float16 can hold, too
    for name, keep in (("bfloat16", _in_brain), ("float16", _in_half)):
        if evidence.holds(partial(_is_kept, keep)) and _mostly_near(evidence):
            return (
                f"Each number in {evidence.subject_within} is one that "
                f"{name} can hold, and most are right to about three digits, but no further. With "
                "16 bits for a number the other digits are lost, even if you return another type, "
                f"and large numbers suffer most. Where do you go by way of {name}?"
            )
    return None


def _types(case: Case) -> tuple[str, str]:
    return _type_words(case.got), _type_words(case.right)


def _are_tensors(case: Case) -> bool:
    """Tell whether both are tensors, which can't be combined unless their dtypes are the same."""
    return all(each is not None and each.container == TENSOR for each in (case.got, case.right))


def _type_words(result: Result | None) -> str:
    return result.type_words if result else "something else"


def _is_right_but_for_rounding(case: Case) -> bool:
    """Tell whether the numbers are right, as far as two types can agree."""
    return case.got is not None and error(case.out, case.wanted) <= LOOSE


def _is_kept(keep: Callable[[Numbers], Numbers], case: Case) -> bool | None:
    """Tell whether each number is one that 16 bits can hold; too large a one may be lost."""
    out, right = case.out, case.wanted
    is_float = case.right is not None and case.right.raw.dtype.kind == "f"
    if out.shape != right.shape or not is_float or not np.isfinite(right).all():
        return None
    finite = out[np.isfinite(out)]
    return bool((keep(finite) == finite).all())


def _mostly_near(evidence: Evidence) -> bool:
    """Tell whether most wrong results are right to about two digits, a telling one among them."""
    near = [case for case in evidence.differing if _is_near(case)]
    return any(is_varied(case.out) and case.is_telling for case in near) and 2 * len(near) > len(
        evidence.differing
    )


def _is_near(case: Case) -> bool:
    """Tell whether nearly all numbers are right to about two digits."""
    out, right = case.out, case.wanted
    allowed = 0.02 * (np.abs(right) + np.abs(right).mean())
    with np.errstate(invalid="ignore"):
        return bool((np.abs(out - right) <= allowed).mean() > 0.9)


def _in_half(numbers: Numbers) -> Numbers:
    with np.errstate(over="ignore"):
        return numbers.astype(np.float16).astype(np.float64)


def _in_brain(numbers: Numbers) -> Numbers:
    """Return the numbers as far as the upper 16 bits of a float32 hold them."""
    with np.errstate(over="ignore"):
        bits = numbers.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)
    return bits.view(np.float32).astype(np.float64)
