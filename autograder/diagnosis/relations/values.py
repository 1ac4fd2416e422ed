"""Numbers that came back from a call, in NumPy, and when two of them agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from autograder.diagnosis.agreement import are_near

Numbers: TypeAlias = npt.NDArray[Any]

MAX_ENTRIES = 2**18  # of a value that is looked at
FEW = 4  # distinct entries that no mistake gives by chance
FEW_BOOLEANS = 12
MAX_COUNTED = 1000
EXACT, LOOSE = 1e-5, 1e-4  # relative to a value's size; 1e-5 is what hidden tests allow for
TENSOR, ARRAY, LIST, NUMBER = "a tensor", "a NumPy array", "a list", "a plain number"


@dataclass(frozen=True)
class TypedNumbers:
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
        """Whether it has enough distinct entries, non-integers among floats, to be evidence."""
        if self.raw.dtype.kind == "b":
            return self.raw.size >= FEW_BOOLEANS and 0 < self.raw.sum() < self.raw.size
        finite = self.numbers[np.isfinite(self.numbers)]
        return is_varied(finite[finite % 1 != 0] if self.raw.dtype.kind == "f" else finite)


def numbers_in(value: Any) -> TypedNumbers | None:
    """Return a value's numbers; None if it isn't real numbers, or too many of them."""
    raw: Numbers | None
    if isinstance(value, (bool, int, float)) and not isinstance(value, np.generic):
        container, raw = NUMBER, np.asarray(value)
    elif isinstance(value, (list, tuple)):
        container, raw = LIST, _array_of(value)
    elif hasattr(value, "detach"):
        container, raw = TENSOR, value.detach().numpy()
    elif isinstance(value, (np.ndarray, np.generic)):
        container, raw = ARRAY, np.asarray(value)
    else:
        return None
    if raw is None or raw.dtype.kind not in "biuf" or raw.size > MAX_ENTRIES:
        return None
    return TypedNumbers(raw, container)


def _array_of(values: Sequence[Any]) -> Numbers | None:
    """Return a list of numbers, or of equally long lists of them, as an array."""
    try:
        return np.asarray(values) if values and not hasattr(values[0], "shape") else None
    except (ValueError, OverflowError, TypeError):
        return None


def is_varied(numbers: Numbers) -> bool:
    """Tell whether there are at least `FEW` distinct entries, among the first thousand."""
    return len(set(numbers.ravel()[:MAX_COUNTED].round(6).tolist())) >= FEW


def agree(one: Numbers, other: Numbers, allowed: float = EXACT) -> bool:
    """Tell whether two arrays have one shape, and all of their entries are near."""
    return one.shape == other.shape and bool(are_near(one, other, allowed).all())


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
        is_far = np.abs(one - other) > 1e-3 * (np.abs(one) + np.abs(other))
    return bool(is_far.any()) and not agree(one, other, LOOSE)
