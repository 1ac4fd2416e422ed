"""Plain data to bytes and back: the only thing that crosses the trust boundary.

A frame consists of two lengths, a JSON header and the raw bytes of its arrays. Nothing is pickled.
`unpack` builds nothing but plain data, and never more of it than there are bytes. Values without a
JSON type have a `type` there: tuple, list, dict, stream (items for an iterator), array (an ndarray,
a tensor or a scalar), module (stays in the student's process) or opaque (its type's name alone).
"""

from __future__ import annotations

import io
import json
import math
import re
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

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
_NUMBERS = re.compile(r"[<>|=]?[biufc]\d{1,2}")  # the accepted dtypes

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
class Stream:
    """Items that a student's code receives as an iterator."""

    items: Sequence[Any]


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
        body = io.BytesIO(self.body)
        try:
            message = json.loads(self.header)
            if type(message) is not dict:
                raise WireError("the message is not a JSON object")
            return {key: _decode(value, body, 0) for key, value in message.items()}
        except (ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
            raise WireError(f"invalid frame: {error}") from None


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
    if type(value) is str:
        if len(value) > MAX_TEXT:
            raise WireError(f"a string of more than {MAX_TEXT:,} characters can't be sent")
        return value
    if depth > MAX_DEPTH:
        return _opaque(value)
    if isinstance(value, Handle):
        return {"type": "module", "key": value.key, "name": value.type_name}
    if isinstance(value, Stream):
        return {"type": "stream", "items": [_encode(item, raw, depth + 1) for item in value.items]}
    if isinstance(value, (list, tuple)) and len(value) <= MAX_ITEMS:
        name = "tuple" if isinstance(value, tuple) else "list"
        return {"type": name, "items": [_encode(item, raw, depth + 1) for item in value]}
    if isinstance(value, Mapping) and len(value) <= MAX_ITEMS:
        keys = [key if type(key) is str else repr(key)[:80] for key in value]
        items = [_encode(item, raw, depth + 1) for item in value.values()]
        return {"type": "dict", "keys": keys, "items": items}
    return _encode_array(value, raw)


def _encode_array(value: Any, raw: list[bytes]) -> Any:
    torch = sys.modules.get("torch")  # if torch was never imported, nothing is a tensor
    if torch is not None and isinstance(value, torch.Tensor):
        if value.is_sparse or value.is_quantized or value.device.type != "cpu":
            return _opaque(value)
        plain = value.detach().resolve_conj().resolve_neg()
        array, kind = (plain.float() if plain.dtype == torch.bfloat16 else plain).numpy(), "tensor"
    elif isinstance(value, np.ndarray):
        array, kind = np.asarray(value), "array"
    elif isinstance(value, np.generic):
        array, kind = np.asarray(value), "scalar"
    else:
        return _opaque(value)
    if not _NUMBERS.fullmatch(array.dtype.str) or array.ndim > MAX_AXES:
        return _opaque(value)
    if array.nbytes > MAX_FRAME or array.size > MAX_ENTRIES:
        raise WireError("a value is too large to be sent")
    raw.append(array.tobytes())
    return {"type": "array", "of": kind, "dtype": array.dtype.str, "shape": list(array.shape)}


def _opaque(value: Any) -> dict[str, str]:
    name = value.type_name if type(value) is Opaque else type(value).__name__
    return {"type": "opaque", "name": name[:80]}


def _decode(value: Any, body: io.BytesIO, depth: int) -> Any:
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
        case "tuple":
            return tuple(_decode_items(value, body, depth))
        case "list":
            return _decode_items(value, body, depth)
        case "stream":
            return Stream(_decode_items(value, body, depth))
        case "dict":
            keys = [str(key) for key in value["keys"]]
            return dict(zip(keys, _decode_items(value, body, depth), strict=True))
        case "array":
            return _decode_array(value, body)
        case "module":
            return Handle(str(value["key"])[:80], str(value["name"])[:80])
        case "opaque":
            return Opaque(str(value["name"])[:80])
        case other:
            raise WireError(f"unknown type {other!r}")


def _decode_items(value: dict[str, Any], body: io.BytesIO, depth: int) -> list[Any]:
    items = value["items"]
    if type(items) is not list or len(items) > MAX_ITEMS:
        raise WireError(f"items are not a list of at most {MAX_ITEMS:,}")
    return [_decode(item, body, depth + 1) for item in items]


def _decode_array(value: dict[str, Any], body: io.BytesIO) -> Any:
    name, shape = value["dtype"], value["shape"]
    if type(name) is not str or not _NUMBERS.fullmatch(name):
        raise WireError("unsupported dtype")
    if len(shape) > MAX_AXES or any(type(n) is not int or n < 0 for n in shape):
        raise WireError("invalid shape")
    if math.prod(shape) > MAX_ENTRIES:
        raise WireError("an array has too many entries")
    dtype = np.dtype(name)
    raw = body.read(math.prod(shape) * dtype.itemsize)  # at most as much as there is
    array = np.frombuffer(raw, dtype).reshape(shape).copy()  # raises if that is too little
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
