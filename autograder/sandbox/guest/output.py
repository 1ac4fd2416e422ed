"""The output and the exceptions of a student's code, as text of bounded length."""

from __future__ import annotations

import contextlib
import io
import traceback
from collections.abc import Iterator
from typing import Any

from autograder.sandbox.limits import MAX_OUTPUT


class BoundedText(io.TextIOBase):
    """Keeps the first `MAX_OUTPUT` characters written to it."""

    def __init__(self) -> None:
        self._kept, self._room = io.StringIO(), MAX_OUTPUT

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

    `function` is the student's function or class that raised it, `line` the line in its cell.
    """
    own = [
        (frame.f_code.co_qualname.partition(".")[0], line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename.startswith(("<ipython-input", "<cell"))
    ]
    function, line = own[-1] if own else (None, None)
    if isinstance(error, SyntaxError):
        line = error.lineno
    return {
        "type": type(error).__name__,
        "bases": [base.__name__ for base in type(error).__mro__],
        "message": _text_of(error)[:1000],
        "line": line,
        "function": function,
    }


def _text_of(error: BaseException) -> str:
    try:
        return str(error.msg if isinstance(error, SyntaxError) else error)
    except Exception:  # a student's own exception class may fail to convert to text
        return ""
