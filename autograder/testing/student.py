"""A student's notebook as the hidden tests see it: names that can be called from outside.

The tests don't know whether their `Channel` leads to a sandboxed process or, when the tests
themselves are tested, to a namespace in this process.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import BuiltinFunctionType, FunctionType
from typing import Any, Protocol

import numpy as np

from autograder.errors import CourseError
from autograder.sandbox import wire
from autograder.sandbox.host.callbacks import Model
from autograder.testing.failures import StudentFailure, StudentRaised, StudentTimedOut

Shapes = dict[str, tuple[int, ...]]  # of parameters, by name


class OwnGenerator(np.random.Generator):
    """The generator of a hidden test, which no student's code may see."""


class Channel(Protocol):
    """Carries one request to the student's process and its reply back."""

    @property
    def spent(self) -> float:
        """The seconds that the student's code has taken for the requests so far."""

    def ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """Return the reply; raise a `StudentFailure` if none arrives in time.

        `seconds` is the time limit for this request, if it differs from the usual one.
        """


@dataclass(frozen=True)
class Exchange:
    """One request to the student's process and its result: a reply, or else a failure."""

    name: str
    request: Mapping[str, Any]
    reply: Mapping[str, Any]
    failure: StudentFailure | None = None


@dataclass
class Student:
    """The fixture that hidden tests call: each public attribute is a name in the notebook."""

    _channel: Channel
    _draws: int = 0  # decides what the student's code draws at random, and nothing else
    _forbid: tuple[str, ...] = ()
    _seconds: float | None = None  # that all calls together may take; None: no shared limit
    _spent: float = 0.0  # of these
    _exchanges: list[Exchange] = field(default_factory=list)
    _waiting: list[Exchange] = field(default_factory=list)  # what goes along with the next request

    @property
    def inputs_changed(self) -> bool:
        """Whether any call so far has changed what it was given."""
        return any(exchange.reply.get("changed") is True for exchange in self._exchanges)

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_"):
            raise AttributeError(name)
        return Function(self, name, "call", {"name": name})

    def _perform(self, name: str, op: str, /, **request: Any) -> Any:
        """Send what waits and one request about `name`; record each; return the reply's value."""
        asked = self._next(name, op, request)
        before, self._waiting = self._waiting, []
        sent = {**asked.request, "before": [each.request for each in before]}
        left = None if self._seconds is None else self._seconds - self._spent
        spent = self._channel.spent
        try:
            reply = self._channel.ask(sent if before else asked.request, left)
        except StudentFailure as failure:
            if self._seconds is not None and type(failure) is StudentTimedOut:
                failure.args = (
                    f"All calls of this check together computed for longer than {self._seconds:g} "
                    "s. Is there a loop that never ends, or work that could be done once?",
                )
            self._exchanges += [*before, replace(asked, failure=failure)]
            raise
        finally:
            self._spent += self._channel.spent - spent
        done = reply.pop("at", len(before))  # what raised is one of those that waited
        last = [*before, asked][done]
        error = StudentRaised(last.name, reply["error"]) if "error" in reply else None
        self._exchanges += [*before[:done], replace(last, reply=reply, failure=error)]
        if error is not None:
            raise error
        return reply.get("value")

    def _perform_later(self, name: str, op: str, /, **request: Any) -> None:
        """Send a request that returns nothing along with the next one that returns something."""
        self._waiting.append(replace(self._next(name, op, request), reply={"output": ""}))

    def _next(self, name: str, op: str, request: Mapping[str, Any]) -> Exchange:
        """Return the exchange to come.

        Its seed has nothing to do with the course's, nor with the test: a student's code reads it.
        """
        text = f"{self._draws}:{self._number_asked()}"
        seed = int.from_bytes(hashlib.blake2s(text.encode(), digest_size=4).digest(), "little")
        complete = {"op": op, **request, "seed": seed, "forbid": list(self._forbid)}
        return Exchange(name, complete, {})

    def _number_asked(self) -> int:
        return len(self._exchanges) + len(self._waiting)


