"""Follow-through: a mistake in an earlier exercise costs its marks once.

Where an exercise that failed uses earlier ones that failed, it is graded again with the earlier
calls answered rightly from outside the sandbox; the better result counts.
"""

from __future__ import annotations

import ast
import contextlib
import resource
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.sandbox import wire
from autograder.sandbox.host.callbacks import is_allowed
from autograder.sandbox.host.in_process import InProcess
from autograder.testing.model import REFUSED

MAX_ORACLE_MEMORY = 1 << 30  # bytes that all answers together, and the work on them, may take


def _limit() -> int:
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    return mapped + MAX_ORACLE_MEMORY


@dataclass
class Oracle:
    """Answers calls of some exercises rightly; it is asked by a student's process.

    It trusts no question: only the operations that a stand-in needs, only the names given to it,
    only modules that it made itself, and only what costs the grader little. `channel` is for it
    alone, and goes with it: what one student had made is nobody else's.
    """

    channel: InProcess
    names: tuple[str, ...]
    _made: set[str] = field(default_factory=set)  # keys of modules
    _limit: int = field(default_factory=_limit)  # bytes of address space

    def answer(self, request: Any) -> Mapping[str, Any]:
        """Return the reply to a request, an error if it is refused."""
        if not is_allowed(request) or not self._allows(request):
            return REFUSED
        try:
            with _address_space_of(self._limit):
                reply = self.channel.ask(request)
        except (MemoryError, wire.WireError):
            return {"error": {"message": "this is too much for the grader"}}
        if isinstance(reply.get("value"), wire.Handle):
            self._made.add(reply["value"].key)
        return reply

    def _allows(self, request: Mapping[str, Any]) -> bool:
        if request["op"] == "call":
            return request["name"] in self.names
        return self._has_made(request["target"])

    def _has_made(self, target: Any) -> bool:
        return isinstance(target, wire.Handle) and target.key in self._made


@contextlib.contextmanager
def _address_space_of(size: int) -> Iterator[None]:
    """Let this process map no more than `size` bytes: then memory is refused, not taken."""
    before, most = resource.getrlimit(resource.RLIMIT_AS)
    least = size if most == resource.RLIM_INFINITY else min(size, most)
    resource.setrlimit(resource.RLIMIT_AS, (least, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, most))


def uses(sources: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Return which of the exercises in `sources` each of them uses, itself or by way of others.

    `sources` are the cells by exercise, in the order of the notebook; only earlier ones count.
    """
    found: dict[str, frozenset[str]] = {}
    for name, source in sources.items():
        direct = _names_in(source) & found.keys()
        found[name] = frozenset(direct).union(*(found[other] for other in direct))
    return found


def _names_in(source: str) -> set[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
