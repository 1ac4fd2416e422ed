"""The replies of a student's process: each has exactly the fields that it may have.

A student's code can send anything in place of a reply. What passes here has exact types and texts
of bounded length; everything else is refused, and the process with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.sandbox.limits import MAX_OUTPUT
from autograder.sandbox.wire import WireError

_RETURN_NOTHING = {"run", "load", "mode", "guard", "stand_in"}  # operations
_ERROR_FIELDS = {"type", "bases", "message", "line", "function", "callers"}
MAX_NAME = 80  # characters of a type's or function's name
MAX_NAMES = 50  # of an exception's bases or callers
MAX_MESSAGE = 1000  # characters of an exception's text


def checked(message: Mapping[str, Any], number: int, operation: str) -> dict[str, Any]:
    """Return the reply to request `number`; raise `WireError` if the message can't be it.

    It has an `output`, and either an `error` or, after most operations, a `value`; after a call
    also whether that `changed` its arguments.
    """
    allowed = {"number", "output"}
    if "error" in message:
        allowed |= {"error"}
    elif operation not in _RETURN_NOTHING:
        allowed |= {"value", "changed"}
    if not message.keys() <= allowed or message.get("number") != number:
        raise WireError("the message is not the reply to this request")
    if type(message.get("changed", False)) is not bool:
        raise WireError("`changed` is neither true nor false")
    reply = {key: message[key] for key in ("value", "changed") if key in message}
    reply["output"] = _text(message.get("output", ""), MAX_OUTPUT)
    return reply | ({"error": _error(message["error"])} if "error" in message else {})


def _error(error: Any) -> dict[str, Any]:
    """Return an error as `guest.output` describes it."""
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