@dataclass(frozen=True)
class Function:
    """A function or class of the notebook, or a method of an object that it made."""

    student: Student
    called: str  # in sentences
    _op: str
    _request: Mapping[str, Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function, or construct the module or object."""
        key = f"{self.student._number_asked()}"
        request = {
            **self._request,
            "args": [_sendable(value, f"{key}-{place}") for place, value in enumerate(args)],
            "kwargs": {name: _sendable(value, f"{key}-{name}") for name, value in kwargs.items()},
            "key": key,
        }
        value = self.student._perform(self.called, self._op, **request)
        if isinstance(value, wire.Object):  # which isn't asked by methods unless a test says so
            is_wanted = request.get("effect") == "object"
            return ObjectProxy(self.student, value) if is_wanted else wire.Opaque(value.type_name)
        if isinstance(value, wire.Handle):
            made_with = self.student._exchanges[-1].reply.get("parameters", {})
            return ModuleProxy(self.student, self.called, value, made_with)
        return value

    def returning(self, effect: str) -> Function:
        """Return the same function, whose calls return one of their effects in place of a result.

        Which ones there are: `effects` in the student's process.
        """
        return replace(self, _request={**self._request, "effect": effect})


@dataclass(frozen=True, eq=False)
class ObjectProxy:
    """An object in the student's process: its methods are called, its attributes never read.

    It has no operators. What a test compares it with would be sent to the student's code, which
    would be asked whether it is right.
    """

    student: Student
    target: wire.Object

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._method(name)

    def _method(self, name: str) -> Function:
        called = f"{self.target.type_name}.{name}"
        return Function(self.student, called, "method", {"target": self.target, "name": name})

    def __len__(self) -> int:
        return int(self._method("__len__")())

    def __str__(self) -> str:
        return str(self._method("__str__")())


@dataclass(frozen=True)
class ModuleProxy:
    """A `torch.nn.Module` that lives in the student's process."""

    student: Student
    name: str
    target: wire.Handle
    _made_with: Shapes = field(default_factory=dict, compare=False)  # its parameters, when made
    _loaded: Shapes = field(default_factory=dict, compare=False)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the forward pass, without gradients."""
        return self._perform("forward", args=list(args), kwargs=kwargs)

    def load(self, state: Mapping[str, Any]) -> None:
        """Set the parameters named in `state` (dotted name → tensor of the same shape)."""
        shapes = {name: tuple(value.shape) for name, value in state.items()}
        plain = {name: value.detach().clone() for name, value in state.items()}
        if shapes.items() <= self._made_with.items():
            self.student._perform_later(self.name, "load", target=self.target, state=plain)
        else:
            self._perform("load", state=plain)
        self._loaded.update(shapes)

    def gradients(self, *args: Any, cotangent: Any, **kwargs: Any) -> dict[str, Any]:
        """Return ∂(output · cotangent)/∂parameter by name, or None; frozen ones are left out."""
        request = {"args": list(args), "kwargs": kwargs, "cotangent": cotangent}
        return dict(self._perform("gradients", **request)["parameters"])

    def input_gradients(self, *args: Any, cotangent: Any, **kwargs: Any) -> list[Any]:
        """Return ∂(output · cotangent)/∂argument for each argument; None for those without one."""
        request = {"args": list(args), "kwargs": kwargs, "cotangent": cotangent, "inputs": True}
        return list(self._perform("gradients", **request)["inputs"])

    def state(self) -> dict[str, Any]:
        """Return every parameter, by name; those that were loaded must have kept their shapes."""
        state: dict[str, Any] = self._perform("state")
        for name, shape in self._loaded.items():
            found = getattr(state.get(name), "shape", None)
            if found is None or tuple(found) != shape:
                now = "is gone" if found is None else f"has the shape {tuple(found)}"
                raise StudentFailure(f"`{name}` of a model had the shape {shape}; now it {now}.")
        return state

    def parameters(self) -> Shapes:
        return dict(self._perform("parameters"))

    def train(self) -> None:
        self.student._perform_later(self.name, "mode", target=self.target, train=True)

    def eval(self) -> None:
        self.student._perform_later(self.name, "mode", target=self.target, train=False)

    def _perform(self, operation: str, **request: Any) -> Any:
        return self.student._perform(self.name, operation, target=self.target, **request)


def needs_files(request: Mapping[str, Any]) -> bool:
    """Tell whether files are written for a request, by the student's code or for it."""
    arguments = (*request.get("args", ()), *request.get("kwargs", {}).values())
    is_given = any(isinstance(each, wire.TextFile) for each in arguments)
    return is_given or request.get("effect") == "files"


def _sendable(argument: Any, key: str) -> Any:
    if isinstance(argument, (ModuleProxy, ObjectProxy)):
        return argument.target
    if isinstance(argument, OwnGenerator):
        raise CourseError(
            "A hidden test passes its `rng` to a student's code, which could draw from it what the "
            "test draws next: pass np.random.default_rng(rng.integers(2**32))."
        )
    if isinstance(argument, (FunctionType, BuiltinFunctionType, np.ufunc)):
        raise CourseError(
            f"A hidden test passes the function {argument.__name__} to a student's code, which is "
            "sent data alone: lend it as Model(…), from autograder.testing."
        )
    if type(argument) is np.random.Generator:
        return wire.Generator(json.dumps(argument.bit_generator.state))
    return replace(argument, key=key) if isinstance(argument, Model) else argument
