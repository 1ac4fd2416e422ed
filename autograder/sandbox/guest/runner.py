"""What runs inside the student's process: it runs cells and answers calls, and knows nothing else.

The operations that cross the boundary, all of them:

    run         a cell's source                        → its output, and its error if it raised
    defined     names                                  → those that lead to something callable
    call        a name and arguments                   → the result, as plain data; a module
                                                         stays here, under the key asked for
    forward     an object and arguments                → the result of calling it, without gradients
    gradients   an object, arguments and a cotangent   → each parameter's gradient, and on request
                                                         that of each argument
    load        an object and arrays by dotted name    → sets its parameters
    parameters  an object                              → the shape of each parameter, by name
    mode        an object and a bool                   → train mode or eval mode
    state       an object                              → each parameter, by name
    guard       dotted names                           → these can be forbidden from now on
    stand_in    names                                  → calls of these the grader answers

An argument may be a module that an earlier call made, or one that the grader lends. While a call
runs, that one and stand-ins may ask the grader back; nothing else ever does.

Here the student's code is at home, so nothing that this module says is believed: the grader takes
it for data.
"""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from autograder.sandbox import wire
from autograder.sandbox.guest.guards import Guards
from autograder.sandbox.guest.output import BoundedText, described, redirected
from autograder.sandbox.guest.shell import Shell
from autograder.sandbox.guest.stand_ins import Consult, StandIns, module_of


class MissingParameter(LookupError):
    """A parameter that the contract names is not there, or has another shape."""


class Runner:
    """Carries out the operations on one student's namespace."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._objects: dict[str, Any] = {}
        self._guards = Guards()
        self._stand_ins = StandIns(shell.namespace, lambda request: self.consult(request))
        self.consult: Consult = _nobody
        self._operations: dict[str, Callable[..., Any]] = {
            "run": self._run,
            "defined": self._defined,
            "call": self._call,
            "forward": self._forward,
            "gradients": self._gradients,
            "load": self._load,
            "parameters": self._parameters,
            "state": self._state,
            "mode": self._mode,
            "stand_in": self._stand_in,
            "guard": self._guard,
        }

    def answer(self, request: dict[str, Any]) -> bytes:
        """Carry out a request and return the frame of the reply, which repeats its number."""
        number = request.pop("number", 0)
        operation = self._operations[request.pop("op")]
        _seed_everything(request.pop("seed", 0))
        forbidden = request.pop("forbid", ())
        output = BoundedText()
        try:
            with redirected(output), self._guards.forbidding(forbidden):
                reply = operation(**request)
                return wire.pack(reply | {"number": number, "output": output.getvalue()})
        except BaseException as error:  # SystemExit and KeyboardInterrupt end a cell, not us
            said = {"error": described(error), "output": output.getvalue()}
            return wire.pack(said | {"number": number})

    def restore(self) -> None:
        """Take the guards off again, where the process outlives the student's code."""
        self._guards.remove()

    def _run(self, source: str) -> dict[str, Any]:
        error = self._shell.run(source)
        return {} if error is None else {"error": described(error)}

    def _defined(self, names: list[str]) -> dict[str, Any]:
        return {"value": [name for name in names if callable(self._shell.namespace.get(name))]}

    def _call(
        self, name: str, args: list[Any], kwargs: dict[str, Any], key: str = ""
    ) -> dict[str, Any]:
        if name not in self._shell.namespace:
            raise NameError(f"name '{name}' is not defined")
        own = [self._resolved(value) for value in args]
        own_by_name = {each: self._resolved(value) for each, value in kwargs.items()}
        with _watching(args, kwargs) as changed:
            value = self._shell.namespace[name](*own, **own_by_name)
        if _is_module(value):
            self._objects[key] = value
            value = wire.Handle(key, type(value).__name__)
        return {"value": value, "changed": changed[0]}

    def _resolved(self, argument: Any) -> Any:
        """Return what a function is given for `argument`."""
        if isinstance(argument, wire.Handle):
            own = self._objects.get(argument.key)
            return module_of(argument, self.consult) if own is None else own
        return iter(argument.items) if isinstance(argument, wire.Stream) else argument

    def _forward(
        self, target: wire.Handle, args: list[Any], kwargs: dict[str, Any]
    ) -> dict[str, Any]:
        import torch

        with torch.no_grad(), _watching(args, kwargs) as changed:
            value = self._objects[target.key](*args, **kwargs)
        return {"value": value, "changed": changed[0]}

    def _gradients(
        self,
        target: wire.Handle,
        args: list[Any],
        kwargs: dict[str, Any],
        cotangent: Any,
        inputs: bool = False,
    ) -> dict[str, Any]:
        import torch

        module = self._objects[target.key]
        module.zero_grad(set_to_none=True)
        if inputs:
            args = [_leaf(value) for value in args]
            kwargs = {name: _leaf(value) for name, value in kwargs.items()}
        with torch.enable_grad():  # a backward pass may be what asks for this
            output = module(*args, **kwargs)
            first = output[0] if isinstance(output, (tuple, list)) else output
            (first * cotangent).sum().backward()
        arrived = [getattr(value, "grad", None) for value in (*args, *kwargs.values())]
        learning = [each for each in module.named_parameters() if each[1].requires_grad]
        gradients = {name: value.grad for name, value in learning}
        return {"value": {"parameters": gradients, "inputs": arrived}}

    def _load(self, target: wire.Handle, state: dict[str, Any]) -> dict[str, Any]:
        import torch

        module = self._objects[target.key]
        with torch.no_grad():
            for name, value in state.items():
                _parameter(module, name, tuple(value.shape)).copy_(value)
        return {}

    def _parameters(self, target: wire.Handle) -> dict[str, Any]:
        named = self._objects[target.key].named_parameters()
        return {"value": {name: tuple(value.shape) for name, value in named}}

    def _state(self, target: wire.Handle) -> dict[str, Any]:
        return {"value": dict(self._objects[target.key].named_parameters())}

    def _mode(self, target: wire.Handle, train: bool) -> dict[str, Any]:
        self._objects[target.key].train(train)
        return {}

    def _stand_in(self, names: list[str]) -> dict[str, Any]:
        self._stand_ins.install(names)
        return {}

    def _guard(self, names: list[str]) -> dict[str, Any]:
        self._guards.install(names)
        return {}


