"""Find the name that was probably meant where a student's code asks for one that doesn't exist.

The names are those of the grader's own libraries: nothing is looked up in the student's process.
"""

from __future__ import annotations

import builtins
import importlib
import sys
from collections.abc import Collection
from difflib import get_close_matches
from types import ModuleType

import numpy as np

_MODULES = ("math", "numpy", "scipy.special", "torch", "torch.nn", "torch.nn.functional")
_SHORT = {"np": "numpy", "F": "torch.nn.functional", "nn": "torch.nn"}
_LIKENESS = 0.8  # of two names, from 0 to 1: one letter in five may differ


def attribute_like(owner: str, name: str) -> str:
    """Return the attribute most like `name` of a module, or of the type called `owner`, if any."""
    found = _module(owner) or _type(owner)
    return _most_like(name, dir(found)) if found else ""


def builtin_like(name: str) -> str:
    """Return the built-in name most like `name`, if any."""
    return _most_like(name, dir(builtins))


def modules_with(name: str) -> list[str]:
    """Return those of the modules that are in use here in which `name` is defined."""
    used = [each for each in ("math", "numpy", "torch") if each in sys.modules]
    return [each for each in used if hasattr(sys.modules[each], name)]


def _module(name: str) -> ModuleType | None:
    name = _SHORT.get(name, name)
    if name not in _MODULES:
        return None
    try:
        return importlib.import_module(name)
    except ImportError:  # a course needn't have all of them
        return None


def _type(name: str) -> type | None:
    """Return the type of which Python speaks as `name`, as in "'list' object has no …"."""
    if name == "numpy.ndarray":
        return np.ndarray
    if name == "Tensor" and (torch := _module("torch")):
        return type(torch.empty(0))
    found = getattr(builtins, name, None)
    return found if isinstance(found, type) else None


def _most_like(name: str, names: Collection[str]) -> str:
    """Return the public name most like `name`: with other capitals, else with other letters."""
    public = [each for each in names if not each.startswith("_") and each != name]
    same_letters = [each for each in public if each.lower() == name.lower()]
    return next(iter(same_letters or get_close_matches(name, public, 1, _LIKENESS)), "")
