"""Plain data to bytes and back: the only thing that crosses the trust boundary.

A frame consists of two lengths, a JSON header and the raw bytes of its arrays. Nothing is pickled.
`unpack` builds nothing but plain data, and never more of it than there are bytes. Values without a
JSON type have a `type` there: tuple, list, dict, set, stream (items for an iterator), array (an
ndarray, a tensor or a scalar, of numbers, texts or times), frame, series and index (of pandas),
date and the like, bytes, module and object (stay in the student's process), generator and file
(made there), or opaque (its type's name alone).
"""

from __future__ import annotations

import io
import json
import math
import re
import struct
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from autograder.sandbox import tables
from autograder.sandbox.limits import MAX_TEXT

MAX_FRAME = 64 << 20  # bytes; a result larger than this is refused before it is read
MAX_HEADER = 4 << 20  # bytes of JSON in a frame
MAX_DEPTH = 8  # of nested containers
MAX_ITEMS = 10_000  # of one container
MAX_AXES = 16  # of an array
MAX_ENTRIES = MAX_FRAME // 4  # of an array: booleans become floats when they are compared
_PARSED = 16  # bytes of memory that a byte of JSON takes at most, once it is parsed
_LENGTHS = struct.Struct("!II")
_SMALL = 1 << 16  # bytes of a body that is rather copied than sent apart
_DTYPE = re.compile(  # those that are accepted: of numbers, of texts and of times
    r"[<>|=]?[biufc]\d{1,2}|[<>=]?(U[1-9]\d{0,3}|[mM]8\[(Y|M|W|D|h|m|s|ms|us|ns)\])"
)
_DATES: dict[str, Any] = {"datetime": datetime, "date": date, "time": time}  # a datetime is a date
_TABLE_DEPTH = 3  # of the lists that a table is taken apart to
MAX_TABLES = 64  # in a frame: each takes far more memory than its bytes

Buffer = bytes | bytearray


class WireError(ValueError):
    """Bytes that are not a valid frame, or a value that is too large to send."""


@dataclass(frozen=True)
class Opaque:
    """A value that is not plain data; only the name of its type crossed the boundary."""

    type_name: str


@dataclass(frozen=True)
class Handle:
    """A reference to an object that stays on the other side of the boundary."""

    key: str
    type_name: str


@dataclass(frozen=True)
class Object(Handle):
    """A reference to an object of the notebook's own class, which isn't a module."""


@dataclass(frozen=True)
class Generator:
    """A random generator that is made where it is used: the `state` of its bit generator, as JSON.

    It crosses as a call's argument alone.
    """

    state: str


@dataclass(frozen=True)
class TextFile:
    """A text file that is written where it is used: a student's code receives its name."""

    name: str
    text: str


@dataclass(frozen=True)
class Stream:
    """Items that a student's code receives as an iterator."""

    items: Sequence[Any]


_CONTAINERS: dict[str, Callable[[list[Any]], Any]] = {
    **{kind.__name__: kind for kind in (tuple, list, set, frozenset)},
    "stream": Stream,
}


