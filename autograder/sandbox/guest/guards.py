"""Guards: functions that take the place of forbidden built-ins and raise on demand.

They are installed before the student's cells run, so that `from … import …` binds them as well.
A student can extract the original from a guard: guards are a reminder, not a security measure.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any


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
        """Make the guards on `names` raise inside this context."""
        self._forbidden = frozenset(names)
        try:
            yield
        finally:
            self._forbidden = frozenset()

    def remove(self) -> None:
        """Restore the originals, in a process that outlives the student's code."""
        while self._originals:
            setattr(*self._originals.pop())

    def _guarded(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*args: Any, **kwargs: Any) -> Any:
            if name in self._forbidden:
                raise Forbidden(f"{name.removesuffix('.__init__')} is not allowed in this exercise")
            return original(*args, **kwargs)

        return guarded
