"""Stand-ins: they replace wrong earlier answers, so that a mistake costs its marks once.

A stand-in takes the place of a student's function: it passes each call on to the grader and
returns the grader's result. If that is a module, it is rebuilt here with parameters of the same
names, so that hidden tests can set them and a student's loop can train them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Any

from autograder.sandbox import wire

# Sends a request to the grader and returns the value of its reply; raises if that is an error.
CallBack = Callable[[Mapping[str, Any]], Any]

_UNDEFINED = object()


class StandIns:
    """Stand-ins for names in a student's namespace."""

    def __init__(self, namespace: dict[str, Any], call_back: CallBack) -> None:
        self._namespace, self._call_back = namespace, call_back
        self._originals: dict[str, Any] = {}
        self._keys = count()

    def install(self, names: Iterable[str]) -> None:
        """Let the grader answer calls of `names`; calls of all other names stay here."""
        for name, original in self._originals.items():
            if original is _UNDEFINED:
                self._namespace.pop(name, None)
            else:
                self._namespace[name] = original
        self._originals = {name: self._namespace.get(name, _UNDEFINED) for name in names}
        self._namespace.update({name: self._stand_in(name) for name in self._originals})

    def _stand_in(self, name: str) -> Callable[..., Any]:
        def stand_in(*args: Any, **kwargs: Any) -> Any:
            request = {"op": "call", "name": name, "args": list(args), "kwargs": kwargs}
            value = self._call_back(request | {"key": f"{name}-{next(self._keys)}"})
            return module_of(value, self._call_back) if isinstance(value, wire.Handle) else value

        return stand_in


def module_of(target: wire.Handle, call_back: CallBack) -> Any:
    """Return a module with the parameters and the class name of the grader's module `target`.

    Students read that name in error messages. The grader runs both passes of the module; of several
    outputs only the first has a gradient.
    """
    import torch

    from autograder.sandbox.guest.remote_module import RemoteModule

    called = target.type_name if target.type_name.isidentifier() else "Module"
    module = type(called, (RemoteModule,), {})(target, call_back)
    for name, value in call_back({"op": "state", "target": target}).items():
        *path, last = name.split(".")
        owner: torch.nn.Module = module
        for part in path:
            if part not in dict(owner.named_children()):
                owner.add_module(part, torch.nn.Module())
            owner = owner.get_submodule(part)
        owner.register_parameter(last, torch.nn.Parameter(value))
    return module
