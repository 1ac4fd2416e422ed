"""Functions that take another's place in the student's process, and give it back.

A guard stands before a built-in that an exercise forbids, and raises on demand. It is installed
before the student's cells run, so that `from … import …` binds it as well. A student can extract
the original from it: it is a reminder, not a security measure.

A stand-in replaces a wrong earlier answer, so that a mistake costs its marks once: it passes each
call on to the grader and returns the grader's result. If that is a module, it is rebuilt here with
parameters of the same names, so that hidden tests can set them and a student's loop can train them.
"""

import contextlib
import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Any

from autograder.sandbox import wire

# Sends a request to the grader and returns the value of its reply; raises if that is an error.
CallBack = Callable[[Mapping[str, Any]], Any]

_UNDEFINED = object()


class Forbidden(RuntimeError):
    """A built-in that the exercise forbids was called."""


class Guards:
    """Guards on dotted names, such as `torch.nn.Linear.__init__`."""

    def __init__(self) -> None:
        self._forbidden: frozenset[str] = frozenset()
        self._originals: list[tuple[Any, str, Any]] = []

    def install(self, names: Iterable[str]) -> None:
        """Replace the object at each dotted name by a function that can be made to raise."""
        for name in names:
            *path, attribute = name.split(".")
            owner: Any = importlib.import_module(path[0])
            for part in path[1:]:
                owner = getattr(owner, part)
            original = getattr(owner, attribute)
            self._originals.append((owner, attribute, original))
            setattr(owner, attribute, self._guarded(name, original))

    @contextlib.contextmanager
    def forbidding(self, names: Iterable[str]) -> Iterator[None]:
        self._forbidden = frozenset(names)
        try:
            yield
        finally:
            self._forbidden = frozenset()

    def remove(self) -> None:
        while self._originals:
            setattr(*self._originals.pop())

    def _guarded(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*args: Any, **kwargs: Any) -> Any:
            if name in self._forbidden:
                raise Forbidden(f"{name.removesuffix('.__init__')} is not allowed in this exercise")
            return original(*args, **kwargs)

        return guarded


class StandIns:
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