def _nobody(request: Mapping[str, Any]) -> Any:
    raise RuntimeError("there is no grader to ask")


@contextlib.contextmanager
def _watching(args: list[Any], kwargs: dict[str, Any]) -> Iterator[list[bool]]:
    """Tell by the yielded flag whether the arguments were changed in place."""
    before, changed = wire.pack({"args": args, "kwargs": kwargs}), [False]
    yield changed
    changed[0] = wire.pack({"args": args, "kwargs": kwargs}) != before


def _parameter(module: Any, name: str, shape: tuple[int, ...]) -> Any:
    """Return the tensor that `name` leads to from `module`, attribute by attribute."""
    import torch

    value, path, owner = module, name.split("."), f"`{type(module).__name__}`"
    for done, part in enumerate(path):
        value = getattr(value, part, None)
        if value is None:
            missing = ".".join(path[: done + 1])
            raise MissingParameter(f"{owner} has no `{missing}`: name it as the exercise says")
    if not isinstance(value, torch.Tensor):
        kind = type(value).__name__
        raise MissingParameter(f"In {owner}, `{name}` is a {kind}, not a parameter")
    if tuple(value.shape) != shape:
        found = tuple(value.shape)
        raise MissingParameter(f"In {owner}, `{name}` has shape {found}, not {shape}")
    return value


def _leaf(value: Any) -> Any:
    """Return an argument so that a gradient can arrive at it."""
    floating = hasattr(value, "is_floating_point") and value.is_floating_point()
    return value.requires_grad_() if floating else value


def _is_module(value: Any) -> bool:
    torch = sys.modules.get("torch")  # nothing is a module where torch was never imported
    return torch is not None and isinstance(value, torch.nn.Module)


def _seed_everything(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed % 2**32)
    if (torch := sys.modules.get("torch")) is not None:
        torch.default_generator.manual_seed(seed)  # `torch.manual_seed` takes ten times as long
