"""Is a returned value as it should be? Its type and size come first, then what isn't finite.

What a sentence quotes of a value is its type and its size alone; never an entry.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from autograder.sandbox import tables, wire
from autograder.sandbox.wire import Handle, Opaque, is_tensor
from autograder.testing.student import ModuleProxy, ObjectProxy

_TOO_LARGE = frozenset({"list", "tuple", "dict", "set", "frozenset", "DataFrame", "Series"})
_UNFINISHED = {
    "generator": "a generator (made by `yield`, or by a loop in parentheses)",
    "coroutine": "a coroutine (made by `async def`)",
}
_NAN = (
    "What you return contains nan, which is what 0 / 0 and ∞ − ∞ give, or stands for a value that "
    "is missing."
)
_INFINITE = "What you return contains an infinite number, which is what 1 / 0 gives."


def describe(value: Any) -> str:
    """Describe the type and shape of a value that a student's code returned; never its entries.

    >>> describe(np.zeros((3, 4)))
    'a NumPy array of shape (3, 4)'
    """
    match value:
        case None:
            return "None (is a `return` missing?)"
        case Opaque(type_name=name) if name in _TOO_LARGE:
            return f"a {name} that is too large, or nested too deeply, to be looked at"
        case Opaque(type_name="int"):
            return "a whole number of more than 18 digits"
        case Opaque(type_name=name) | Handle(type_name=name) if name in _UNFINISHED:
            return _UNFINISHED[name]
        case Opaque(type_name=n) | Handle(type_name=n) | ObjectProxy(target=Handle(type_name=n)):
            return f"an object of type {n}"
        case ModuleProxy():
            return f"a module of type {value.target.type_name}"
        case np.ndarray():
            return f"a NumPy array of shape {value.shape}"
        case tuple() | list() | dict() | set() | frozenset():
            return f"a {type(value).__name__} of length {len(value)}"
    if is_tensor(value):
        return f"a tensor of shape {tuple(value.shape)}"
    if tables.parts_of(value) is not None:
        return f"a pandas {type(value).__name__} of shape {value.shape}"
    return f"a single {type(value).__name__}"


def oddity(value: Any, wanted: Any, where: str = "here") -> str:
    """Say what is wrong with a value's type or size, or with its numbers if any isn't finite.

    Where values are nested, the first is named that is found; "" if there is none.
    """
    kind, fits = _kind_of(wanted)
    if not fits(value):
        return f"{kind} is expected {where}, not {describe(value)}."
    table, ours = tables.parts_of(value), tables.parts_of(wanted)
    if (_is_array(wanted) or ours) and tuple(value.shape) != tuple(wanted.shape):
        return f"The shape should be {tuple(wanted.shape)}, but yours is {tuple(value.shape)}."
    if table and ours:
        return _oddity_of_table(table, ours)
    if isinstance(wanted, (list, tuple, dict, set, frozenset)):
        name = type(wanted).__name__
        if len(value) != len(wanted):
            return f"Your {name} has the length {len(value)}, which isn't the right one."
        if isinstance(wanted, dict) and value.keys() != wanted.keys():
            return f"Your {name} has as many keys as it should, but not the right ones."
    pairs = zip(_inside(value, wanted), _inside(wanted, wanted), strict=True)
    odd = (oddity(*pair, "inside what you return") for pair in pairs)
    return next(filter(None, odd), "") or _not_finite(value, wanted)


def is_equal(value: Any, wanted: Any, tolerance: float) -> bool:
    """Tell whether two values without an oddity are equal, numbers up to the `tolerance`."""
    table, ours = tables.parts_of(value), tables.parts_of(wanted)
    if table and ours:
        value, wanted = _columns(*table), _columns(*ours)
    if isinstance(wanted, (set, frozenset)):
        if value == wanted:  # 1 and 1.0 are one element, and stand in two places below
            return True
        value, wanted = wire.in_order(value), wire.in_order(wanted)
    if isinstance(wanted, (list, tuple, dict)):
        pairs = zip(_inside(value, wanted), _inside(wanted, wanted), strict=True)
        return all(is_equal(*pair, tolerance) for pair in pairs)
    if not (_is_number(wanted) or _is_array(wanted)):
        return bool(value == wanted)
    one, other = np.asarray(value), np.asarray(wanted)
    if other.dtype.kind not in "biufc":
        return bool((one == other).all())
    as_one = np.complex128 if "c" in (one.dtype.kind, other.dtype.kind) else np.float64
    return bool(are_near(one.astype(as_one), other.astype(as_one), tolerance).all())


def is_finite(value: Any) -> bool:
    """Tell whether no number that a value holds is nan or infinite."""
    table = tables.parts_of(value)
    parts = _columns(*table) if table else _inside(value, value)
    has_numbers = _is_number(value) or _is_array_of(value, "fc") or is_tensor(value)
    return all(map(is_finite, parts)) and not (
        has_numbers and not np.isfinite(np.asarray(value)).all()
    )


def are_near(one: Any, other: Any, allowed: float) -> npt.NDArray[np.bool_]:
    """Tell of each entry of two equal shapes whether |one − other| ≤ allowed·max(1, |other|).

    Equal infinities are near each other, and so are nans.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(one - other) <= allowed * np.maximum(1, np.abs(other))
    near = near & np.isfinite(other)
    return np.asarray(near | (one == other) | (np.isnan(one) & np.isnan(other)))


