"""Callbacks: requests that a student's process may send to the grader while a call runs.

They go to a `Model` that a hidden test passed to the student's function, or to what answers calls
of stand-ins. Neither trusts a callback.
"""

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np

from autograder.sandbox import tables, wire
from autograder.sandbox.host.replies import MAX_NAME

MAX_NUMBER = 4096  # absolute value of an integer argument, which is mostly a size
MAX_AXIS = 2048  # entries along one axis of an array
MAX_ARRAY = 1 << 20  # entries of an array
MAX_TOGETHER = 1 << 22  # entries of all arrays in a callback
MAX_VALUES = 10_000  # of all kinds in a callback

_REFUSAL = (
    "this call is too large, or of a kind that the grader doesn't answer: no whole number may be "
    f"above {MAX_NUMBER:,}, and no axis longer than {MAX_AXIS:,}"
)
REFUSED: Mapping[str, Any] = {"error": {"message": _REFUSAL}}
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
            return {"error": {"message": f"what you call can't process these arguments ({name})"}}


def models_in(value: Any) -> Iterator[Model]:
    if isinstance(value, Model):
        yield value
    elif isinstance(value, Mapping):
        yield from (model for item in value.values() for model in models_in(item))
    elif isinstance(value, (list, tuple)):
        yield from (model for item in value for model in models_in(item))


def is_allowed(request: Any) -> bool:
    """Tell whether `request` is a well-formed callback that costs the grader little."""
    if type(request) is not dict or type(request.get("op")) is not str:
        return False
    fields = _FIELDS.get(request["op"])
    if fields is None or request.keys() != fields.keys() | {"op"}:
        return False
    return all(fits(request[name]) for name, fits in fields.items()) and _is_cheap(request)


def call_back(models: Iterable[Model], request: Any) -> Mapping[str, Any] | None:
    """Return the reply of the model that `request` addresses; None if it is none of `models`."""
    target = request.get("target") if is_allowed(request) else None
    if type(target) is not wire.Handle:
        return None
    return next((model.answer(request) for model in models if model.key == target.key), None)


def call_back_here(models: Iterable[Model], request: Any) -> Any:
    """Return the reply's value as if it had crossed; raise RuntimeError if it is an error."""
    reply = call_back(models, wire.unpack(wire.pack(request)))
    if reply is None or "error" in reply:
        raise RuntimeError((reply or REFUSED)["error"]["message"])
    return wire.unpack(wire.pack(reply)).get("value")


def _is(kind: type) -> Callable[[Any], bool]:
    return lambda value: type(value) is kind  # no subclass is let through


def _is_name(value: Any) -> bool:
    return type(value) is str and len(value) <= MAX_NAME


def _is_tensor(value: Any) -> bool:
    torch = sys.modules.get("torch")  # if torch was never imported, nothing is a tensor
    return torch is not None and type(value) is torch.Tensor


def _is_array(value: Any) -> bool:
    return type(value) is np.ndarray or _is_tensor(value)


_PASS = {"target": _is(wire.Handle), "args": _is(list), "kwargs": _is(dict)}
# The allowed operations, and what fits each field: none may be missing, none may be added.
_FIELDS: Mapping[str, Mapping[str, Callable[[Any], bool]]] = {
    "call": {"name": _is_name, "args": _is(list), "kwargs": _is(dict), "key": _is_name},
    "forward": _PASS,
    "gradients": {**_PASS, "cotangent": _is_array, "inputs": _is(bool)},
    "load": {
        "target": _is(wire.Handle),
        "state": lambda value: type(value) is dict and all(map(_is_tensor, value.values())),
    },
    "mode": {"target": _is(wire.Handle), "train": _is(bool)},
    "state": {"target": _is(wire.Handle)},
}
_SCALARS = (type(None), bool, float, str, date, datetime, time, timedelta, wire.Handle, wire.Opaque)


def _is_cheap(request: Mapping[str, Any]) -> bool:
    left: list[Any] = [request]
    entries = values = 0
    while left:
        value = left.pop()
        values += 1
        if type(value) in (list, tuple, set, frozenset, dict):
            left.extend(value.values() if type(value) is dict else value)
        elif type(value) is wire.Stream:
            left.extend(value.items)
        elif (table := tables.parts_of(value)) is not None:
            left.extend(table[1])
        elif _is_array(value) or isinstance(value, np.generic):
            if max(np.shape(value), default=0) > MAX_AXIS or math.prod(np.shape(value)) > MAX_ARRAY:
                return False
            entries += math.prod(np.shape(value))
        elif not (type(value) is int and abs(value) <= MAX_NUMBER) and type(value) not in _SCALARS:
            return False
        if values + len(left) > MAX_VALUES or entries > MAX_TOGETHER:
            return False
    return True