class Frame(NamedTuple):
    """A message in bytes: a JSON header, and the raw bytes of the arrays that it lists."""

    header: Buffer
    body: Buffer

    @classmethod
    def of(cls, message: Mapping[str, Any]) -> Frame:
        """Pack `message`: a dict whose values are plain data."""
        values, body = encoded(list(message.values()))
        frame = cls(json.dumps(dict(zip(message, values, strict=True))).encode(), body)
        if len(frame.header) > MAX_HEADER or len(frame.header) + len(frame.body) > MAX_FRAME:
            raise WireError("a value is too large to be sent")
        return frame

    @classmethod
    def read(
        cls, receive: Callable[[int], Buffer], admit: Callable[[int], None] = lambda memory: None
    ) -> Frame:
        """Read a frame; `receive(n)` returns n bytes, `admit` is told the memory that it takes."""
        header, body = _LENGTHS.unpack(receive(_LENGTHS.size))
        if header > MAX_HEADER or header + body > MAX_FRAME:
            raise WireError("the frame is too large")
        admit(_PARSED * header + body)
        return cls(receive(header), receive(body))

    def pieces(self) -> list[Buffer]:
        """Return what is to be sent, one after the other; a large body isn't copied for that."""
        head = _LENGTHS.pack(len(self.header), len(self.body)) + self.header
        return [head + self.body] if len(self.body) < _SMALL else [head, self.body]

    def whole(self) -> bytes:
        return b"".join(self.pieces())

    def message(self) -> dict[str, Any]:
        """Return the message; its arrays own their memory and are writable."""
        body = _Body(self.body)
        try:
            message = json.loads(self.header)
            if type(message) is not dict:
                raise WireError("the message is not a JSON object")
            return {key: _decode(value, body, 0) for key, value in message.items()}
        except (ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
            raise WireError(f"invalid frame: {error}") from None


class _Body(io.BytesIO):
    """The raw bytes of a frame's arrays, and how many tables were made of them."""

    tables = 0


def pack(message: Mapping[str, Any]) -> bytes:
    return Frame.of(message).whole()


def unpack(frame: bytes) -> dict[str, Any]:
    return Frame.read(io.BytesIO(frame).read).message()


def encoded(values: Sequence[Any]) -> tuple[list[Any], bytes]:
    """Return plain data as JSON can hold it, and the raw bytes of its arrays."""
    raw: list[bytes] = []
    return [_encode(value, raw, 0) for value in values], b"".join(raw)


def _encode(value: Any, raw: list[bytes], depth: int) -> Any:
    if value is None or type(value) in (bool, float):
        return value
    if type(value) is int and -(2**63) <= value < 2**63:
        return value
    if isinstance(value, str):
        return _encode_text(str.__str__(value))
    if depth > MAX_DEPTH:
        return _opaque(value)
    inside = partial(_encode, raw=raw, depth=depth + 1)
    if isinstance(value, Handle):
        kind = "object" if isinstance(value, Object) else "module"
        return {"type": kind, "key": value.key, "name": value.type_name}
    if isinstance(value, Stream):
        return {"type": "stream", "items": list(map(inside, value.items))}
    if isinstance(value, (list, tuple)) and len(value) <= MAX_ITEMS:
        name = "tuple" if isinstance(value, tuple) else "list"
        return {"type": name, "items": list(map(inside, value))}
    if isinstance(value, Mapping) and len(value) <= MAX_ITEMS:
        keys = [_encode_key(key, inside) for key in value]
        return {"type": "dict", "keys": keys, "items": list(map(inside, value.values()))}
    if isinstance(value, (set, frozenset)) and len(value) <= MAX_ITEMS:
        name = "set" if isinstance(value, set) else "frozenset"
        return {"type": name, "items": list(map(inside, in_order(value)))}
    if depth <= MAX_DEPTH - _TABLE_DEPTH and (table := tables.parts_of(value)) is not None:
        return _encode_table(*table, inside)
    return _encode_single(value, raw)


def _encode_table(kind: str, parts: list[Any], inside: Callable[[Any], Any]) -> dict[str, Any]:
    columns = parts[-1] if kind == "frame" else parts[-1:]
    if any(type(each) is list and len(each) > MAX_ITEMS for each in (columns, *columns)):
        raise WireError(f"a table with more than {MAX_ITEMS:,} texts in a column can't be sent")
    return {"type": kind, "items": list(map(inside, parts))}


def _encode_text(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise WireError(f"a string of more than {MAX_TEXT:,} characters can't be sent")
    return text


def _encode_key(key: Any, inside: Callable[[Any], Any]) -> Any:
    encoded = key if type(key) is str else inside(key)
    is_opaque = type(encoded) is dict and encoded["type"] == "opaque"
    return repr(key)[:80] if is_opaque else encoded


def _encode_single(value: Any, raw: list[bytes]) -> Any:
    """Encode a date, bytes, what a call's argument is made of, or an array."""
    for name, kind in _DATES.items():
        if isinstance(value, kind) and value == value:  # pandas has a time that isn't one
            return {"type": name, "text": kind.isoformat(value)}
    match value:
        case timedelta() if value == value:
            return {"type": "timedelta", "items": [value.days, value.seconds, value.microseconds]}
        case bytes():
            raw.append(bytes(value))
            return {"type": "bytes", "length": len(value)}
        case Generator():
            return {"type": "generator", "state": value.state}
        case TextFile():
            return {"type": "file", "name": value.name, "text": _encode_text(value.text)}
    return _encode_array(value, raw)


def in_order(items: Iterable[Any]) -> list[Any]:
    """Return the items of a set in an order that is the same for equal sets."""
    return sorted(items, key=lambda each: (type(each).__name__, _rank(each), repr(each)))


def _rank(value: Any) -> float:
    return float(value) if type(value) in (int, float) and abs(value) < 2.0**63 else 0.0


def is_tensor(value: Any) -> bool:
    torch = sys.modules.get("torch")  # if torch was never imported, nothing is a tensor
    return torch is not None and isinstance(value, torch.Tensor)


def _encode_array(value: Any, raw: list[bytes]) -> Any:
    if is_tensor(value):
        import torch

        if value.is_sparse or value.is_quantized or value.device.type != "cpu":
            return _opaque(value)
        plain = value.detach().resolve_conj().resolve_neg()
        array, kind = (plain.float() if plain.dtype == torch.bfloat16 else plain).numpy(), "tensor"
    elif isinstance(value, np.ndarray):
        array, kind = _texts(np.asarray(value)), "array"
    elif isinstance(value, np.generic):
        array, kind = np.asarray(value), "scalar"
    elif (texts := _texts_of_pandas(value)) is not None:
        array, kind = texts, "array"
    else:
        return _opaque(value)
    if not _DTYPE.fullmatch(array.dtype.str) or array.ndim > MAX_AXES:
        return _opaque(value)
    if array.nbytes > MAX_FRAME or array.size > MAX_ENTRIES:
        raise WireError("a value is too large to be sent")
    raw.append(array.tobytes())
    return {"type": "array", "of": kind, "dtype": array.dtype.str, "shape": list(array.shape)}


def _texts(array: Any) -> Any:
    """Return an array of objects that are all strings as an array of text; others as they are."""
    if array.dtype.kind != "O" or not 0 < array.size <= MAX_ITEMS:
        return array
    return array.astype(str) if all(type(each) is str for each in array.flat) else array


def _texts_of_pandas(value: Any) -> Any:
    """Return the array of text that the column of a table has inside; None for anything else."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(value, pandas.api.extensions.ExtensionArray):
        return None
    return _texts(np.asarray(value, dtype=object))


def _opaque(value: Any) -> dict[str, str]:
    name = value.type_name if type(value) is Opaque else type(value).__name__
    return {"type": "opaque", "name": name[:80]}


def _decode(value: Any, body: _Body, depth: int) -> Any:
    if type(value) is str:
        if len(value) > MAX_TEXT:
            raise WireError("a string is too long")
        return value.encode(errors="replace").decode()  # lone surrogates can't be written to files
    if type(value) is int and not -(2**63) <= value < 2**63:
        raise WireError("a whole number is too long")  # NumPy would keep it as an object
    if value is None or type(value) in (bool, int, float):
        return value
    if depth > MAX_DEPTH + 1 or type(value) is not dict:
        raise WireError("unexpected JSON")
    match value["type"]:
        case "tuple" | "list" | "set" | "frozenset" | "stream" as name:
            return _CONTAINERS[name](_decode_items(value["items"], body, depth))
        case "dict":
            keys, items = (_decode_items(value[each], body, depth) for each in ("keys", "items"))
            return dict(zip(keys, items, strict=True))
        case "frame" | "series" | "index" as kind:
            return _decode_table(kind, value, body, depth)
        case "array":
            return _decode_array(value, body)
        case _:
            return _decode_single(value, body)


def _decode_single(value: dict[str, Any], body: _Body) -> Any:
    match value["type"]:
        case "date" | "datetime" | "time" as name:
            return _DATES[name].fromisoformat(str(value["text"])[:80])
        case "timedelta":
            days, seconds, microseconds = value["items"]
            return timedelta(days, seconds, microseconds)
        case "bytes":
            return body.read(max(0, int(value["length"])))  # at most as much as there is
        case "module":
            return Handle(str(value["key"])[:80], str(value["name"])[:80])
        case "object":
            return Object(str(value["key"])[:80], str(value["name"])[:80])
        case "generator":
            return Generator(str(value["state"])[:MAX_TEXT])
        case "file":
            return TextFile(str(value["name"])[:80], str(value["text"])[:MAX_TEXT])
        case "opaque":
            return Opaque(str(value["name"])[:80])
        case other:
            raise WireError(f"unknown type {other!r}")


def _decode_table(kind: str, value: dict[str, Any], body: _Body, depth: int) -> Any:
    body.tables += 1
    if body.tables > MAX_TABLES:
        raise WireError("too many tables")
    try:
        return tables.put_together(kind, _decode_items(value["items"], body, depth))
    except ImportError:
        raise WireError("a table, where there is no pandas") from None
    except Exception as error:  # pandas has many of its own
        raise WireError(f"no table: {type(error).__name__}") from None


def _decode_items(items: Any, body: _Body, depth: int) -> list[Any]:
    if type(items) is not list or len(items) > MAX_ITEMS:
        raise WireError(f"items are not a list of at most {MAX_ITEMS:,}")
    return [_decode(item, body, depth + 1) for item in items]


def _decode_array(value: dict[str, Any], body: _Body) -> Any:
    name, shape = value["dtype"], value["shape"]
    if type(name) is not str or not _DTYPE.fullmatch(name):
        raise WireError("unsupported dtype")
    if len(shape) > MAX_AXES or any(type(n) is not int or n < 0 for n in shape):
        raise WireError("invalid shape")
    if math.prod(shape) > MAX_ENTRIES:
        raise WireError("an array has too many entries")
    dtype = np.dtype(name)
    raw = body.read(math.prod(shape) * dtype.itemsize)  # at most as much as there is
    array = np.frombuffer(raw, dtype).reshape(shape).copy()  # raises if that is too little
    if dtype.kind == "U":
        _check_text(array)
    match value["of"]:
        case "array":
            return array
        case "scalar":
            return array[()]
        case "tensor":
            try:
                import torch  # here: hw1 doesn't need it, and importing it takes seconds
            except ImportError:
                raise WireError("a tensor, where there is no PyTorch") from None
            return torch.from_numpy(array)
        case other:
            raise WireError(f"unknown kind of array {other!r}")


def _check_text(array: Any) -> None:
    """Refuse what is no text: NumPy would raise whenever an entry of it is looked at."""
    codes = array.reshape(-1).view(array.dtype.byteorder.replace("=", "<").replace("|", "<") + "u4")
    if ((codes > sys.maxunicode) | ((codes >= 0xD800) & (codes <= 0xDFFF))).any():
        raise WireError("an array of text holds what is none")
