"""Words for axes, sizes and arguments in sentences to students."""

from __future__ import annotations

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_FROM_THE_END = ("last", "second-to-last", "third-to-last", "fourth-to-last")


def ordinal(place: int) -> str:
    """Return the word for a place, counted from 0, or from −1 at the end: 0 → "first"."""
    words = _FROM_THE_END if place < 0 else ORDINALS
    index = -place - 1 if place < 0 else place
    return words[index] if index < len(words) else f"{index + 1}th"


def axis_words(axis: int) -> str:
    """Return the name of an axis: −1 → "last axis"."""
    return f"{ordinal(axis)} axis"


def rows_words(axis: int, ndim: int) -> str:
    """Return what the slices along an axis, counted from the end, are called."""
    if axis == -1 and ndim > 1:
        return "column"
    if axis == -ndim and ndim > 2:
        return "entry of the batch"
    return "row" if axis == -2 else "entry" if ndim == 1 else "slice"


def plural(rows: str) -> str:
    """Return the plural of what `rows_words` returns."""
    return rows.replace("entry", "entries") if rows.startswith("entry") else f"{rows}s"


def argument_words(place: int) -> str:
    """Return the name of a positional argument."""
    return f"the {ordinal(place)} argument"
