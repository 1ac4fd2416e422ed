"""Settings of libraries and of the process that a cell leaves behind for all that runs later.

A student may set them for an experiment: `torch.set_default_dtype`, say. Cells go on with them, as
in any notebook, but whatever is asked of an exercise finds the settings that given cells left.
"""

import contextlib
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

Setting = tuple[Callable[[], Any], Callable[[Any], Any]]  # how it is read, and how changed


def _set_filters(filters: list[Any]) -> None:
    warnings.resetwarnings()  # so that what was noted of earlier filters is forgotten
    warnings.filters.extend(filters)  # type: ignore[attr-defined]  # a list, as documented


_PROCESS: dict[str, Setting] = {
    "recursion limit": (sys.getrecursionlimit, sys.setrecursionlimit),
    "working folder": (os.getcwd, os.chdir),
    "warning filters": (lambda: list(warnings.filters), _set_filters),
    "NumPy's errors": (np.geterr, lambda how: np.seterr(**how)),
}


def _of_torch(torch: Any) -> dict[str, Setting]:
    grad, threads = torch.is_grad_enabled, torch.get_num_threads
    mode, precision = torch.get_deterministic_debug_mode, torch.get_float32_matmul_precision
    return {
        "dtype": (torch.get_default_dtype, torch.set_default_dtype),
        "device": (lambda: _default_device(torch), torch.set_default_device),
        "gradients": (grad, torch._C._set_grad_enabled),
        "anomalies": (torch.is_anomaly_enabled, torch.set_anomaly_enabled),
        "determinism": (mode, torch.set_deterministic_debug_mode),
        "precision": (precision, torch.set_float32_matmul_precision),
        "threads": (threads, torch.set_num_threads),
    }


def _default_device(torch: Any) -> Any:
    """Return the default device; `torch.get_default_device` raises if that isn't there."""
    context = getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None)
    return None if context is None else context.device


class ProcessSettings:
    """The settings that the given cells left, and those that the student's cells go on with."""

    def __init__(self) -> None:
        self._settings = dict(_PROCESS)
        self._given = self._own = self._current()

    @contextlib.contextmanager
    def of(self, request: dict[str, Any]) -> Iterator[None]:
        """Make those hold that a request is to find; `given` tells that it runs a given cell."""
        is_cell, is_given = request["op"] == "run", request.pop("given", False)
        self._restore(self._own if is_cell and not is_given else self._given)
        yield
        if is_given:
            left = self._current()
            changed = {name for name in left if left[name] != self._given.get(name)}
            self._given, self._own = left, self._own | {name: left[name] for name in changed}
        elif is_cell:
            self._own = self._current()

    def _current(self) -> dict[str, Any]:
        if "dtype" not in self._settings and "torch" in sys.modules:
            with contextlib.suppress(AttributeError):  # another module of that name
                self._settings |= _of_torch(sys.modules["torch"])
        current = {}
        for name, (read, _) in self._settings.items():
            with contextlib.suppress(Exception):  # a folder that is gone, say
                current[name] = read()
        return current

    def _restore(self, wanted: Mapping[str, Any]) -> None:
        current = self._current()
        for name, value in wanted.items():
            if current.get(name, value) != value or name not in current:
                with contextlib.suppress(Exception):  # a student's code may have broken it
                    _, change = self._settings[name]
                    change(value)
