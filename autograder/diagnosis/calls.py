"""The calls of one hidden test, indexed: what came before each, and what it repeats.

Calls are told apart by digests of plain data, which take less time than to encode it.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from autograder.diagnosis.agreement import same
from autograder.diagnosis.memory import KnownReply
from autograder.sandbox import wire
from autograder.testing.student import Exchange

_UNIQUE = ("seed", "key")  # no two calls of a test have the same
_DIGEST_SIZE = 32  # bytes
_SCALARS = frozenset((type(None), bool, int, float, str))
_NUMBERS = "biufc"  # the kinds of dtypes that are sent as arrays


@dataclass(frozen=True, eq=False)
class Calls:
    """The calls that one hidden test made, in order, and the student's replies.

    `histories` holds, for each call, a digest of it and all calls before it in the same test. No
    call depends on another test's.
    """

    exchanges: tuple[Exchange, ...]
    histories: tuple[bytes, ...]
    repeat_of: tuple[int | None, ...]  # the last identical call of a module in the same state
    in_train: tuple[bool, ...]  # whether the module that is called is in train mode
    _arrived: dict[int, dict[str, Any]] = field(default_factory=dict)
    _agreed: dict[tuple[int, KnownReply], bool] = field(default_factory=dict)
    _inconsistent: dict[int, bool] = field(default_factory=dict)

    @classmethod
    def of(cls, exchanges: Sequence[Exchange]) -> Calls:
        """Index the exchanges of one test."""
        history, states = b"", _States()
        histories, repeat_of, in_train, seen = [], [], [], dict[tuple[object, ...], int]()
        for place, exchange in enumerate(exchanges):
            request = exchange.request
            unique = [request.get(name) for name in _UNIQUE]
            digest = digest_of({name: request[name] for name in request if name not in _UNIQUE})
            history = digest_of(unique, history + digest)
            histories.append(history)
            modules = list(_modules(request))
            call = (digest, *states.of(modules))
            repeat_of.append(seen.get(call))
            seen[call] = place
            in_train.append(states.in_train(request))
            states.follow(request, modules)
        return cls(tuple(exchanges), tuple(histories), tuple(repeat_of), tuple(in_train))

    @cached_property
    def size(self) -> int:
        """The bytes of all requests."""
        return sum(len(_frame(each.request)) for each in self.exchanges)

    @property
    def is_cut_off(self) -> bool:
        """Whether the student's process gave no reply to some call."""
        return any(each.failure is not None and not each.reply for each in self.exchanges)

    def request(self, place: int) -> dict[str, Any]:
        """Return a request with data of its own, as it arrives on the other side."""
        asked = self.exchanges[place].request
        if place not in self._arrived:
            self._arrived[place] = wire.unpack(_frame(asked))
        sent = self._arrived[place]
        return {name: asked[name] if name in _UNIQUE else _copy(sent[name]) for name in asked}

    def agrees(self, place: int, known: KnownReply) -> bool:
        """Tell whether the student's reply to the call at `place` is the same as a known one."""
        key = place, known
        if key not in self._agreed:
            self._agreed[key] = same(self.exchanges[place].reply, known.message)
        return self._agreed[key]

    def is_inconsistent(self, place: int) -> bool | None:
        """Tell whether two identical calls got different replies; None if there is only one."""
        repeated = self.repeat_of[place]
        if repeated is None:
            return None
        if place not in self._inconsistent:
            replies = (self.exchanges[each].reply for each in (place, repeated))
            self._inconsistent[place] = not same(*replies)
        return self._inconsistent[place]


@dataclass
class _States:
    """The modules of one test: their modes, and how often their parameters may have changed."""

    _eval: set[str] = field(default_factory=set)  # keys of those in eval mode
    _changes: dict[str, int] = field(default_factory=dict)

    def of(self, modules: Iterable[str]) -> Iterator[object]:
        return ((key in self._eval, self._changes.get(key, 0)) for key in modules)

    def in_train(self, request: Mapping[str, Any]) -> bool:
        """Tell whether a request calls a module that is in train mode, as it is when made."""
        target = request.get("target")
        return isinstance(target, wire.Handle) and target.key not in self._eval

    def follow(self, request: Mapping[str, Any], modules: Iterable[str]) -> None:
        if request["op"] == "mode":
            (self._eval.difference_update if request["train"] else self._eval.update)(modules)
        elif request["op"] in ("load", "call"):  # a function may train the module that it is given
            self._changes |= {key: self._changes.get(key, 0) + 1 for key in modules}


def _modules(value: Any) -> Iterator[str]:
    if isinstance(value, wire.Handle):
        yield value.key
    elif isinstance(value, Mapping):
        yield from (key for item in value.values() for key in _modules(item))
    elif isinstance(value, (list, tuple)):
        yield from (key for item in value for key in _modules(item))


def _frame(request: Mapping[str, Any]) -> bytes:  # but for what no other call has
    return wire.pack({**request, "seed": 0, "key": ""})


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copy(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(_copy, value))
    if isinstance(value, wire.Stream):
        return wire.Stream(_copy(value.items))
    if isinstance(value, np.ndarray):
        return value.copy()
    return value.clone() if hasattr(value, "clone") else value


def digest_of(value: Any, before: bytes = b"") -> bytes:
    """Return a digest of what came `before` and of a value; values are alike if they are sent so.

    Arrays of equal numbers are alike only if all of kind, dtype and shape are the same.
    """
    arrays = list[npt.NDArray[Any]]()
    outline = repr(_outline(value, arrays)).encode(errors="surrogatepass")
    digest = hashlib.blake2b(before, digest_size=_DIGEST_SIZE)
    digest.update(len(outline).to_bytes(8) + outline)
    for array in arrays:
        digest.update(np.ascontiguousarray(array).data)
    return digest.digest()


def _outline(value: Any, arrays: list[npt.NDArray[Any]]) -> object:
    """Return a value with dtypes and shapes for its arrays, which are put to `arrays`."""
    if type(value) in _SCALARS:
        return value
    if isinstance(value, wire.Handle):
        return "module", value.key, value.type_name
    if isinstance(value, wire.Stream):
        return "stream", [_outline(item, arrays) for item in value.items]
    if isinstance(value, (list, tuple)):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return kind, [_outline(item, arrays) for item in value]
    if isinstance(value, Mapping):
        return "dict", [(str(key), _outline(item, arrays)) for key, item in value.items()]
    return _outline_of_array(value, arrays)


def _outline_of_array(value: Any, arrays: list[npt.NDArray[Any]]) -> object:
    torch = sys.modules.get("torch")  # if torch was never imported, nothing is a tensor
    array, kind = None, type(value).__name__
    if torch is not None and isinstance(value, torch.Tensor):
        kind = "tensor"
        with suppress(TypeError, RuntimeError):  # NumPy can't look at every tensor
            array = np.asarray(value.detach().numpy())
    elif isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
    if array is None or array.dtype.kind not in _NUMBERS:
        return "encoded", wire.pack({"value": value})
    arrays.append(array)
    return kind, array.dtype.str, array.shape
