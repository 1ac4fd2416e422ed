"""What suspects have replied, remembered from student to student.

What one process has learned can be handed on to another as plain data, in frames: a submission is
examined in a process of its own, which ends with it.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.sandbox import wire

MAX_BYTES = 256 << 20  # of all replies; most students' calls are the same
_Key = tuple[str, bytes]  # a suspect, and the history of calls up to the one that it replies to


@dataclass(frozen=True)
class Answer:
    """A suspect's reply, and whether random numbers were used for it."""

    reply: Mapping[str, Any]
    used_random: bool


@dataclass
class Memory:
    """The replies of all suspects of one assignment."""

    _answers: dict[_Key, Answer] = field(default_factory=dict)
    _news: list[_Key] = field(default_factory=list)  # what this process has found itself
    _size: int = 0  # bytes of all replies

    def __len__(self) -> int:
        return len(self._answers)

    def of(self, suspect: str, history: bytes) -> Answer | None:
        """Return what the suspect replied after the calls of `history`, if that is known."""
        return self._answers.get((suspect, history))

    def add(self, suspect: str, history: bytes, answer: Answer) -> None:
        """Remember an answer, which is news."""
        key = suspect, history
        self._keep(key, answer, len(_frame(key, answer)))
        self._news.append(key)

    def news(self, max_bytes: int) -> bytes:
        """Return frames of what is new since this was asked for last, as many as fit."""
        news, self._news = self._news, []
        frames, size = [], 0
        for key in news:
            frame = _frame(key, self._answers[key])
            size += len(frame)
            if size > max_bytes:
                break
            frames.append(frame)
        return b"".join(frames)

    def learn(self, news: bytes) -> None:
        """Remember what another process has learned; raises `WireError` if it isn't that."""
        stream = io.BytesIO(news)
        while stream.tell() < len(news):
            before = stream.tell()
            try:
                said = wire.Frame.read(stream.read).message()
                key = str(said["suspect"]), bytes.fromhex(said["history"])
                answer = Answer(said["reply"], bool(said["used_random"]))
            except (LookupError, TypeError, ValueError, struct.error) as error:
                raise wire.WireError(f"no suspect's answer: {error}") from None
            self._keep(key, answer, stream.tell() - before)

    def _keep(self, key: _Key, answer: Answer, size: int) -> None:
        if self._size + size > MAX_BYTES:
            self._answers.clear()
            self._news.clear()
            self._size = 0
        self._answers[key] = answer
        self._size += size


def _frame(key: _Key, answer: Answer) -> bytes:
    suspect, history = key
    about = {"suspect": suspect, "history": history.hex(), "used_random": answer.used_random}
    return wire.pack({**about, "reply": answer.reply})
