"""What an instructor reads of a hidden test that could not be run."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest

from autograder.testing.failures import one_line

MAX_FRAMES = 12  # the last ones: nearest to the error


def traceback_of(error: BaseException, root: Path) -> str:
    """Return the error and where it was raised, from the course's own code at `root` on.

    Paths are those within the course, so that the same fault reads the same on every machine.
    """
    frames = traceback.extract_tb(error.__traceback__)
    first = next((n for n, frame in enumerate(frames) if _is_below(frame.filename, root)), 0)
    lines = [_line(frame, root) for frame in frames[first:][-MAX_FRAMES:]]
    return "\n".join([*lines, _summary(error)])


def _summary(error: BaseException) -> str:
    if isinstance(error, pytest.FixtureLookupError):  # its own text is many lines long
        return f"The hidden test asks for a fixture {error.argname!r}, which no conftest.py defines"
    return f"{type(error).__name__}: {one_line(str(error), 600)}"


def _line(frame: traceback.FrameSummary, root: Path) -> str:
    path = Path(frame.filename)
    shown = path.relative_to(root) if _is_below(frame.filename, root) else path.name
    return f"{shown}, line {frame.lineno}, in {frame.name}: {one_line(frame.line or '')}"


def _is_below(name: str, root: Path) -> bool:
    return Path(name).is_relative_to(root)
