"""What stands above a hidden test: what it is worth, what it forbids, how long it may take."""

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
    """Mark tests during whose calls the built-ins with these dotted names raise."""
    return pytest.mark.forbids(*names)


def seconds(number: float) -> pytest.MarkDecorator:
    """Mark a hidden test whose calls need long: all together may take `number` seconds.

    Its questions are not put to the misconceptions on file, which would need as long, each.
    """
    return pytest.mark.seconds(number)


def stream(items: Sequence[Any]) -> Stream:
    """Return an argument that the student's code receives as an iterator over `items`."""
    return Stream(items)
