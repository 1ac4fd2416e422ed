"""The right numbers but for sign, a factor, or an axis of normalisation."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from autograder.diagnosis.relations.evidence import Case, Evidence
from autograder.diagnosis.relations.results import EXACT, Numbers, matches
from autograder.diagnosis.relations.wording import axis_words

_FORMS: tuple[tuple[str, Callable[[float], float]], ...] = (
    ("√{n}", math.sqrt),
    ("1/√{n}", lambda n: 1 / math.sqrt(n)),
    ("{n}", lambda n: n),
    ("1/{n}", lambda n: 1 / n),
)
_PLAIN = {2.0: "2", 0.5: "½", 10.0: "10", 0.1: "1/10", 100.0: "100", 0.01: "1/100"}


def sign(evidence: Evidence) -> str | None:
    """Find results with every sign reversed, or True and False exchanged."""
    if evidence.holds(_is_negated):
        case = evidence.differing[0]
        is_mask = case.right is not None and case.right.raw.dtype.kind == "b"
        change = "True and False exchanged" if is_mask else "every sign reversed"
        return (
            f"{evidence.subject} is the right result with {change}, in one of our calls with shape "
            f"{case.out.shape} as in the others. Apart from that, everything is right. Where is a "
            f"{'comparison or a `not`' if is_mask else 'minus'} too many, or one missing?"
        )
    return None


def factor(evidence: Evidence) -> str | None:
    """Find results that are all the right ones times the same number, or the same expression."""
    factors = [_factor(case) for case in evidence.differing]
    known = [each for each in factors if each is not None]
    if not known or len(known) < len(factors):
        return None
    is_constant = np.ptp(known) <= 1e-3 * abs(known[0])
    constant = float(np.median(known))
    words = _named(evidence)
    if not words and is_constant and evidence.holds(_is_times(lambda _: constant)):
        words = f"{_round_number(constant)} in all our calls"
    if not words:
        return None
    return (
        f"{evidence.subject} is the right result times {words}. The factor is the same in every "
        "entry: what do you multiply or divide by that the formula doesn't, or which step have you "
        "left out?"
    )


def row_factor(evidence: Evidence) -> str | None:
    """Find results in which each row is the right one times a number of its own."""
    if not evidence.holds(lambda case: _row_factors(case) is not None):
        return None
    uneven = [case for case in evidence.differing if _has_uneven_rows(case)]
    if not uneven:
        return None
    return (
        f"{evidence.subject} is right but for a factor in each row: in one of our calls, of shape "
        f"{uneven[0].out.shape}, the numbers of a row are in the right proportions, and "
        "all of them are too large, or too small. What is each row of yours divided by, or "
        "multiplied with, and what is missing from that, or too much?"
    )


def other_axis(evidence: Evidence) -> str | None:
    """Find results that are normalised along another axis than the right ones."""
    for norm, words in ((_sums_to_one, "sum to 1"), (_is_standard, "have mean 0 and variance 1")):
        for right in (-1, -2, -3, -4):
            if not all(norm(case.wanted, right) for case in evidence.differing):
                continue
            for axis in (-1, -2, -3, -4, 0, 1, 2, None):
                if axis != right and evidence.holds(_normalised(norm, axis, right)):
                    where = "all together" if axis is None else f"along the {axis_words(axis)}"
                    shape = evidence.differing[0].out.shape
                    return (
                        f"The numbers in {evidence.subject_within} "
                        f"{words} {where}, where they should along the {axis_words(right)}; look "
                        f"at a result of shape {shape}. Which index changes while NumPy or PyTorch "
                        "walks along an axis?"
                    )
    return None


def _is_negated(case: Case) -> bool:
    if case.right is not None and case.right.raw.dtype.kind == "b":
        return matches(case.out, 1 - case.wanted)
    return matches(case.out, -case.wanted)


def _factor(case: Case) -> float | None:
    """Return the number that the right result was multiplied by, if there is one."""
    out, right = (case.out, case.wanted) if case.got else (np.zeros(0), np.ones(0))
    if out.shape != right.shape or not np.isfinite(out).all() or not np.isfinite(right).all():
        return None
    square = float((right * right).sum())
    number = float((out * right).sum()) / square if square else 0.0
    is_factor = abs(number) > EXACT and matches(out, number * right)
    return number if is_factor else None


def _row_factors(case: Case) -> Numbers | None:
    """Return by what each row, along the last axis, is multiplied, if it is."""
    out, right = (case.out, case.wanted) if case.got else (np.zeros(0), np.ones(1))
    if not right.ndim or out.shape != right.shape:
        return None
    if not (np.isfinite(out).all() and np.isfinite(right).all()):
        return None
    squares = (right * right).sum(-1, keepdims=True)
    factors = (out * right).sum(-1, keepdims=True) / np.where(squares > 0, squares, 1)
    is_scaled = bool((np.abs(factors) > EXACT).all()) and matches(out, factors * right)
    return factors if is_scaled else None


def _has_uneven_rows(case: Case) -> bool:
    """Tell whether rows of three numbers or more have different factors."""
    factors = _row_factors(case)
    if factors is None or not case.is_telling or case.out.shape[-1] < 3:
        return False
    return bool(np.ptp(factors) > 0.01 * np.abs(factors).max())


def _is_times(number: Callable[[Case], float | None]) -> Callable[[Case], bool | None]:
    def relation(case: Case) -> bool | None:
        times = number(case)
        return None if times is None else matches(case.out, times * case.wanted)

    return relation


def _named(evidence: Evidence) -> str:
    """Return words for a factor that is an expression in a size of what the calls were given.

    If the size is the same in all calls, a small whole factor isn't taken for an expression.
    """
    constants = {round(_factor(case) or 0, 3) for case in evidence.differing}
    if len(constants) == 1 and constants <= _PLAIN.keys():
        return ""
    for name in _lengths(evidence.differing[0]):
        for form, value in _FORMS:
            if evidence.holds(_is_times(partial(_value_in_length, name, value))):
                if len({_lengths(case)[name] for case in evidence.differing}) > 1:
                    return f"{form.format(n='n')}, where n is {name}"
                length = _lengths(evidence.differing[0])[name]
                return f"{form.format(n=length)}, and {length} is {name}"
    return ""


def _value_in_length(name: str, value: Callable[[float], float], case: Case) -> float | None:
    length = _lengths(case).get(name)
    return value(length) if length else None


def _lengths(case: Case) -> dict[str, int]:
    """Return the sizes that a call was given, by the words for each."""
    found: dict[str, int] = {}
    for name, given in case.call.given.items():
        if given.result is None or name.startswith("the weights"):
            continue
        raw = given.result.raw
        if raw.ndim:
            for axis in range(-1, -raw.ndim - 1, -1):
                found[f"the length of the {axis_words(axis)} of {name}"] = raw.shape[axis]
        elif raw.dtype.kind == "i" and raw > 0:
            found[name] = int(raw)
    return found


def _round_number(number: float) -> str:
    for value, words in _PLAIN.items():
        if math.isclose(number, value, rel_tol=1e-3):
            return words
    return f"about {number:.3g}"


def _normalised(
    norm: Callable[[Numbers, int | None], bool], axis: int | None, right: int
) -> Callable[[Case], bool | None]:
    def relation(case: Case) -> bool | None:
        out, wanted = case.out, case.wanted
        if out.ndim < 2 or (axis is not None and not -out.ndim <= axis < out.ndim):
            return None
        if case.is_right:
            return norm(out, axis)
        return out.shape == wanted.shape and norm(out, axis) and not norm(out, right)

    return relation


def _sums_to_one(numbers: Numbers, axis: int | None) -> bool:
    if not _has(numbers, axis) or (numbers < 0).any():
        return False
    return bool(np.isclose(numbers.sum(axis), 1, atol=1e-4).all())


def _is_standard(numbers: Numbers, axis: int | None) -> bool:
    if not _has(numbers, axis) or (numbers.size if axis is None else numbers.shape[axis]) < 3:
        return False
    mean, spread = numbers.mean(axis), numbers.var(axis)
    return bool((np.abs(mean) < 1e-3).all() and (np.abs(spread - 1) < 0.02).all())


def _has(numbers: Numbers, axis: int | None) -> bool:
    is_there = axis is None or -numbers.ndim <= axis < numbers.ndim
    return is_there and bool(numbers.size) and bool(np.isfinite(numbers).all())
