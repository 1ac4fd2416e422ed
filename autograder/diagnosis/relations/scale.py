"""The right numbers but for their type, their last digits, sign, a factor, or a normalised axis."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import numpy as np

from autograder.diagnosis.relations.evidence import (
    EXACT,
    LOOSE,
    TENSOR,
    Evidence,
    Numbers,
    ResultCase,
    agree,
    axis_words,
    is_varied,
    length_words,
    lengths,
    matches,
)

_FORMS: tuple[tuple[str, Callable[[float], float]], ...] = (
    ("√{n}", math.sqrt),
    ("1/√{n}", lambda n: 1 / math.sqrt(n)),
    ("{n}", lambda n: n),
    ("1/{n}", lambda n: 1 / n),
)
# In what a number is the same that is added: in all, in each row, in each column.
_ADDED = (
    ("one and the same number in every entry", None),
    ("a number of its own for each row", -1),
    ("a number of its own for each column", -2),
)
MAX_DECIMALS = 4  # with more, a result is right
_ON_GRID = 0.02  # of the last decimal: float32 can't hold it better
# what rounding takes from a number, in units of the last decimal
_ROUNDED = (("rounded to", -0.5, 0.5), ("cut off after", 0.0, 1.0))
_SIXTEEN_BITS: tuple[tuple[str, Callable[[Numbers], Numbers]], ...] = (
    # the upper 16 bits of a float32; what it can hold of ordinary numbers, float16 can hold, too
    ("bfloat16", lambda x: (x.astype("f4").view("u4") & np.uint32(0xFFFF0000)).view("f4")),
    ("float16", lambda x: x.astype("f2")),
)
_PLAIN = {2.0: "2", 0.5: "½", 10.0: "10", 0.1: "1/10", 100.0: "100", 0.01: "1/100"}


def wrong_type(evidence: Evidence) -> Iterator[str]:
    """Find results whose numbers are all right, in a type or dtype that no passed test allows."""
    if not all(case.got and agree(case.out, case.wanted, LOOSE) for case in evidence.compared):
        return
    mistyped = [each for each in evidence.compared if _types(each)[0] != _types(each)[1]]
    # tensors can't be combined unless their dtypes are the same
    tolerated = {
        _types(case)
        for case in mistyped
        if case.call.passed
        and case.is_right
        and not all(each and each.container == TENSOR for each in (case.got, case.right))
    }
    cases = evidence.explaining(tuple(c for c in mistyped if _types(c) not in tolerated))
    if cases:
        yours, right = _types(min(cases, key=lambda case: case.size))
        yield evidence.says("wrong_type", yours=yours, right=right)


def _types(case: ResultCase) -> tuple[str, str]:
    got, right = (each.type_words if each else "something else" for each in (case.got, case.right))
    return got, right


def half_precision(evidence: Evidence) -> Iterator[str]:
    """Find results that have passed through float16 or bfloat16."""
    for name, keep in _SIXTEEN_BITS:
        if not evidence.holds(partial(_is_kept, keep)):
            continue
        near = [case for case in evidence.differing if _is_near(case)]
        is_telling = any(is_varied(case.out) and case.is_telling for case in near)
        if is_telling and 2 * len(near) > len(evidence.differing):
            yield evidence.says("half_precision", name=name)


def _is_kept(keep: Callable[[Numbers], Numbers], case: ResultCase) -> bool | None:
    """Tell whether each number is one that 16 bits can hold; too large a one may be lost."""
    out, right = case.out, case.wanted
    if out.shape != right.shape or case.kind != "f" or not np.isfinite(right).all():
        return None
    finite = out[np.isfinite(out)]
    with np.errstate(over="ignore"):
        return bool((keep(finite) == finite).all())


def _is_near(case: ResultCase) -> bool:
    """Tell whether nearly all numbers are right to about two digits."""
    allowed = 0.02 * (np.abs(case.wanted) + np.abs(case.wanted).mean())
    with np.errstate(invalid="ignore"):
        return bool((np.abs(case.out - case.wanted) <= allowed).mean() > 0.9)


def sign(evidence: Evidence) -> Iterator[str]:
    """Find results with every sign reversed, or True and False exchanged."""
    if evidence.holds(
        lambda case: matches(case.out, 1 - case.wanted if case.kind == "b" else -case.wanted),
        of_numbers=True,
    ):
        is_mask = evidence.differing[0].kind == "b"
        yield evidence.says("sign_of_booleans" if is_mask else "sign")


def factor(evidence: Evidence) -> Iterator[str]:
    """Find results that are all the right ones times the same number, or the same expression."""
    found = [_factors(case) for case in evidence.differing]
    factors = [each.item() for each in found if each is not None]
    if not factors or len(factors) < len(found):
        return
    if all(f"{each:.3g}" == "1" for each in factors):  # digits are lost, which is another thing
        return
    words = _expression(evidence, factors)
    if not words and np.ptp(factors) <= 1e-3 * abs(factors[0]):
        constant = float(np.median(factors))
        if evidence.holds(lambda case: matches(case.out, constant * case.wanted), of_numbers=True):
            near = (w for n, w in _PLAIN.items() if math.isclose(constant, n, rel_tol=1e-3))
            words = f"{next(near, f'about {constant:.3g}')} in all our calls"
    if words:
        yield evidence.says("factor", factor=words)


def row_factor(evidence: Evidence) -> Iterator[str]:
    """Find results in which each row is the right one times a number of its own."""
    if evidence.holds(lambda case: case.wanted.ndim > 0 and _factors(case, -1) is not None):
        wide = (c for c in evidence.differing if c.is_telling and c.out.shape[-1] > 2)
        for case in wide:
            factors = _factors(case, -1)
            if factors is not None and np.ptp(factors) > 0.01 * np.abs(factors).max():
                yield evidence.says("row_factor", shape=case.out.shape)


def added(evidence: Evidence) -> Iterator[str]:
    """Find results that differ from the right ones by the same number, in all or in each row."""
    for words, axes in _ADDED:
        if evidence.holds(partial(_has_added, axes)):
            cases = [case for case in evidence.differing if case.is_telling]
            sums = [(case.out - case.wanted).mean() for case in cases]
            is_one = axes is None and np.ptp(sums) <= 1e-3 * abs(sums[0])
            if is_one or (axes is not None and any(min(case.out.shape) > 2 for case in cases)):
                yield evidence.says("added", what=words)


def _has_added(axes: int | None, case: ResultCase) -> bool | None:
    if not case.is_finite or case.wanted.ndim < 2 or case.kind != "f":
        return False
    if case.is_right:
        return not case.is_telling
    difference = case.out - case.wanted
    mean = difference.mean(axes, keepdims=True)
    return bool((np.abs(difference - mean) <= 1e-3 * np.abs(mean).max()).all())


def rounded(evidence: Evidence) -> Iterator[str]:
    """Find right results of which only a few decimals are left."""
    for digits, (words, least, most) in product(range(1, MAX_DECIMALS + 1), _ROUNDED):
        holds = evidence.holds(partial(_is_rounded, 10**digits, least, most))
        if holds and any(is_varied(case.out[case.out % 1 != 0]) for case in evidence.differing):
            decimals = "1 decimal" if digits == 1 else f"{digits} decimals"
            yield evidence.says("rounded", how=words, decimals=decimals)


def _is_rounded(unit: int, least: float, most: float, case: ResultCase) -> bool:
    if not case.is_finite or case.kind != "f":
        return False
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is on no grid
        out, right = case.out * unit, case.wanted * unit
        lost = (right - out) * np.sign(right)
        near = (np.abs(out - np.rint(out)) <= _ON_GRID) & (lost >= least - _ON_GRID)
    return bool((near & (lost <= most + _ON_GRID)).all())


def clamped(evidence: Evidence) -> Iterator[str]:
    """Find right results whose largest or smallest entries are one and the same number."""
    outs = [case.out for case in evidence.differing if case.got is not None and case.out.size]
    if not outs or not all(case.kind == "f" for case in evidence.differing):
        return
    low, high = min(x.min() for x in outs), max(x.max() for x in outs)
    for words, least, most in (
        ("largest", -np.inf, high),
        ("smallest", low, np.inf),
        ("largest and smallest", low, high),
    ):
        if evidence.holds(partial(_is_within, least, most)):
            wanted = np.concatenate([case.wanted.ravel() for case in evidence.differing])
            is_kept = (least <= wanted) & (wanted <= most)
            if is_varied(wanted[is_kept]) and is_varied(wanted[~is_kept]):
                yield evidence.says("clamped", which=words)


def _is_within(least: float, most: float, case: ResultCase) -> bool:
    return agree(case.out, case.wanted.clip(least, most), LOOSE)


def _factors(case: ResultCase, axis: int | None = None) -> Numbers | None:
    """Return the number that a result is multiplied by, or those along an axis, if it is."""
    if not case.is_finite:
        return None
    out, right = case.out, case.wanted
    squares = (right * right).sum(axis, keepdims=True)
    factors = (out * right).sum(axis, keepdims=True) / np.where(squares > 0, squares, 1)
    is_scaled = bool((np.abs(factors) > EXACT).all()) and matches(out, factors * right)
    return np.asarray(factors) if is_scaled else None


def _expression(evidence: Evidence, factors: list[float]) -> str:
    """Return words for a factor that is an expression in a size of what the calls were given.

    If the size is the same in all calls, a small whole factor isn't taken for an expression.
    """
    constants = {round(number, 3) for number in factors}
    if len(constants) == 1 and constants <= _PLAIN.keys():
        return ""
    for name, length in _sizes(evidence.differing[0]).items():
        for form, value in _FORMS:
            if evidence.holds(partial(_is_times, name, value), of_numbers=True):
                if len({_sizes(case)[name] for case in evidence.differing}) > 1:
                    return f"{form.format(n='n')}, where n is {name}"
                return f"{form.format(n=length)}, and {length} is {name}"
    return ""


def _is_times(name: str, value: Callable[[float], float], case: ResultCase) -> bool | None:
    size = _sizes(case).get(name)
    return matches(case.out, value(size) * case.wanted) if size else None


def _sizes(case: ResultCase) -> dict[str, int]:
    """Return the lengths and the whole numbers that a call was given, by the words for each."""
    found: dict[str, int] = {}
    for name, given in case.call.given.items():
        if name.startswith("the weights"):
            continue
        found |= {length_words(*key): n for key, n in lengths(case, [name]).items()}
        raw = given.value.raw if given.value else np.asarray(None)
        if not raw.ndim and raw.dtype.kind == "i" and raw > 0:
            found[name] = int(raw)
    return found


def other_axis(evidence: Evidence) -> Iterator[str]:
    """Find results that are normalised along another axis than the right ones."""
    norms = ((_sums_to_one, "sum to 1"), (_is_standard, "have mean 0 and variance 1"))
    for (norm, words), right in product(norms, (-1, -2, -3, -4)):
        if not all(norm(case.wanted, right) for case in evidence.differing):
            continue
        for axis in (-1, -2, -3, -4, 0, 1, 2, None):
            if axis != right and evidence.holds(partial(_is_normalised, norm, axis, right)):
                where = "all together" if axis is None else f"along the {axis_words(axis)}"
                yield evidence.says("other_axis", norm=words, where=where, axis=axis_words(right))


def _is_normalised(
    norm: Callable[[Numbers, int | None], bool], axis: int | None, right: int, case: ResultCase
) -> bool | None:
    out = case.out
    if out.ndim < 2 or (axis is not None and not -out.ndim <= axis < out.ndim):
        return None
    if case.is_right:
        return norm(out, axis)
    return out.shape == case.wanted.shape and norm(out, axis) and not norm(out, right)


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
