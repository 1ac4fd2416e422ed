"""A model that a hidden test lends to a student's function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.sandbox import wire

REFUSED: Mapping[str, Any] = {"error": {"message": "the grader doesn't answer calls like this"}}
TOO_LARGE: Mapping[str, Any] = {"error": {"message": "this call is too large for the grader"}}


@dataclass(frozen=True)
class Model(wire.Handle):
    """A model that stays with the grader: the student's code gets a module and calls it.

    Each call runs `function` in the grader's process, on the tensors that the student's code
    passed. Its exceptions reach that code as a RuntimeError; only an AssertionError keeps its text.
    """

    function: Callable[..., Any]
    key: str = field(default="", kw_only=True)
    type_name: str = field(default="Model", kw_only=True)

    def answer(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the reply to a request about this model; switching its mode has no effect.

        It has one unused parameter, because `next(model.parameters()).device` is common code.
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
        except Exception as error:  # the arguments are the student's, and so is the error
            name = type(error).__name__
            return {"error": {"message": f"the model can't process these arguments ({name})"}}


def models_in(value: Any) -> Iterator[Model]:
    """Yield the models among the arguments of a request."""
    if isinstance(value, Model):
        yield value
    elif isinstance(value, Mapping):
        yield from (model for item in value.values() for model in models_in(item))
    elif isinstance(value, (list, tuple)):
        yield from (model for item in value for model in models_in(item))
