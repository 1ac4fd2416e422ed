"""Callbacks: requests that a student's process may send to the grader while a call runs.

They go to a `Model` that a hidden test passed to the student's function, or to the oracle that
follow-through sets up. Neither trusts a callback.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from autograder.sandbox import wire
from autograder.testing.model import Model

# The allowed operations, and the fields of each: none may be missing, none may be added.
_FIELDS: Mapping[str, set[str]] = {
    "call": {"op", "name", "args", "kwargs", "key"},
    "forward": {"op", "target", "args", "kwargs"},
    "gradients": {"op", "target", "args", "kwargs", "cotangent", "inputs"},
    "load": {"op", "target", "state"},
    "mode": {"op", "target", "train"},
    "state": {"op", "target"},
}
MAX_NUMBER = 4096  # absolute value of an integer argument, which is mostly a size
MAX_AXIS = 2048  # entries along one axis of an array
MAX_ARRAY = 1 << 20  # entries of an array


class Oracle(Protocol):
    """Answers calls of earlier exercises in place of the student's functions."""

    def answer(self, request: Any) -> Mapping[str, Any]:
        """Return the reply to a callback; an error if it is refused."""


def is_allowed(request: Any) -> bool:
    """Tell whether `request` is a well-formed callback that costs the grader little."""
    if not isinstance(request, dict) or not isinstance(request.get("op"), str):
        return False
    is_known = _FIELDS.get(request["op"]) == set(request)
    return is_known and all(map(_is_small, request.values()))


def call_back(models: Sequence[Model], request: Any) -> Mapping[str, Any] | None:
    """Return the reply of the model that `request` addresses; None if it is none of `models`."""
    target = request.get("target") if is_allowed(request) else None
    for model in models:
        if isinstance(target, wire.Handle) and target.key == model.key:
            return model.answer(request)
    return None


def _is_small(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_is_small, value))
    if isinstance(value, dict):
        return all(map(_is_small, value.values()))
    if isinstance(value, int):
        return abs(value) <= MAX_NUMBER
    if hasattr(value, "shape"):
        shape = np.shape(value)
        return max(shape, default=0) <= MAX_AXIS and np.prod(shape) <= MAX_ARRAY
    return True
