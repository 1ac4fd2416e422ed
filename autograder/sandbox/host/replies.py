"""The replies of a student's process: each has exactly the fields, and types, that it may have.

Everything else is refused, and the process with it. The last field of each message on a channel is
its number, which is no part of what is compared with an expected reply.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograder.sandbox.limits import MAX_OUTPUT
from autograder.sandbox.wire import MAX_AXES, MAX_ENTRIES, Frame, Opaque, WireError, is_tensor

_RETURN_NOTHING = {"run", "load", "mode", "guard", "stand_in"}  # operations
_KEPT = ("value", "changed", "parameters", "at")
_ERROR_FIELDS = {"type", "bases", "message", "line", "function", "callers"}
MAX_NAME = 80  # characters of a type's or function's name
MAX_NAMES = 50  # of an exception's bases or callers
MAX_MESSAGE = 1000  # characters of an exception's text


def checked(
    message: Mapping[str, Any], number: int, operation: str, before: int = 0
) -> dict[str, Any]:
    """Return the reply to request `number`; raise `WireError` if the message can't be it.

    It has an `output`, and either an `error` or, after most operations, a `value`; after a call
    also whether that `changed` its arguments, and the `parameters` of a module that was made. An
    error may be that of one of so many requests that came `before`: then the reply says `at` which.
    """
    needed, allowed = {"number"}, {"number", "output"}
    if "error" in message:
        allowed |= {"error"} | ({"at"} if before else set())
    elif operation not in _RETURN_NOTHING:
        needed |= {"value"}
        is_call = operation in ("call", "method")
        allowed |= {"value", "changed"} | ({"parameters"} if is_call else set())
    if not needed <= message.keys() <= allowed or message["number"] != number:
        raise WireError("the message is not the reply to this request")
    if type(message.get("changed", False)) is not bool:
        raise WireError("`changed` is neither true nor false")
    if not _are_shapes(message.get("parameters", {})):
        raise WireError("`parameters` are no shapes")
    if "at" in message and not (type(message["at"]) is int and 0 <= message["at"] < before):
        raise WireError("`at` is no place of a request")
    reply = {key: message[key] for key in _KEPT if key in message}
    is_possible = _VALUES.get(operation, lambda value: True)
    if "value" in reply and not is_possible(reply["value"]):
        raise WireError(f"this is no value that `{operation}` returns")
    reply["output"] = _text(message.get("output", ""), MAX_OUTPUT)
    return reply | ({"error": _error(message["error"])} if "error" in message else {})


def _are_shapes(value: Any) -> bool:
    """Tell whether these are shapes of parameters that could be sent: tests draw some like them."""
    if not _has_names(value):
        return False
    for shape in value.values():
        if type(shape) is not tuple or len(shape) > MAX_AXES:
            return False
        if not all(type(size) is int and 0 <= size <= MAX_ENTRIES for size in shape):
            return False
    return sum(map(math.prod, value.values())) <= MAX_ENTRIES


def _is_state(value: Any) -> bool:
    return _has_names(value) and all(map(_is_array, value.values()))


def _has_names(value: Any) -> bool:
    return type(value) is dict and all(type(name) is str for name in value)


def _is_array(value: Any) -> bool:
    """Tell whether this is an array, or what stands for one that is missing or can't be sent."""
    return value is None or isinstance(value, (Opaque, np.ndarray)) or is_tensor(value)


# What operations return; a call or a forward pass may return anything.
_VALUES: Mapping[str, Callable[[Any], bool]] = {
    "defined": lambda value: type(value) is list and all(type(name) is str for name in value),
    "parameters": _are_shapes,
    "state": _is_state,
    "gradients": lambda value: (
        (type(value) is dict and value.keys() == {"parameters", "inputs"})
        and _is_state(value["parameters"])
        and (type(value["inputs"]) is list and all(map(_is_array, value["inputs"])))
    ),
}


def _error(error: Any) -> dict[str, Any]:
    if type(error) is not dict or not error.keys() <= _ERROR_FIELDS:
        raise WireError("the error has other fields than an error has")
    line, function = error.get("line"), error.get("function")
    return {
        "type": _name(error.get("type")),
        "bases": _names(error.get("bases", [])),
        "message": _text(error.get("message", ""), MAX_MESSAGE),
        "line": line if type(line) is int and 0 < line < 1_000_000 else None,
        "function": None if function is None else _name(function),
        "callers": _names(error.get("callers", [])),
    }


def _names(names: Any) -> list[str]:
    if type(names) is not list:
        raise WireError("names are not a list")
    return [_name(name) for name in names[:MAX_NAMES]]


def _name(name: Any) -> str:
    """Return a name on one line: a line break in it could begin something else."""
    return "".join(c if c.isprintable() else "?" for c in _text(name, MAX_NAME))


def _text(text: Any, length: int) -> str:
    if type(text) is not str:
        raise WireError("a text is not a string")
    return text[:length]


class Packed(dict[str, Any]):
    """A request and the reply that is expected to it, as they were when they were packed."""

    def __init__(self, request: Mapping[str, Any], reply: Mapping[str, Any]) -> None:
        super().__init__(request)
        self.frame, self.reply, self._expected = Frame.of(request), dict(reply), Frame.of(reply)
        self.size = sum(map(len, (*self.frame, *self._expected, self._expected.body)))  # bytes

    def expects(self, number: int, frame: Frame) -> bool:
        """Tell whether this is the frame of the expected reply, with this number."""
        return frame == numbered(self._expected, number)


def frame_of(request: Mapping[str, Any]) -> Frame:
    return request.frame if isinstance(request, Packed) else Frame.of(request)


def numbered(frame: Frame, number: int) -> Frame:
    """Return the frame of the same message with one more field, its number."""
    return frame._replace(header=frame.header[:-1] + f', "number": {number}}}'.encode())
