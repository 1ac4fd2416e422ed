"""What runs a student's cells: a shell, of which there are two."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType
from typing import Any, Protocol


class Shell(Protocol):
    """Something that runs cells in a namespace."""

    namespace: dict[str, Any]

    def run(self, source: str) -> BaseException | None:
        """Run one cell; return what it raised, if anything."""


@dataclass
class PlainShell:
    """Runs cells with `exec`: for sources that we trust and that need no magics."""

    namespace: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})

    def run(self, source: str) -> BaseException | None:
        """Run one cell; return what it raised, if anything."""
        try:
            exec(_compiled(source), self.namespace)
        except Exception as error:
            return error
        return None


@lru_cache(maxsize=4096)  # a bank of misconceptions is run again for every wrong answer
def _compiled(source: str) -> CodeType:
    return compile(source, "<cell>", "exec")
