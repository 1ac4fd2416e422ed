"""Names that carry the grader's pid, so that leftovers of killed graders can be recognised."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

_PREFIX = "autograder"
_numbers = count()


def new_name() -> str:
    """Return a new name that carries the pid of this grader."""
    return f"{_PREFIX}-{os.getpid()}-{next(_numbers)}"


def left_in(folder: Path) -> Iterator[Path]:
    """Yield the directories in `folder` that were left by graders that have ended."""
    for path in folder.glob(f"{_PREFIX}-*-*"):
        grader = path.name.split("-")[1]
        if grader.isdigit() and not Path("/proc", grader).exists() and _is_ours(path):
            yield path


def _is_ours(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink() and os.getuid() in (0, path.stat().st_uid)
