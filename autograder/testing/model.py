"""A model that a hidden test lends to a student's function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.sandbox import wire

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


def models_in(value: Any) -> Iterator[Model]:
    """Yield the models among the arguments of a request."""
    if isinstance(value, Model):
        yield value
    elif isinstance(value, Mapping):
        yield from (model for item in value.values() for model in models_in(item))
    elif isinstance(value, (list, tuple)):
        yield from (model for item in value for model in models_in(item))
