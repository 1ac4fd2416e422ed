"""What suspects have replied, kept from student to student: a cache that may be emptied anytime.

Most suspects reply alike to most calls, so equal replies are kept once, as the bytes that came
back. A submission is examined in a forked process; the one that forked it learns what it found,
and writes it to a file, in which all workers look, and later runs as well.
"""

import hashlib
import os
import sqlite3
import struct
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from autograder.sandbox import wire

MAX_BYTES = 256 << 20  # of all replies; most students' calls are the same
MAX_FOUND = 32 << 20  # of the replies that one process tells another
MAX_FILES = 3  # of one assignment: each is of other tests, limits or versions
MAX_PATIENCE = 5  # seconds that a worker waits until another has written to the file
_KEY = 250  # bytes that a key takes
_PAGE = 4096  # bytes of SQLite's
_Key = tuple[str, bytes]  # a suspect, and the history of calls up to the one that it replies to
_TABLES = f"""
PRAGMA synchronous = OFF;
PRAGMA max_page_count = {MAX_BYTES // _PAGE};
CREATE TABLE IF NOT EXISTS replies (
    digest BLOB PRIMARY KEY, frame BLOB NOT NULL, used_random INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS known (
    suspect TEXT, history BLOB, digest BLOB NOT NULL, PRIMARY KEY (suspect, history)
) WITHOUT ROWID;
"""
_FIND = """
SELECT digest, frame, used_random FROM known JOIN replies USING (digest)
WHERE suspect = ? AND history = ?
"""


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

    @cached_property
    def digest(self) -> bytes:
        return hashlib.blake2b(bytes([self.used_random]) + self.frame, digest_size=32).digest()

    @property
    def is_for_lack_of_memory(self) -> bool:
        """Whether it is an error that anything else in this process may have caused."""
        error = str(self.message.get("error"))
        return "MemoryError" in error or "allocate memory" in error  # as PyTorch has it


@dataclass
class ReplyFile:
    """Replies in an SQLite file, which anybody may delete; what can't be read isn't known.

    Nothing is raised: a damaged file, one of somebody else's or a full disk costs only time.
    """

    path: Path
    _opened: tuple[int, sqlite3.Connection] | None = None  # by which process: no fork may share it
    _is_usable: bool = True

    def find(self, key: _Key) -> KnownReply | None:
        """Return the reply that was kept under a key, if it is whole."""
        if not self._is_usable:
            return None
        try:
            if self._opened is None or self._opened[0] != os.getpid():
                address = f"{self.path.absolute().as_uri()}?mode=ro"
                self._opened = os.getpid(), sqlite3.connect(address, MAX_PATIENCE, uri=True)
            row = self._opened[1].execute(_FIND, key).fetchone()
        except (sqlite3.Error, OSError):
            self._is_usable = False
            return None
        if row is None:
            return None
        digest, frame, used_random = row
        found = KnownReply(bytes(frame), bool(used_random))
        return found if found.digest == digest else None

    def keep(self, replies: Iterable[tuple[_Key, KnownReply]]) -> None:
        """Write down replies, as far as there is room, and remove the oldest files beside this."""
        known = list(replies)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self.path.exists():
                others = self.path.parent.glob("*.db")
                for old in sorted(others, key=lambda path: path.stat().st_mtime)[: 1 - MAX_FILES]:
                    old.unlink(missing_ok=True)
            with closing(sqlite3.connect(self.path, MAX_PATIENCE)) as file, file:
                file.executescript(_TABLES)
                file.executemany(
                    "INSERT OR IGNORE INTO replies VALUES (?, ?, ?)",
                    ((each.digest, each.frame, each.used_random) for _, each in known),
                )
                file.executemany(
                    "INSERT OR IGNORE INTO known VALUES (?, ?, ?)",
                    ((*key, each.digest) for key, each in known),
                )
        except (sqlite3.OperationalError, OSError):  # locked, full, not ours: another time
            return
        except sqlite3.Error:  # damaged
            with suppress(OSError):
                self.path.unlink(missing_ok=True)


@dataclass
class Memory:
    """The replies of all suspects of one assignment; those in `file` as well, if there is one."""

    file: ReplyFile | None = None
    _known: dict[_Key, KnownReply] = field(default_factory=dict)
    _replies: dict[tuple[bytes, bool], KnownReply] = field(default_factory=dict)
    _found: list[_Key] = field(default_factory=list)  # by this process, or by it in the file
    _size: int = 0  # bytes of all replies

    def __len__(self) -> int:
        return len(self._known)

    def of(self, suspect: str, history: bytes) -> KnownReply | None:
        """Return what the suspect replied after the calls of `history`, if that is known."""
        key = suspect, history
        if key not in self._known and self.file and (kept := self.file.find(key)):
            self._keep(key, kept)
            self._found.append(key)
        return self._known.get(key)

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
        if self.file and known:
            self.file.keep(known)

    def _keep(self, key: _Key, reply: KnownReply) -> KnownReply:
        """Remember a reply; return the one that stands for all that are equal to it."""
        content = reply.frame, reply.used_random
        size = 0 if key in self._known else _KEY
        size += 0 if content in self._replies else len(reply.frame)
        if self._size + size > MAX_BYTES:
            for each in (self._known, self._replies, self._found):
                each.clear()
            self._size = 0
        self._size += size
        self._known[key] = self._replies.setdefault(content, reply)
        return self._known[key]
