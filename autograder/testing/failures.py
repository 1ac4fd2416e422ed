"""The ways in which a call of a student's code can fail, and the sentences that students read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from autograder.report import Outcome
from autograder.testing.crashes import explain

TOO_MUCH_MEMORY = "needed more memory than is available. Look for an array that keeps growing."


class StudentFailure(Exception):
    """The student's code did not return: `outcome` is the verdict, the text says why."""

    outcome = Outcome.ERROR


class StudentRaised(StudentFailure):
    """The student's code raised; `type_name` and `bases` are as its process reported them."""

    def __init__(self, name: str, error: Mapping[str, Any]) -> None:
        bases = error.get("bases")
        self.type_name = str(error.get("type"))[:80]
        self.bases = [str(base) for base in bases] if isinstance(bases, list) else []
        self.function = str(error.get("function") or "")[:80]
        self.detail = str(error.get("message"))
        self._line = error.get("line")
        if "NotImplementedError" in self.bases and self.function == name:
            self.outcome = Outcome.NOT_ATTEMPTED
        elif self.type_name == "MemoryError" or "can't allocate memory" in self.detail:
            self.outcome = Outcome.MEMORY
        super().__init__(self._sentence(name))

    def _sentence(self, name: str) -> str:
        detail = one_line(_without_numbers(self.detail))
        if self.outcome is Outcome.NOT_ATTEMPTED:
            return f"`{name}` isn't written yet: it still raises NotImplementedError."
        if self.type_name == "NotImplementedError" and self.function:
            return f"`{name}` calls `{self.function}`, which isn't written yet."
        if self.outcome is Outcome.MEMORY:
            return f"`{name}` {TOO_MUCH_MEMORY}"
        match self.type_name:
            case "MissingParameter":
                return f"{detail}."
            case "Forbidden" | "WireError":
                return f"`{name}`: {detail}."
        raised = f"`{name}` raised {self.type_name}{self._place(name)}{_after_colon(detail)}."
        return f"{raised} {explain(self.detail)}".rstrip()

    def _place(self, name: str) -> str:
        """Say where it was raised: a line only in the cell of `name`, where it is unambiguous."""
        if self.function == name and isinstance(self._line, int):
            return f" in line {self._line} of its cell"
        is_named = self.function.isidentifier() and self.function != name
        return f" in `{self.function}`" if is_named else ""


def cell_error(error: Mapping[str, Any]) -> str:
    """Say what a cell raised when it ran."""
    raised, line = StudentRaised("", error), error.get("line")
    is_own_line = isinstance(line, int) and raised.function in ("", "<module>")
    subject = f"Line {line} of the cell" if is_own_line else "The cell"
    return f"{subject} raised {raised.type_name}{_after_colon(one_line(raised.detail))}."


def _after_colon(detail: str) -> str:
    """Return an exception's text as the end of a sentence; nothing if it has no text."""
    return f": {detail.rstrip('.')}" if detail else ""


_NUMBER = r"""
    [-+]? (?: \d*\.\d+ | \d+\.(?=\s*[],]|\s+[-+\d]) | \d+(?=e[-+]?\d) ) (?: e[-+]?\d+ )?
    | \d{7,}
"""
_NUMBERS = re.compile(rf"(?:{_NUMBER})(?:[\s,;]+(?:{_NUMBER}))*", re.IGNORECASE | re.VERBOSE)


def _without_numbers(text: str) -> str:
    """Hide values of hidden inputs in `text`: non-integers and very long numbers, unlike shapes."""
    return _NUMBERS.sub("…", text)


class StudentTimedOut(StudentFailure):
    """The student's code did not answer in time."""

    outcome = Outcome.TIMEOUT


class StudentDied(StudentFailure):
    """The student's process ended, or sent an invalid reply."""


class StudentOutOfMemory(StudentFailure):
    """The student's process was killed because it used too much memory."""

    outcome = Outcome.MEMORY


def one_line(text: str, limit: int = 200) -> str:
    """Return the first `limit` characters of `text` on one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
