"""Decide whether two replies to the same call agree."""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from autograder.sandbox import tables, wire
from autograder.testing.comparison import are_near

# Relative to a value's size: the same mistake, coded differently, rounds differently.
TOLERANCE = 1e-4
_NUMBERS = "biufc"  # the kinds of dtypes of numbers
_GLANCE = 64  # entries that mostly tell whether two arrays differ
_CLASH = re.compile(
    r"\(size (?P<right>\d{1,19}) is different from (?P<left>\d{1,19})\)"  # `@` and np.matmul
    r"|not aligned: (?P<first>\d{1,19}) \(dim \d{1,2}\) != (?P<second>\d{1,19}) "  # np.dot
)


def same(reply: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether two replies agree: equal values, or errors of the same type and text."""
    if "error" in reply or "error" in other:
        return error_words(reply) == error_words(other)
    if reply.get("changed") != other.get("changed"):
        return False
    return _equal_values(reply.get("value"), other.get("value"))


def same_types(reply: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether the tensors in two replies that agree have the same dtypes.

    Tensors of different dtypes can't be combined; NumPy's arrays can.
    """
    ours, theirs = (
        [str(each.dtype) for each in leaves(message.get("value")) if wire.is_tensor(each)]
        for message in (reply, other)
    )
    return ours == theirs


def structure_of(reply: Mapping[str, Any]) -> object:
    """Return what two replies that differ at most in numbers share: shapes, or an error's words."""
    if "error" in reply:
        return "error", error_words(reply)
    return _structure(reply.get("value"))


def error_words(reply: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the type and the text of an error, because the type alone has too many causes.

    For mismatched sizes in a matrix product, the text is reduced to the two sizes, so that `@` and
    `np.dot` agree.
    """
    error = reply.get("error")
    if not isinstance(error, dict):
        return None
    words = str(error.get("message"))
    if clash := _CLASH.search(words):
        words = f"{clash['left'] or clash['first']} meets {clash['right'] or clash['second']}"
    return str(error.get("type")), words


def equal(one: Any, other: Any) -> bool:
    """Tell whether two values are equal, up to rounding and up to list against tuple."""
    one, other = _in_parts(one), _in_parts(other)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    if isinstance(one, float) and isinstance(other, float):
        return _is_close(one, other)
    if hasattr(one, "shape"):
        return hasattr(other, "shape") and _is_close(one, other)
    return type(one) is type(other) and (isinstance(one, wire.Handle) or bool(one == other))


def is_distinctive(value: Any) -> bool:
    """Tell whether most entries of each array are non-integers: 0, 1 and nan have many causes."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        if len(value) < 2 or not all(isinstance(each, float) for each in value):
            return bool(value) and all(map(is_distinctive, value))
        value = np.asarray(value)
    if not hasattr(value, "shape"):
        return False
    numbers = np.asarray(value)
    if numbers.dtype.kind != "f" or not numbers.size:
        return False
    is_fractional = numbers[np.isfinite(numbers)] % 1 != 0
    return bool(is_fractional.sum() > numbers.size / 2)


def _equal_values(one: Any, other: Any) -> bool:
    """Compare two values; gradients, in whatever order a module has its parameters, as a set.

    Where a loss is nan, it depends on the style which gradients are: `relu` lets nan back, `clamp`
    doesn't. Then they tell nothing.
    """
    if not all(isinstance(v, dict) and isinstance(v.get("parameters"), dict) for v in (one, other)):
        return equal(one, other)
    ours, theirs = one["parameters"], other["parameters"]
    if _have_nan(ours) and _have_nan(theirs):
        return len(ours) == len(theirs)
    return equal(one.get("inputs"), other.get("inputs")) and (
        equal(ours, theirs) or _equal_unordered(list(ours.values()), list(theirs.values()))
    )


def _have_nan(gradients: Mapping[str, Any]) -> bool:
    return any(np.isnan(np.asarray(each)).any() for each in gradients.values() if each is not None)


def _equal_unordered(ones: list[Any], others: list[Any]) -> bool:
    """Tell whether each value has an equal one of its own among the others: names may differ."""
    left = list(others)
    for one in ones:
        place = next((at for at, other in enumerate(left) if equal(one, other)), None)
        if place is None:
            return False
        del left[place]
    return not left


def has_numbers(value: Any) -> bool:
    """Tell whether a value is an array, tensor or scalar of numbers."""
    is_array = isinstance(value, (np.ndarray, np.generic))
    return value.dtype.kind in _NUMBERS if is_array else wire.is_tensor(value)


def are_numbers(value: Any, most: int) -> bool:
    """Tell whether all that nested lists hold are numbers, at most so many.

    Lists may be large where they hold a text: in an array, each entry is as long as the longest.
    """
    left = most
    for each in leaves(value):
        left -= math.prod(getattr(each, "shape", ()))
        if left < 0 or not (isinstance(each, (int, float)) or has_numbers(each)):
            return False
    return True


def _in_parts(value: Any) -> Any:
    """Return what a set or a table holds, as a dictionary; any other value as it is."""
    if isinstance(value, (set, frozenset)):
        return {"set": wire.in_order(value)}
    table = tables.parts_of(value)
    return value if table is None else {table[0]: table[1]}


def leaves(value: Any) -> Iterator[Any]:
    """Yield all that lists, dictionaries and the like in a value hold, or the value if none."""
    value = _in_parts(value)
    if isinstance(value, (list, tuple, Mapping)):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from leaves(each)
    else:
        yield value


def _structure(value: Any) -> object:
    """Return the nested structure of a value: shapes and types without entries."""
    value = _in_parts(value)
    if isinstance(value, dict):
        return {key: _structure(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_structure(each) for each in value]
    return tuple(value.shape) if hasattr(value, "shape") else type(value)


def _is_close(one: Any, other: Any) -> bool:
    first, second = np.asarray(one), np.asarray(other)
    if first.shape != second.shape or isinstance(one, np.ndarray) != isinstance(other, np.ndarray):
        return False
    if first.dtype.kind != second.dtype.kind:  # True is not 1, and 1.0 can't serve as an index
        return False
    if first.dtype.kind not in _NUMBERS.replace("b", ""):
        return bool((first == second).all())
    first, second = first.ravel(), second.ravel()
    parts = slice(_GLANCE), slice(_GLANCE, None)
    return all(are_near(first[part], second[part], TOLERANCE).all() for part in parts)
