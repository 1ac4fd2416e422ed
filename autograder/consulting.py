"""What a student's process may ask back while a call runs: of whom, and how much.

Two kinds of things answer: a `Model` that a hidden test passes to the student's function, and the
oracle that follow-through sets up. Neither trusts a question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.sandbox import wire

# What can be asked, and the fields of each question: none may be missing, none is added.
_FIELDS: Mapping[str, set[str]] = {
    "call": {"op", "name", "args", "kwargs", "key"},
    "forward": {"op", "target", "args", "kwargs"},
    "gradients": {"op", "target", "args", "kwargs", "cotangent", "inputs"},
    "load": {"op", "target", "state"},
    "mode": {"op", "target", "train"},
    "state": {"op", "target"},
}
_LARGEST_NUMBER = 4096  # of arguments that are whole numbers: sizes, mostly
_LARGEST_AXIS = 2048
_LARGEST_ARRAY = 1 << 20  # entries

REFUSED: Mapping[str, Any] = {"error": {"message": "the grader doesn't answer this"}}


@dataclass(frozen=True)
class Model(wire.Handle):
    """A model that stays with the grader: the student's code gets a module and calls it.

    Each call runs `function` here, on the tensors that the student's code passed. What it raises
    reaches that code as a RuntimeError; an AssertionError does so in its own words.
    """

    function: Callable[..., Any]
    key: str = field(default="", kw_only=True)
    type_name: str = field(default="Model", kw_only=True)

    def answer(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the reply to a question about this model; it has no modes.

        It has one parameter, which does nothing: `next(model.parameters()).device` is common.
        """
        if request["op"] == "state":
            import torch

            return {"value": {"unused": torch.zeros(1)}}
        if request["op"] != "forward":
            return {} if request["op"] in ("load", "mode") else REFUSED
        try:
            return {"value": self.function(*request["args"], **request["kwargs"])}
        except AssertionError as error:
            return {"error": {"message": str(error)}}
        except Exception as error:  # whatever a student's arguments lead to is the student's
            kind = type(error).__name__
            return {"error": {"message": f"the model can't work with what it is given ({kind})"}}


def is_fair(request: Any) -> bool:
    """Tell whether `request` is a question as stand-ins put them, and costs the grader little."""
    if not isinstance(request, dict) or not isinstance(request.get("op"), str):
        return False
    known = _FIELDS.get(request["op"]) == set(request)
    return known and all(map(_is_modest, request.values()))


def answer(models: Sequence[Model], request: Any) -> Mapping[str, Any] | None:
    """Return the answer of the one of `models` that is asked; None if none of them is."""
    target = request.get("target") if is_fair(request) else None
    for model in models:
        if isinstance(target, wire.Handle) and target.key == model.key:
            return model.answer(request)
    return None


def models_in(value: Any) -> Iterator[Model]:
    """Yield the models among the arguments of a request."""
    if isinstance(value, Model):
        yield value
    elif isinstance(value, Mapping):
        yield from (model for item in value.values() for model in models_in(item))
    elif isinstance(value, (list, tuple)):
        yield from (model for item in value for model in models_in(item))


def _is_modest(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_is_modest, value))
    if isinstance(value, dict):
        return all(map(_is_modest, value.values()))
    if isinstance(value, int):
        return abs(value) <= _LARGEST_NUMBER
    if hasattr(value, "shape"):
        shape = np.shape(value)
        return max(shape, default=0) <= _LARGEST_AXIS and np.prod(shape) <= _LARGEST_ARRAY
    return True
