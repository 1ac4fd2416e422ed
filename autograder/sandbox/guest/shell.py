"""Shells, which run cells: the interface, and the plain one. `ipython_shell` has the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType
from typing import Any, Protocol


class Shell(Protocol):
    """Runs cells in a namespace."""

    namespace: dict[str, Any]

    def run(self, source: str) -> BaseException | None:
        """Run one cell; return the exception that it raised, if any."""


@dataclass
class PlainShell:
    """Runs cells with `exec`: for trusted sources without magics."""

    namespace: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})

    def run(self, source: str) -> BaseException | None:
        """Run one cell; return the exception that it raised, if any."""
        try:
            exec(_compiled(source), self.namespace)
        except Exception as error:
            return error
        return None


@lru_cache(maxsize=4096)  # a bank of misconceptions runs again for every wrong answer
def _compiled(source: str) -> CodeType:
    return compile(source, "<cell>", "exec")
