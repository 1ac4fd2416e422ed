"""Decorators of a hidden test: its points, the built-ins that it forbids, its time limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from autograder.sandbox.wire import Stream


def points(number: int) -> pytest.MarkDecorator:
    """Mark a hidden test as worth `number` whole points."""
    if not isinstance(number, int) or number < 1:
        raise TypeError("@points(n) takes a whole number above 0")
    return pytest.mark.points(number)


def forbids(*names: str) -> pytest.MarkDecorator:
    """Make the built-ins with these dotted names raise during a test's calls."""
    return pytest.mark.forbids(*names)


def seconds(number: float) -> pytest.MarkDecorator:
    """Mark a hidden test as slow: all its calls together may take `number` seconds.

    Its calls are not replayed against known misconceptions: each replay would take as long.
    """
    return pytest.mark.seconds(number)


def stream(items: Sequence[Any]) -> Stream:
    """Return an argument that the student's code receives as an iterator over `items`."""
    return Stream(items)
