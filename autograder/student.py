"""A student's namespace, as the hidden tests see it: names to call, from outside.

`student.softmax(x)` sends a name and plain data to the student's process and returns the plain data
that came back. The tests need not know whether that process is a sandbox or, when the tests
themselves are tested, a namespace of our own: a `Channel` is all the difference.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from autograder.crashes import explain
from autograder.report import Outcome
from autograder.sandbox import wire
from autograder.sandbox.runner import Runner
from autograder.sandbox.shell import PlainShell


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


class Channel(Protocol):
    """Carries one request to the student's process and its reply back."""

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the reply; raise a `StudentFailure` if there is none."""


class InProcess:
    """A channel to a namespace in this process, for sources that we trust: ours."""

    def __init__(
        self,
        sources: Iterable[str],
        guarded: Iterable[str] = (),
        namespace: dict[str, Any] | None = None,
    ) -> None:
        shell = PlainShell(namespace) if namespace else PlainShell()
        self.namespace = shell.namespace
        self._runner = Runner(shell)
        self.ask({"op": "guard", "names": list(guarded)})
        for source in sources:
            self.ask({"op": "run", "source": source})

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the reply, both ways through the same bytes as across the boundary."""
        return wire.unpack(self._runner.answer(wire.unpack(wire.pack(request))))

    def close(self) -> None:
        """Undo what the student's code was guarded with."""
        self._runner.restore()


@dataclass(frozen=True)
class Exchange:
    """One question to the student's process and what came of it: a reply, or else a failure."""

    name: str
    request: Mapping[str, Any]
    reply: Mapping[str, Any]
    failure: StudentFailure | None = None


@dataclass
class Student:
    """What a hidden test calls: every public attribute is a name in the student's notebook."""

    _channel: Channel
    _seed: int = 0
    _forbid: tuple[str, ...] = ()
    _exchanges: list[Exchange] = field(default_factory=list)
    inputs_changed: bool = False

    def __getattr__(self, name: str) -> RemoteFunction:
        if name.startswith("_"):
            raise AttributeError(name)
        return RemoteFunction(self, name)

    def _ask(self, name: str, request: dict[str, Any]) -> Any:
        """Send one request about `name`; return the value of the reply, and remember both."""
        request |= {"seed": self._next_seed(), "forbid": list(self._forbid)}
        reply: dict[str, Any] = {}
        try:
            reply = self._channel.ask(request)
            if "error" in reply:
                raise StudentRaised(name, reply["error"])
        except StudentFailure as failure:
            self._exchanges.append(Exchange(name, request, reply, failure))
            raise
        self._exchanges.append(Exchange(name, request, reply))
        self.inputs_changed = reply.get("changed") is True
        return reply.get("value")

    def _next_seed(self) -> int:
        """Every request is seeded, each differently: two forward passes may drop out apart."""
        digest = hashlib.blake2s(f"{self._seed}:{len(self._exchanges)}".encode(), digest_size=4)
        return int.from_bytes(digest.digest(), "little")


@dataclass(frozen=True)
class RemoteFunction:
    """A name in the student's notebook: calling it calls the function, or makes the module."""

    student: Student
    name: str

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        key = f"{self.student._seed}:{len(self.student._exchanges)}"
        request = {"op": "call", "name": self.name, "args": list(args), "kwargs": kwargs}
        value = self.student._ask(self.name, request | {"key": key})
        if isinstance(value, wire.Handle):
            return ModuleProxy(self.student, self.name, value)
        return value


@dataclass(frozen=True)
class ModuleProxy:
    """A `torch.nn.Module` that lives in the student's process."""

    student: Student
    name: str
    target: wire.Handle

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the forward pass, without gradients."""
        return self._ask("forward", args=list(args), kwargs=kwargs)

    def load(self, state: Mapping[str, Any]) -> None:
        """Set the parameters whose dotted names `state` gives, each of the same shape."""
        self._ask("load", state={name: value.detach() for name, value in state.items()})

    def gradients(self, *args: Any, cotangent: Any, **kwargs: Any) -> dict[str, Any]:
        """Return ∂(output · cotangent)/∂parameter by name; None where none arrived."""
        value = self._ask("gradients", args=list(args), kwargs=kwargs, cotangent=cotangent)
        return value if isinstance(value, dict) else {}

    def parameters(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of every parameter, by name."""
        value = self._ask("parameters")
        return value if isinstance(value, dict) else {}

    def train(self) -> None:
        """Switch to train mode."""
        self._ask("mode", train=True)

    def eval(self) -> None:
        """Switch to eval mode."""
        self._ask("mode", train=False)

    def _ask(self, operation: str, **request: Any) -> Any:
        return self.student._ask(self.name, {"op": operation, "target": self.target} | request)


def one_line(text: str, limit: int = 200) -> str:
    """Return the first `limit` characters of `text` on one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
