"""The output and the exceptions of a student's code, as text of bounded length."""

from __future__ import annotations

import contextlib
import io
import traceback
from collections.abc import Iterator
from typing import Any

from autograder.sandbox.limits import MAX_OUTPUT

MAX_CALLERS = 20  # that are named in the description of an error
_TIMED = "<timed exec>"  # a cell below `%%time`, whose lines IPython counts from the second one


class BoundedText(io.TextIOBase):
    """Keeps the first `room` characters written to it."""

    def __init__(self, room: int = MAX_OUTPUT) -> None:
        self._kept, self._room = io.StringIO(), room

    def write(self, text: str) -> int:
        """Keep as much of `text` as there is room for."""
        self._kept.write(text[: self._room])
        self._room -= min(len(text), self._room)
        return len(text)

    def getvalue(self) -> str:
        """Return the text that was kept."""
        return self._kept.getvalue()


@contextlib.contextmanager
def redirected(output: io.TextIOBase) -> Iterator[None]:
    """Redirect stdout and stderr to `output`."""
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        yield


def described(error: BaseException) -> dict[str, Any]:
    """Return an error as plain data: its type and bases, its text, and where it was raised.

    `function` is the student's function or class that raised it, `line` the line in its cell, and
    `callers` are the functions and classes of the student's on the way there, outermost first.
    """
    own = [
        (frame.f_code.co_qualname.partition(".")[0], None if file == _TIMED else line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if (file := frame.f_code.co_filename).startswith(("<ipython-input", "<cell", _TIMED))
    ]
    function, line = own[-1] if own else (None, getattr(error, "lineno", None))
    return {
        "type": type(error).__name__,
        "bases": [base.__name__ for base in type(error).__mro__],
        "message": _text_of(error)[:1000],
        "line": line,
        "function": function,
        "callers": list(dict.fromkeys(caller for caller, _ in own[:-1]))[:MAX_CALLERS],
    }


def _text_of(error: BaseException) -> str:
    try:
        return str(error.msg if isinstance(error, SyntaxError) else error)
    except Exception:  # a student's own exception class may fail to convert to text
        return ""
