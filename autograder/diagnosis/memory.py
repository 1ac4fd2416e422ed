"""What suspects have replied, kept from student to student: a cache that may be emptied anytime.

Most suspects reply alike to most calls, so equal replies are kept once, as the bytes that came
back. A submission is examined in a forked process; the one that forked it learns what it found.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from autograder.sandbox import wire

MAX_BYTES = 256 << 20  # of all replies; most students' calls are the same
MAX_FOUND = 32 << 20  # of the replies that one process tells another
_KEY = 250  # bytes that a key takes
_Key = tuple[str, bytes]  # a suspect, and the history of calls up to the one that it replies to


@dataclass(frozen=True, eq=False)
class KnownReply:
    """A suspect's reply, as a frame, and whether random numbers were used for it.

    In one memory, equal replies are one and the same.
    """

    frame: bytes
    used_random: bool

    @cached_property
    def message(self) -> Mapping[str, Any]:
        """The reply; raises `WireError` if the frame is damaged."""
        return wire.unpack(self.frame)

    @property
    def is_for_lack_of_memory(self) -> bool:
        """Whether it is an error that anything else in this process may have caused."""
        error = str(self.message.get("error"))
        return "MemoryError" in error or "allocate memory" in error  # as PyTorch has it


@dataclass
class Memory:
    """The replies of all suspects of one assignment."""

    _known: dict[_Key, KnownReply] = field(default_factory=dict)
    _replies: dict[tuple[bytes, bool], KnownReply] = field(default_factory=dict)
    _found: list[_Key] = field(default_factory=list)  # by this process
    _size: int = 0  # bytes of all replies

    def __len__(self) -> int:
        return len(self._known)

    def of(self, suspect: str, history: bytes) -> KnownReply | None:
        """Return what the suspect replied after the calls of `history`, if that is known."""
        return self._known.get((suspect, history))

    def add(self, suspect: str, history: bytes, frame: bytes, used_random: bool) -> KnownReply:
        """Remember a reply that this process has found; return it."""
        reply = self._keep((suspect, history), KnownReply(frame, used_random))
        self._found.append((suspect, history))
        return reply

    def found(self) -> bytes:
        """Return what this process has found, as plain data: as much as fits."""
        known, places, size = list[tuple[str, str, int]](), dict[KnownReply, int](), 0
        for suspect, history in self._found[: wire.MAX_ITEMS]:
            reply = self._known[suspect, history]
            new = 0 if reply in places else len(reply.frame)
            if size + new > MAX_FOUND or reply.is_for_lack_of_memory:
                continue
            size += new
            known.append((suspect, history.hex(), places.setdefault(reply, len(places))))
        replies = [(np.frombuffer(each.frame, np.uint8), each.used_random) for each in places]
        return wire.pack({"known": known, "replies": replies})

    def learn(self, found: bytes) -> None:
        """Remember what another process has `found`; raise `WireError` if it isn't that."""
        try:
            told = wire.unpack(found)
            replies = [KnownReply(frame.tobytes(), bool(used)) for frame, used in told["replies"]]
            known = [((str(s), bytes.fromhex(h)), replies[place]) for s, h, place in told["known"]]
            is_sound = all("output" in reply.message for reply in replies)  # as in every reply
        except (LookupError, TypeError, ValueError, AttributeError, struct.error) as error:
            raise wire.WireError(f"no suspects' replies: {error}") from None
        if not is_sound:
            raise wire.WireError("no suspects' replies")
        for key, reply in known:
            self._keep(key, reply)

    def _keep(self, key: _Key, reply: KnownReply) -> KnownReply:
        """Remember a reply; return the one that stands for all that are equal to it."""
        content = reply.frame, reply.used_random
        size = _KEY + (0 if content in self._replies else len(reply.frame))
        if self._size + size > MAX_BYTES:
            for each in (self._known, self._replies, self._found):
                each.clear()
            self._size = 0
        self._size += size
        self._known[key] = self._replies.setdefault(content, reply)
        return self._known[key]
