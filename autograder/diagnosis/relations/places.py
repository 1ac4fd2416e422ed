"""Right but for certain rows or columns, by their place or by a mask; one missing or too many."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from autograder.diagnosis.relations.evidence import Case, Evidence
from autograder.diagnosis.relations.results import EXACT, LOOSE, Numbers, is_varied, matches
from autograder.diagnosis.relations.wording import axis_words, plural, rows_words

_AXES = (-2, -1, -3, -4)
MOSTLY = 0.75  # of the entries: some may be right by chance
MANY = 4  # slices, of which those that are wrong are hardly so by chance
Places: TypeAlias = Callable[[int], list[int]]  # of the slices that are wrong, of so many

_ENDS: tuple[tuple[str, Places], ...] = (
    ("the first {row}", lambda n: [0]),
    ("the last {row}", lambda n: [n - 1]),
    ("all but the first {row}", lambda n: list(range(1, n))),
    ("all but the last {row}", lambda n: list(range(n - 1))),
)
_PATTERNS: tuple[tuple[str, Places], ...] = (  # to be seen in axes of different lengths
    ("every second {row}, from the first on,", lambda n: list(range(0, n, 2))),
    ("every second {row}, from the second on,", lambda n: list(range(1, n, 2))),
    ("the first half of the {rows}", lambda n: list(range(n // 2))),
    ("the second half of the {rows}", lambda n: list(range(n // 2, n))),
)
# What a wrong row has False in a mask, and which rows are spared then.
_SPARED: tuple[tuple[str, Callable[[Numbers], Numbers]], ...] = (
    ("everything", lambda mask: np.asarray(mask.any(-1))),
    ("something", lambda mask: np.asarray(mask.all(-1))),
)


def partly_right(evidence: Evidence) -> str | None:
    """Find results that are wrong at certain places along an axis, and right at all others."""
    return (
        _wrong_where_masked(evidence)
        or _wrong_at_places(evidence)
        or _wrong_beyond(evidence)
        or _one_missing_or_too_many(evidence)
    )


def _wrong_at_places(evidence: Evidence) -> str | None:
    for choices, least_lengths in ((_ENDS, 1), (_PATTERNS, 2)):
        for name, places in choices:
            for axis in _AXES:
                if _all_wrong_in(evidence, axis, places, least_lengths):
                    return _told(evidence, axis, name)
    return None


def _wrong_beyond(evidence: Evidence) -> str | None:
    """Find a length up to which results are right, the same in calls of different lengths."""
    for axis in _AXES:
        wrong = [_wrong_slices(case, axis) for case in evidence.differing]
        starts = {int(np.argmax(each)) if each is not None else 0 for each in wrong}
        start = max(starts, default=0)
        if len(starts) == 1 and start > 1 and _all_wrong_in(evidence, axis, _from(start), 2):
            return _told(evidence, axis, f"everything after the first {start} {{rows}}")
    return None


def _from(start: int) -> Places:
    return lambda length: list(range(start, length))


def _wrong_where_masked(evidence: Evidence) -> str | None:
    """Find an argument of True and False that hides something just where the result is wrong."""
    if not evidence.differing:
        return None
    for name in evidence.differing[0].call.arguments:
        for words, spared in _SPARED:
            if _are_wrong_rows(evidence, name, spared):
                case = evidence.differing[0]
                return (
                    f"{evidence.subject} is right but for the rows in which {name} has {words} "
                    f"False: see a result of shape {case.wanted.shape}, where the other rows are "
                    "as they should be. What do you do with what is hidden, and what becomes of "
                    "the rest of such a row?"
                )
    return None


def _mask(case: Case, name: str) -> Numbers | None:
    given = case.call.given.get(name)
    if given is None or given.result is None or given.result.raw.dtype.kind != "b":
        return None
    mask = given.result.raw
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
    lengths, is_telling = set(), False
    for case in evidence.differing:
        wrong = _wrong_slices(case, axis)
        if wrong is None or np.flatnonzero(wrong).tolist() != places(len(wrong)):
            return False
        if not _are_mostly_wrong(case, axis, wrong):
            return False
        lengths.add(len(wrong))
        if len(wrong) > 2:
            is_telling |= is_varied(np.moveaxis(case.wanted, axis, 0)[~wrong])
    calls = {(case.call.test, case.call.place) for case in evidence.differing}
    return is_telling and len(calls) > 1 and len(lengths) >= least_lengths and max(lengths) >= MANY


def _wrong_slices(case: Case, axis: int) -> Numbers | None:
    """Return which slices along an axis are wrong; None if not some are wrong and some right."""
    wrong = _wrong_entries(case)
    if wrong is None or wrong.ndim < -axis:
        return None
    others = tuple(each for each in range(wrong.ndim) if each != wrong.ndim + axis)
    slices = np.asarray(wrong.any(axis=others))
    return None if slices.all() or not slices.any() else slices


def _are_mostly_wrong(case: Case, axis: int, slices: Numbers) -> bool:
    """Tell whether these slices are wrong as such, not only an entry here and there."""
    wrong = _wrong_entries(case)
    return wrong is not None and np.moveaxis(wrong, axis, 0)[slices].mean() >= MOSTLY


def _wrong_entries(case: Case) -> Numbers | None:
    if case.got is None or case.out.shape != case.wanted.shape:
        return None
    out, right = case.out, case.wanted
    allowed = LOOSE if case.call.passed else EXACT
    with np.errstate(invalid="ignore"):
        near = np.abs(out - right) <= allowed * np.maximum(1, np.abs(right))
    return np.asarray(~(near | (out == right) | (np.isnan(out) & np.isnan(right))))


def _told(evidence: Evidence, axis: int, name: str) -> str:
    case = evidence.differing[0]
    row = rows_words(axis, case.wanted.ndim)
    where = name.format(row=row, rows=plural(row))
    along = f" along the {axis_words(axis)}" if row == "slice" else ""
    return (
        f"Wherever {evidence.subject_within} is wrong, {where}{along} is "
        f"wrong and all else is right, such as in one of our calls with shape {case.wanted.shape}. "
        "What is different there: where a loop begins or ends, a slice, a special case?"
    )


def _one_missing_or_too_many(evidence: Evidence) -> str | None:
    for axis in _AXES:
        for end, kept in (("first", slice(1, None)), ("last", slice(None, -1))):
            for words, relation in (
                ("is missing", _lacks(axis, kept)),
                ("is one too many", _lacks(axis, kept, reverse=True)),
            ):
                if evidence.holds(relation):
                    case = evidence.differing[0]
                    return (
                        f"{evidence.subject} is right but for its {axis_words(axis)}, where the "
                        f"{end} {rows_words(axis, case.wanted.ndim)} {words}: in one of our calls "
                        f"the shape should be {case.wanted.shape}, and yours is {case.out.shape}. "
                        "Where do you start and stop counting?"
                    )
    return None


def _lacks(axis: int, kept: slice, reverse: bool = False) -> Callable[[Case], bool | None]:
    def relation(case: Case) -> bool | None:
        longer, shorter = (case.out, case.wanted) if reverse else (case.wanted, case.out)
        if longer.ndim < -axis or longer.ndim != shorter.ndim or case.is_right:
            return None
        return shorter.size > 0 and matches(
            np.moveaxis(longer, axis, 0)[kept], np.moveaxis(shorter, axis, 0)
        )

    return relation
