"""What a student's process may ask back while a call runs: of whom, and how much.

Two kinds of things answer: a `Model` that a hidden test passes to the student's function, and the
oracle that follow-through sets up. Neither trusts a question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from autograder.sandbox import wire
from autograder.testing.model import Model

# What can be asked, and the fields of each question: none may be missing, none is added.
_FIELDS: Mapping[str, set[str]] = {
    "call": {"op", "name", "args", "kwargs", "key"},
    "forward": {"op", "target", "args", "kwargs"},
    "gradients": {"op", "target", "args", "kwargs", "cotangent", "inputs"},
    "load": {"op", "target", "state"},
    "mode": {"op", "target", "train"},
    "state": {"op", "target"},
}
MAX_NUMBER = 4096  # of arguments that are whole numbers: sizes, mostly
MAX_AXIS = 2048
MAX_ARRAY = 1 << 20  # entries


class Oracle(Protocol):
    """Answers what a student's process asks in the place of an earlier exercise."""

    def answer(self, request: Any) -> Mapping[str, Any]:
        """Return the reply to a request, an error if it is refused."""


def is_allowed(request: Any) -> bool:
    """Tell whether `request` is a question as stand-ins put them, and costs the grader little."""
    if not isinstance(request, dict) or not isinstance(request.get("op"), str):
        return False
    known = _FIELDS.get(request["op"]) == set(request)
    return known and all(map(_is_modest, request.values()))


def call_back(models: Sequence[Model], request: Any) -> Mapping[str, Any] | None:
    """Return the answer of the one of `models` that is asked; None if none of them is."""
    target = request.get("target") if is_allowed(request) else None
    for model in models:
        if isinstance(target, wire.Handle) and target.key == model.key:
            return model.answer(request)
    return None


def _is_modest(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_is_modest, value))
    if isinstance(value, dict):
        return all(map(_is_modest, value.values()))
    if isinstance(value, int):
        return abs(value) <= MAX_NUMBER
    if hasattr(value, "shape"):
        shape = np.shape(value)
        return max(shape, default=0) <= MAX_AXIS and np.prod(shape) <= MAX_ARRAY
    return True
