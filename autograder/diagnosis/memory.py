"""What suspects have replied, remembered from student to student.

Most suspects reply alike to most calls: what many have replied is kept once, as the bytes that came
back. What one process has learned can be handed on to another as plain data, in frames: a
submission is examined in a process of its own, which ends with it.
"""

from __future__ import annotations

import hashlib
import io
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from autograder.sandbox import wire

MAX_BYTES = 256 << 20  # of all replies; most students' calls are the same
MAX_CHUNK = 4 << 20  # bytes of replies in a frame, and of a reply that is handed on
MAX_KEYS = 4000  # that a frame tells of
_DIGEST = 16  # bytes
_HISTORY = 32  # bytes
_KEY = 250  # bytes that a key takes
_Key = tuple[str, bytes]  # a suspect, and the history of calls up to the one that it replies to


@dataclass(frozen=True, eq=False)
class Answer:
    """A suspect's reply, as a frame, and whether random numbers were used for it.

    In one memory, equal answers are one and the same.
    """

    frame: bytes
    used_random: bool

    @cached_property
    def reply(self) -> Mapping[str, Any]:
        """The reply; raises `WireError` if the frame is damaged."""
        return wire.unpack(self.frame)

    @property
    def is_for_lack_of_memory(self) -> bool:
        """Whether it is an error that says so: what else this process holds may have caused it."""
        error = str(self.reply.get("error"))
        return "MemoryError" in error or "allocate memory" in error  # as PyTorch has it

    @cached_property
    def digest(self) -> bytes:
        """What no other answer has."""
        flag = bytes([self.used_random])
        return hashlib.blake2b(flag + self.frame, digest_size=_DIGEST).digest()


@dataclass
class Memory:
    """The replies of all suspects of one assignment."""

    has_found_more: bool = False  # than was recalled
    _known: dict[_Key, Answer] = field(default_factory=dict)
    _answers: dict[bytes, Answer] = field(default_factory=dict)  # by digest
    _news: list[_Key] = field(default_factory=list)  # what this process has found itself
    _told: set[bytes] = field(default_factory=set)  # digests of what others have too
    _size: int = 0  # bytes of all replies

    def __len__(self) -> int:
        return len(self._known)

    def of(self, suspect: str, history: bytes) -> Answer | None:
        """Return what the suspect replied after the calls of `history`, if that is known."""
        return self._known.get((suspect, history))

    def add(self, suspect: str, history: bytes, frame: bytes, used_random: bool) -> Answer:
        """Remember an answer, which is news; return it."""
        key = suspect, history
        answer = self._keep(key, Answer(frame, used_random))
        self._news.append(key)
        self.has_found_more = True
        return answer

    def news(self, max_bytes: int) -> bytes:
        """Return frames of what is new since this was asked for last, as many as fit."""
        news, self._news = self._news, []
        frames = _joined(self._frames(news, self._told), max_bytes)
        self._told.update(self._known[key].digest for key in news)
        return frames

    def after(self, histories: Collection[bytes], max_bytes: int) -> bytes:
        """Return frames of all that is known of the calls of `histories`, as many as fit."""
        keys = [key for key in self._known if key[1] in histories]
        return _joined(self._frames(keys, ()), max_bytes)

    def learn(self, frames: bytes) -> None:
        """Remember what another process has found out; raises `WireError` if it isn't that."""
        for key, answer in _told_in(frames, self._answers):
            self._told.add(self._keep(key, answer).digest)
            self.has_found_more = True

    def recall(self, frames: bytes) -> None:
        """Remember what was known in an earlier run, as far as it can be read."""
        with suppress(wire.WireError):
            for key, answer in _told_in(frames, self._answers):
                self._told.add(self._keep(key, answer).digest)

    def _frames(self, keys: Iterable[_Key], told: Collection[bytes]) -> Iterator[bytes]:
        """Yield frames of what is known of `keys`, without the replies that were `told`."""
        chunk, size, sent = list[_Key](), 0, set(told)
        for key in keys:
            answer = self._known[key]
            if len(answer.frame) > MAX_CHUNK or answer.is_for_lack_of_memory:
                continue
            size += 0 if answer.digest in sent else len(answer.frame)
            sent.add(answer.digest)
            chunk.append(key)
            if size > MAX_CHUNK or len(chunk) == MAX_KEYS:
                yield self._frame(chunk, told)
                told, chunk, size = set(sent), [], 0
        if chunk:
            yield self._frame(chunk, told)

    def _frame(self, keys: Sequence[_Key], told: Collection[bytes]) -> bytes:
        answers = {(answer := self._known[key]).digest: answer for key in keys}
        fresh = [each for digest, each in answers.items() if digest not in told]
        place = {digest: at for at, digest in enumerate(answers)}
        suspects = {suspect: at for at, suspect in enumerate(dict(keys))}
        histories = {history: at for at, history in enumerate({key[1]: None for key in keys})}
        known = [(suspects[s], histories[h], place[self._known[s, h].digest]) for s, h in keys]
        return wire.pack(
            {
                "suspects": list(suspects),
                "histories": _array(b"".join(histories)),
                "answers": _array(b"".join(answers)),
                "known": np.array(known, np.uint32),
                "used_random": np.array([each.used_random for each in fresh], bool),
                "sizes": np.array([len(each.frame) for each in fresh], np.uint32),
                "replies": _array(b"".join(each.frame for each in fresh)),
            }
        )

    def _keep(self, key: _Key, answer: Answer) -> Answer:
        """Remember an answer; return the one that stands for all that are equal to it."""
        size = _KEY + (0 if answer.digest in self._answers else len(answer.frame))
        if self._size + size > MAX_BYTES:
            self._forget()
        self._size += size
        self._known[key] = self._answers.setdefault(answer.digest, answer)
        return self._known[key]

    def _forget(self) -> None:
        for each in (self._known, self._answers, self._news, self._told):
            each.clear()
        self._size = 0


