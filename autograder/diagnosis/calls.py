"""The calls of one hidden test, indexed: what came before each, and what it repeats."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from autograder.diagnosis.agreement import leaves, same
from autograder.diagnosis.memory import KnownReply
from autograder.sandbox import wire
from autograder.testing.student import Exchange

_UNIQUE = ("seed", "key")  # no two calls of a test have the same
_MADE = (True, 0)  # a module is made in train mode, and nothing has changed its parameters yet


@dataclass(frozen=True, eq=False)
class Calls:
    """The calls that one hidden test made, in order, and the student's replies.

    `frames` are the requests as they are sent, but for what no other call has. `histories` holds,
    for each call, a digest of it and all calls before it in the same test: no call depends on
    another test's. `repeat_of` is the last identical call of modules in the same state, if any.
    """

    exchanges: tuple[Exchange, ...]
    frames: tuple[bytes, ...]
    histories: tuple[bytes, ...]
    repeat_of: tuple[int | None, ...]
    _agreed: dict[tuple[int, KnownReply], bool] = field(default_factory=dict)

    @classmethod
    def of(cls, exchanges: Sequence[Exchange]) -> Self:
        history, states = b"", dict[str, tuple[bool, int]]()
        frames, histories, repeat_of, seen = [], [], [], dict[tuple[object, ...], int]()
        for place, request in enumerate(exchange.request for exchange in exchanges):
            frame = wire.pack({**request, "seed": 0, "key": ""})
            frames.append(frame)
            unique = repr([request.get(name) for name in _UNIQUE]).encode()
            history = _digest(history, unique, frame)
            histories.append(history)
            modules = [each.key for each in leaves(request) if isinstance(each, wire.Handle)]
            call = (frame, *(states.get(key, _MADE) for key in modules))
            repeat_of.append(seen.get(call))
            seen[call] = place
            for key in modules:
                in_train, changes = states.get(key, _MADE)
                if request["op"] == "mode":
                    states[key] = request["train"], changes
                elif request["op"] in ("load", "call", "method"):  # a call may train its argument
                    states[key] = in_train, changes + 1
        return cls(tuple(exchanges), tuple(frames), tuple(histories), tuple(repeat_of))

    @property
    def places(self) -> range:
        return range(len(self.exchanges))

    @property
    def size(self) -> int:
        """The bytes of all requests."""
        return sum(map(len, self.frames))

    @property
    def is_cut_off(self) -> bool:
        """Whether the student's process gave no reply to some call."""
        return any(each.failure is not None and not each.reply for each in self.exchanges)

    def request(self, place: int) -> dict[str, Any]:
        """Return a request with data of its own, as it arrives on the other side."""
        asked, arrived = self.exchanges[place].request, wire.unpack(self.frames[place])
        return {name: asked[name] if name in _UNIQUE else arrived[name] for name in asked}

    def agrees(self, place: int, known: KnownReply) -> bool:
        """Tell whether the student's reply to the call at `place` is the same as a known one."""
        key = place, known
        if key not in self._agreed:
            theirs, ours = self.exchanges[place].reply, known.message
            match self.exchanges[place].request["op"]:
                case "state":
                    both = _with_common_names(theirs, ours), _with_common_names(ours, theirs)
                    theirs, ours = both
                case "parameters":  # one that is trained as well shows among the gradients
                    theirs = _with_common_names(_in_names_of(theirs, ours), ours)
            self._agreed[key] = same(theirs, ours)
        return self._agreed[key]

    @cached_property
    def inconsistent(self) -> list[bool | None]:
        """For each call, whether an identical one got another reply; None if there is none."""
        replies = [exchange.reply for exchange in self.exchanges]
        return [
            None if other is None else not same(reply, replies[other])
            for reply, other in zip(replies, self.repeat_of, strict=True)
        ]


def digest_of(value: Any) -> bytes:
    """Return a digest of a value; two values have the same if the same bytes are sent for them."""
    return _digest(wire.pack({"value": value}))


def _with_common_names(reply: Mapping[str, Any], other: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the reply with those parameters alone that another one has as well.

    A second name of a layer, or a table that is kept as a buffer or a frozen parameter, says
    nothing of a mistake.
    """
    values, others = reply.get("value"), other.get("value")
    if not (isinstance(values, Mapping) and isinstance(others, Mapping)):
        return reply
    return {**reply, "value": {name: values[name] for name in values if name in others}}


def _in_names_of(reply: Mapping[str, Any], other: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the reply with another one's names for parameters that no name is asked for.

    A layer too many may have any name: one that only the other has stands for the first of the same
    shape that only the reply has.
    """
    values, others = reply.get("value"), other.get("value")
    if not (isinstance(values, Mapping) and isinstance(others, Mapping)):
        return reply
    renamed, left = dict(values), [name for name in values if name not in others]
    for name in (each for each in others if each not in values):
        alike = next((each for each in left if values[each] == others[name]), None)
        if alike is not None:
            left.remove(alike)
            renamed[name] = renamed.pop(alike)
    return {**reply, "value": renamed}


def _digest(*parts: bytes) -> bytes:
    return hashlib.blake2b(b"".join(parts), digest_size=32).digest()
