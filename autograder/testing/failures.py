"""What a student's code does instead of returning, in words for the student."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from autograder.report import Outcome
from autograder.testing.crashes import explain


class StudentFailure(Exception):
    """The student's code did something else than return: `outcome` says what, the text why."""

    outcome = Outcome.ERROR


class StudentRaised(StudentFailure):
    """The student's code raised; `type_name` and `bases` are what it says of the exception."""

    def __init__(self, name: str, error: Mapping[str, Any]) -> None:
        bases, line = error.get("bases"), error.get("line")
        self.type_name = str(error.get("type"))[:80]
        self.bases = [str(base) for base in bases] if isinstance(bases, list) else []
        self.function = str(error.get("function") or "")[:80]
        self.detail = str(error.get("message"))
        self.place = f" in line {line} of" if isinstance(line, int) else " in"
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
            return f"`{name}` asked for more memory than there is. Look for an array that grows."
        match self.type_name:
            case "MissingParameter":
                return f"{detail}."
            case "Forbidden" | "WireError":
                return f"`{name}`: {detail}."
        raised = f"`{name}` raised {self.type_name}{self.place} its cell: {detail}"
        meaning = explain(self.detail)
        return f"{raised}. {meaning}" if meaning else raised


def cell_error(error: Mapping[str, Any]) -> str:
    """Say what a cell raised when it ran."""
    raised = StudentRaised("", error)
    return f"The cell raised {raised.type_name}{raised.place} it: {one_line(raised.detail)}"


_NUMBER = r"""
    [-+]? (?: \d*\.\d+ | \d+\.(?=\s*[],]|\s+[-+\d]) | \d+(?=e[-+]?\d) ) (?: e[-+]?\d+ )?
    | \d{7,}
"""
_NUMBERS = re.compile(rf"(?:{_NUMBER})(?:[\s,;]+(?:{_NUMBER}))*", re.IGNORECASE | re.VERBOSE)


def _without_numbers(text: str) -> str:
    """Hide values of hidden inputs in `text`: broken and very long numbers; shapes are neither."""
    return _NUMBERS.sub("…", text)


class StudentTimedOut(StudentFailure):
    """The student's code did not answer in time."""

    outcome = Outcome.TIMEOUT


class StudentDied(StudentFailure):
    """The student's process ended, or wrote what is no answer."""


class StudentOutOfMemory(StudentFailure):
    """The student's process was ended because it took too much memory."""

    outcome = Outcome.MEMORY


def one_line(text: str, limit: int = 200) -> str:
    """Return the first `limit` characters of `text` on one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