def _inside(value: Any, wanted: Any) -> list[Any]:
    """Return what a value holds; of a dictionary in the order of the wanted keys."""
    if isinstance(wanted, dict):
        return [value[key] for key in wanted]
    return list(value) if isinstance(wanted, (list, tuple)) else []


def _oddity_of_table(table: tuple[str, list[Any]], ours: tuple[str, list[Any]]) -> str:
    """Compare labels, then the columns; what an index or a series is called doesn't matter."""
    for words, labels, right in zip(_LABELS, _columns(*table), _columns(*ours), strict=False):
        if oddity(labels, right) or not is_equal(labels, right, 0.0):
            return f"Your table has other {words} than it should, or has them in another order."
    for column, right in zip(_columns(*table)[2:], _columns(*ours)[2:], strict=True):
        if type(column) is not type(right):
            return "A column of your table holds text where numbers belong, or numbers for text."
        if odd := oddity(column, right):
            return odd
    return ""


_LABELS = "row labels (its index)", "column labels"


def _columns(kind: str, parts: list[Any]) -> list[Any]:
    """Return the labels of rows, those of columns, and the columns; without names of labels."""
    if kind == "index":
        return [parts[1], []]
    names, (_, rows), entries = parts
    return [rows, [], entries] if kind == "series" else [rows, names[1], *entries]


def _is_number(value: Any) -> bool:
    is_bool = isinstance(value, (bool, np.bool_))
    return isinstance(value, (int, float, np.number)) and not is_bool


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) or is_tensor(value)


# What may stand for each other: words for a kind, and what belongs to it.
_KINDS: tuple[tuple[str, Callable[[Any], bool]], ...] = (
    ("A number", _is_number),
    ("True or False", lambda value: isinstance(value, (bool, np.bool_))),
    ("A NumPy array of numbers", lambda value: _is_array_of(value, "biufc")),
    ("A NumPy array of text", lambda value: _is_array_of(value, "U")),
    ("A NumPy array of times", lambda value: _is_array_of(value, "mM")),
    ("A tensor", is_tensor),
    ("A string", lambda value: type(value) is str),
)


def _is_array_of(value: Any, kinds: str) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in kinds


def _kind_of(wanted: Any) -> tuple[str, Callable[[Any], bool]]:
    """Return words for what may stand for a value, and what tells whether another may."""
    own = f"A value of type {type(wanted).__name__}", lambda value: type(value) is type(wanted)
    return next((kind for kind in _KINDS if kind[1](wanted)), own)


def _not_finite(value: Any, wanted: Any) -> str:
    """Say what isn't finite in numbers, where those that are wanted are."""
    if not (_is_number(wanted) or _is_array_of(wanted, "f") or is_tensor(wanted)):
        return ""
    numbers = np.asarray(value)
    odd = ~np.isfinite(numbers) & np.isfinite(np.asarray(wanted))
    if not odd.any():
        return ""
    return _NAN if np.isnan(numbers[odd]).any() else _INFINITE
