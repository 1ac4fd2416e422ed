"""What suspects reply, kept from run to run in the course's work folder.

A file holds what they reply to calls that our hidden tests make of our own solution, and so nothing
that a student's code has computed. It says no more than the hidden tests and known mistakes do, and
is as well hidden from students. Whoever deletes it loses some time, and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from autograder.course import Course
from autograder.grading.fingerprint import Fingerprint

MAX_BYTES = 32 << 20  # of a file
_FOLDER = "suspects"
_SIZE = 32  # bytes of the seal


def recalled(course: Course, assignment: str, fingerprint: Fingerprint) -> bytes:
    """Return what was kept; nothing if it was under another fingerprint, or the file is damaged."""
    try:
        with _path(course, assignment).open("rb") as file:
            kept = file.read(MAX_BYTES + _SIZE + 1)
    except OSError:
        return b""
    seal, frames = kept[:_SIZE], kept[_SIZE:]
    is_whole = len(frames) <= MAX_BYTES and seal == _seal(fingerprint, frames)
    return frames if is_whole else b""


def keep(course: Course, assignment: str, fingerprint: Fingerprint, frames: bytes) -> None:
    """Keep `frames` in place of what was kept before: all of it, or if it can't be kept, nothing.

    Where nothing can be written, as beside a course that is only read, nothing is kept.
    """
    path = _path(course, assignment)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_bytes(_seal(fingerprint, frames) + frames)
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink()


def _path(course: Course, assignment: str) -> Path:
    return course.work / _FOLDER / assignment


def _seal(fingerprint: Fingerprint, frames: bytes) -> bytes:
    """Return what only these frames have, under this fingerprint."""
    parts = json.dumps(fingerprint, sort_keys=True).encode()
    return hashlib.blake2b(frames, key=hashlib.blake2b(parts).digest(), digest_size=_SIZE).digest()
