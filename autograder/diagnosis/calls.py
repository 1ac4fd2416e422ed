"""The calls of one hidden test, indexed: what came before each, and what it repeats."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.diagnosis.agreement import same
from autograder.sandbox import wire
from autograder.testing.student import Exchange


@dataclass(frozen=True)
class Calls:
    """The calls that one hidden test made, in order, and the student's replies.

    `histories` holds, for each call, a hash of it and all calls before it in the same test. No
    call depends on another test's.
    """

    exchanges: tuple[Exchange, ...]
    histories: tuple[bytes, ...]
    repeat_of: tuple[int | None, ...]  # the last identical call of a module in the same state
    in_train: tuple[bool, ...]  # whether the module that is called is in train mode
    size: int  # bytes of all requests

    @classmethod
    def of(cls, exchanges: Sequence[Exchange]) -> Calls:
        """Index the exchanges of one test."""
        history, size, states = b"", 0, _States()
        histories, repeat_of, in_train, seen = [], [], [], dict[tuple[object, ...], int]()
        for place, exchange in enumerate(exchanges):
            request = exchange.request
            frame = wire.pack({**request, "seed": 0, "key": ""})  # no two calls have the same
            unique = f"{request['seed']} {request.get('key')} ".encode()
            history = hashlib.blake2s(history + unique + frame).digest()
            histories.append(history)
            size += len(frame)
            twin = (frame, *states.of(request))
            repeat_of.append(seen.get(twin))
            seen[twin] = place
            in_train.append(states.in_train(request))
            states.follow(request)
        return cls(tuple(exchanges), tuple(histories), tuple(repeat_of), tuple(in_train), size)

    def is_inconsistent(self, place: int) -> bool | None:
        """Tell whether two identical calls got different replies; None if there is only one."""
        repeated = self.repeat_of[place]
        if repeated is None:
            return None
        return not same(self.exchanges[place].reply, self.exchanges[repeated].reply)


@dataclass
class _States:
    """The modules of one test: their modes, and how often their parameters may have changed."""

    _eval: set[str] = field(default_factory=set)  # keys of those in eval mode
    _changes: dict[str, int] = field(default_factory=dict)

    def of(self, request: Mapping[str, Any]) -> tuple[object, ...]:
        """Return the state of each module that a request is about."""
        return tuple((key in self._eval, self._changes.get(key, 0)) for key in _modules(request))

    def in_train(self, request: Mapping[str, Any]) -> bool:
        """Tell whether a request calls a module that is in train mode, as it is when made."""
        target = request.get("target")
        return isinstance(target, wire.Handle) and target.key not in self._eval

    def follow(self, request: Mapping[str, Any]) -> None:
        """Note what a request does to the modules that it is about."""
        keys = list(_modules(request))
        if request["op"] == "mode":
            (self._eval.difference_update if request["train"] else self._eval.update)(keys)
        elif request["op"] in ("load", "call"):  # a function may train the module that it is given
            self._changes |= {key: self._changes.get(key, 0) + 1 for key in keys}


def _modules(value: Any) -> Iterator[str]:
    """Yield the keys of all modules in a request."""
    if isinstance(value, wire.Handle):
        yield value.key
    elif isinstance(value, Mapping):
        yield from (key for item in value.values() for key in _modules(item))
    elif isinstance(value, (list, tuple)):
        yield from (key for item in value for key in _modules(item))
