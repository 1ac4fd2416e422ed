"""Tables of pandas, taken apart into plain data and put together again."""

import sys
from typing import Any

import numpy as np


def parts_of(value: Any) -> tuple[str, list[Any]] | None:
    """Return what a table is, and its parts; None if it is none.

    A `frame` has labels of columns, labels of rows and the columns; a `series` its name, labels and
    entries; an `index` nothing but labels.
    """
    pandas = sys.modules.get("pandas")  # if pandas was never imported, nothing is a table
    if pandas is None:
        return None
    if isinstance(value, pandas.DataFrame):
        columns = [_entries(value.iloc[:, place]) for place in range(value.shape[1])]
        return "frame", [_labels(value.columns), _labels(value.index), columns]
    if isinstance(value, pandas.Series):
        return "series", [value.name, _labels(value.index), _entries(value)]
    return ("index", _labels(value)) if isinstance(value, pandas.Index) else None


def put_together(kind: str, parts: list[Any]) -> Any:
    """Return the table; raise whatever pandas does if these are no parts of one."""
    import pandas  # here: most courses don't need it, and importing it takes long

    if kind == "index":
        return _index(pandas, parts)
    names, rows, entries = parts
    index = _index(pandas, rows)
    if kind == "series":
        return pandas.Series(_plain(entries), index=index, name=names)
    frame = pandas.DataFrame(dict(enumerate(map(_plain, entries))), index=index)
    frame.columns = _index(pandas, names)
    return frame


def _labels(index: Any) -> list[Any]:
    return [list(index.names), _entries(index)]


def _index(pandas: Any, labels: list[Any]) -> Any:
    names, entries = labels
    if len(names) > 1:
        return pandas.MultiIndex.from_tuples(entries, names=names)
    return pandas.Index(_plain(entries), name=names[0], tupleize_cols=False)


def _entries(column: Any) -> Any:
    """Return an array of numbers or times; else a list, with None for what is missing."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "biufcmM":
        return column.to_numpy()
    if getattr(column, "nlevels", 1) > 1:
        return column.tolist()
    entries = zip(column.tolist(), column.isna().tolist(), strict=True)
    return [None if is_missing else each for each, is_missing in entries]


def _plain(entries: Any) -> Any:
    if type(entries) is not list and not (type(entries) is np.ndarray and entries.ndim == 1):
        raise TypeError("a column is neither a list nor an array")
    return entries
