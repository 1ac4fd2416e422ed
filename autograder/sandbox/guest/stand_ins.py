"""Right answers to earlier exercises, given from outside: a mistake costs its marks once.

A stand-in takes the place of a student's function. Called, it asks the grader and returns what the
grader answers. If that is a module, it is rebuilt here with its parameters, by their names, so that
hidden tests can set them and a student's loop can train them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Any

from autograder.sandbox import wire

# Puts a request to the grader and returns the value of its answer, or raises what it says.
Consult = Callable[[Mapping[str, Any]], Any]


class StandIns:
    """Stand-ins for names in a student's namespace."""

    def __init__(self, namespace: dict[str, Any], consult: Consult) -> None:
        self._namespace, self._consult = namespace, consult
        self._originals: dict[str, Any] = {}
        self._keys = count()

    def install(self, names: Iterable[str]) -> None:
        """Let the grader answer calls of `names`, and of no other name."""
        self._namespace.update(self._originals)
        self._originals = {name: self._namespace.get(name) for name in names}
        self._namespace.update({name: self._stand_in(name) for name in self._originals})

    def _stand_in(self, name: str) -> Callable[..., Any]:
        def stand_in(*args: Any, **kwargs: Any) -> Any:
            request = {"op": "call", "name": name, "args": list(args), "kwargs": kwargs}
            value = self._consult(request | {"key": f"{name}-{next(self._keys)}"})
            return module_of(value, self._consult) if isinstance(value, wire.Handle) else value

        return stand_in


def module_of(target: wire.Handle, consult: Consult) -> Any:
    """Return a module with the parameters of one that the grader holds.

    It runs and differentiates by asking; of several outputs the first has a gradient.
    """
    import torch

    from autograder.sandbox.guest.asking import AskingModule

    module = AskingModule(target, consult)
    for name, value in consult({"op": "state", "target": target}).items():
        *path, last = name.split(".")
        owner: torch.nn.Module = module
        for part in path:
            if part not in dict(owner.named_children()):
                owner.add_module(part, torch.nn.Module())
            owner = owner.get_submodule(part)
        owner.register_parameter(last, torch.nn.Parameter(value))
    return module
