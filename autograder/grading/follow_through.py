"""Follow-through: a mistake in an earlier exercise costs its marks once.

If exercises that failed use earlier ones that failed, the notebook runs once more for all of them,
with a stand-in at the place of each earlier one: its calls are answered correctly from outside the
sandbox. So it is part of whatever the student's code makes of it further down: a default argument,
a table of functions, a subclass. The better result counts, if the answer is still the same.
"""

import contextlib
import resource
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.diagnosis.suspect import within
from autograder.sandbox import kernel, wire
from autograder.sandbox.host.callbacks import REFUSED, TOO_LARGE, is_allowed
from autograder.sandbox.host.in_process import InProcess

MAX_SECONDS = 10  # of computing for one reply; a longer one is an error
MAX_ORACLE_MEMORY = 1 << 30  # bytes for computing and holding all replies together
# What the solution's own error says, and its type, may tell how it is written.
FAILED: Mapping[str, Any] = {"error": {"message": "the grader gets no result with these arguments"}}


@dataclass
class Oracle:
    """Answers a student's calls of earlier exercises correctly.

    It trusts no request: it allows only the operations that a stand-in needs, only the exercises in
    `names`, only modules that it created itself, and only calls that cost the grader little. It
    needs a `channel` of its own, so that no student reaches modules created for another.
    """

    channel: InProcess
    names: tuple[str, ...] = ()  # never that of the exercise that is being tested
    _created: set[str] = field(default_factory=set)  # keys of modules
    _limit: int = field(  # bytes of address space
        default_factory=lambda: kernel.memory_in_use()[0] + MAX_ORACLE_MEMORY
    )

    def is_module(self, name: str) -> bool:
        """Tell whether an exercise is a class of modules, from which others may be derived."""
        made = self.channel.namespace.get(name)
        return isinstance(made, type) and hasattr(made, "named_parameters")

    def can_answer(self, name: str) -> bool:
        """Tell whether calls of an exercise can be answered: objects of other classes can't be."""
        return self.is_module(name) or not isinstance(self.channel.namespace.get(name), type)

    def answer(self, request: Any) -> Mapping[str, Any]:
        """Return the reply to a request; an error if it is refused."""
        if not is_allowed(request):
            return REFUSED
        if request["op"] == "call":
            is_ours = request["name"] in self.names
        else:  # about a handle, as `is_allowed` requires
            is_ours = request["target"].key in self._created
        if not is_ours:
            return REFUSED
        try:
            with _address_space_of(self._limit), within(MAX_SECONDS):
                reply = self.channel.ask(request)
        except (MemoryError, wire.WireError):
            return TOO_LARGE
        if "error" in reply:
            return FAILED
        if isinstance(reply.get("value"), wire.Handle):
            self._created.add(reply["value"].key)
        return reply


@contextlib.contextmanager
def _address_space_of(size: int) -> Iterator[None]:
    """Limit this process's address space to `size` bytes: beyond it, allocations fail."""
    before, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, hard))
