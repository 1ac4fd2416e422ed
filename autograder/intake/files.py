"""Open what was handed in: ordinary files, behind no link, and waiting for nobody.

A link could lead to what isn't the student's, a pipe waits until somebody writes into it, and a
device may never end.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import IO

from autograder.errors import SubmissionError, shown

# A link is refused, and a pipe or a device keeps nobody waiting.
FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def open_regular(path: Path, below: Path) -> IO[bytes]:
    """Open a file; neither it nor a folder between `below` and it may be a link.

    Raises `SubmissionError` for a link and for what is no ordinary file, OSError if it can't be
    opened.
    """
    *folders, name = path.relative_to(below).parts
    folder = os.open(below, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in folders:
            _check(part, folder, stat.S_ISDIR)
            inner = os.open(part, FLAGS | os.O_DIRECTORY, dir_fd=folder)
            os.close(folder)
            folder = inner
        _check(name, folder, stat.S_ISREG)
        return _only_regular(os.open(name, FLAGS, dir_fd=folder), name)
    finally:
        os.close(folder)


def open_named(path: Path) -> IO[bytes]:
    """Open the ordinary file that a person of ours named; it may lie behind a link."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise SubmissionError(f"{shown(path.name)} is not a file: hand in the notebook itself.")
    return _only_regular(os.open(path, FLAGS & ~os.O_NOFOLLOW), path.name)


def read_small(path: Path, below: Path, most: int) -> bytes:
    """Return the bytes of such a file; raise `SubmissionError` if there are more than `most`."""
    with open_regular(path, below) as file:
        raw = file.read(most + 1)
    if len(raw) > most:
        raise SubmissionError(f"{shown(path.name)} has more than {most} bytes.")
    return raw


def _check(name: str, folder: int, is_right: Callable[[int], bool]) -> None:
    """Refuse what lies in an open folder under this name, unless it is of the right kind."""
    mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    if stat.S_ISLNK(mode):
        raise SubmissionError(f"{shown(name)} is a link: hand in the notebook itself.")
    if not is_right(mode):
        kind = "a folder" if is_right is stat.S_ISDIR else "a file"
        raise SubmissionError(f"{shown(name)} is not {kind}: hand in the notebook itself.")


def _only_regular(descriptor: int, name: str) -> IO[bytes]:
    """Return an open file as a stream, unless something else took its place meanwhile."""
    if (stream := regular(descriptor)) is None:
        raise SubmissionError(f"{shown(name)} is not a file: hand in the notebook itself.")
    return stream


def regular(descriptor: int) -> IO[bytes] | None:
    """Return an open file as a stream; close it and return None if it is no ordinary one."""
    stream = os.fdopen(descriptor, "rb")
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return stream
    stream.close()
    return None
