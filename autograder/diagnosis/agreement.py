"""Tell when two answers to the same question say the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.sandbox import wire

_TOLERANCE = 1e-4  # of a value's size: the same mistake in another style rounds differently
_CLASH = re.compile(
    r"\(size (?P<right>\d+) is different from (?P<left>\d+)\)"  # `@` and np.matmul
    r"|not aligned: (?P<first>\d+) .* != (?P<second>\d+) "  # np.dot
)


def same(reply: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether two replies say the same: equal values, or an error in the same words."""
    if "error" in reply or "error" in other:
        return error_words(reply) == error_words(other)
    if reply.get("changed") != other.get("changed"):
        return False
    return equal(reply.get("value"), other.get("value"))


def alike(reply: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether two replies are of one kind: values of equal shapes, or the same error."""
    if "error" in reply or "error" in other:
        return error_words(reply) == error_words(other)
    return _form(reply.get("value")) == _form(other.get("value"))


def error_words(reply: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the type and the words of an error: the type alone has too many causes.

    Where sizes clash in a product, those two sizes are its words, for `@` and `np.dot` alike.
    """
    error = reply.get("error")
    if not isinstance(error, dict):
        return None
    words = str(error.get("message"))
    if clash := _CLASH.search(words):
        words = f"{clash['left'] or clash['first']} meets {clash['right'] or clash['second']}"
    return str(error.get("type")), words


def equal(one: Any, other: Any) -> bool:
    """Tell whether two values are equal, but for rounding and the kind of a sequence."""
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    if isinstance(one, float) and isinstance(other, float):
        return _near(one, other)
    if isinstance(one, wire.Handle) or not hasattr(one, "shape"):
        return type(one) is type(other) and (isinstance(one, wire.Handle) or bool(one == other))
    return hasattr(other, "shape") and _near(one, other)


def is_telling(value: Any) -> bool:
    """Tell whether all of a value is mostly broken numbers: 0, 1, nan, errors have many causes."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return bool(value) and all(map(is_telling, value))
    if not hasattr(value, "shape"):
        return False
    numbers = np.asarray(value)
    if numbers.dtype.kind != "f" or not numbers.size:
        return False
    broken = numbers[np.isfinite(numbers)] % 1 != 0
    return bool(broken.sum() > numbers.size / 2)


def _form(value: Any) -> object:
    """Return what is left of a value without its numbers."""
    if isinstance(value, dict):
        return {key: _form(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_form(each) for each in value]
    return tuple(value.shape) if hasattr(value, "shape") else type(value)


def _near(one: Any, other: Any) -> bool:
    first, second = np.asarray(one), np.asarray(other)
    if first.shape != second.shape or isinstance(one, np.ndarray) != isinstance(other, np.ndarray):
        return False
    if first.dtype.kind != second.dtype.kind:  # True is not 1, and 1.0 is no index
        return False
    if first.dtype.kind == "b":
        return bool((first == second).all())
    with np.errstate(invalid="ignore"):
        size = np.maximum(1, np.abs(second))
        near = np.abs(first - second) <= _TOLERANCE * np.where(np.isfinite(size), size, 1)
    return bool((near | (first == second) | (np.isnan(first) & np.isnan(second))).all())