def _told_in(frames: bytes, known: Mapping[bytes, Answer]) -> Iterator[tuple[_Key, Answer]]:
    """Yield what frames tell; what they take for `known`, and is not, is left out.

    Raises `WireError` if they aren't frames of answers.
    """
    stream = io.BytesIO(frames)
    while stream.tell() < len(frames):
        try:
            yield from _read(wire.Frame.read(stream.read).message(), known)
        except (LookupError, TypeError, ValueError, AttributeError, struct.error) as error:
            raise wire.WireError(f"no suspects' answers: {error}") from None


def _read(said: Mapping[str, Any], known: Mapping[bytes, Answer]) -> Iterator[tuple[_Key, Answer]]:
    fresh = dict[bytes, Answer]()
    replies, start = said["replies"].tobytes(), 0
    for size, used_random in zip(said["sizes"].tolist(), said["used_random"], strict=True):
        answer = Answer(replies[start : start + size], bool(used_random))
        fresh[answer.digest] = answer
        start += size
    suspects = said["suspects"]
    histories = _split(said["histories"].tobytes(), _HISTORY)
    digests = _split(said["answers"].tobytes(), _DIGEST)
    for suspect, history, place in said["known"].reshape(-1, 3).tolist():
        digest = digests[place]
        if told := fresh.get(digest) or known.get(digest):
            if "output" not in told.reply:  # which every reply has
                raise wire.WireError("this is no reply")
            yield (str(suspects[suspect]), histories[history]), told


def _array(content: bytes) -> Any:
    return np.frombuffer(content, np.uint8)


def _split(content: bytes, size: int) -> list[bytes]:
    return [content[start : start + size] for start in range(0, len(content), size)]


def _joined(frames: Iterable[bytes], max_bytes: int) -> bytes:
    """Return as many frames as fit, one after the other."""
    fit, size = list[bytes](), 0
    for frame in frames:
        size += len(frame)
        if size > max_bytes:
            break
        fit.append(frame)
    return b"".join(fit)
