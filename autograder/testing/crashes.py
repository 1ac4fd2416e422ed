"""Explain common exceptions of NumPy, PyTorch and Python to the student, by their texts.

The rules are in `crashes.toml`. An explanation quotes nothing from a text but the sizes and names
that its rule captures. Names that were probably meant are those of the grader's own libraries.
"""

import builtins
import importlib
import re
import sys
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

MAX_EXPLAINED = 500  # characters of an exception's text that are looked at
_SHORT = {"np": "numpy", "F": "torch.nn.functional", "nn": "torch.nn"}
_MODULES = {"builtins", "math", "scipy.special", "torch", *_SHORT.values()}
_LIKENESS = 0.8  # of two names, from 0 to 1: one letter in five may differ


class Explanation(NamedTuple):
    """What an exception means; `tag` is the same for all exceptions of one kind."""

    tag: str
    meaning: str


class Rule(NamedTuple):
    tag: str
    pattern: str
    means: str


RULES = tuple(
    Rule(f"crash-{kind}", text, rule["means"])
    for kind, rules in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
    for rule in rules
    for text in rule["texts"]
)


def explain(text: str, line: str = "") -> Explanation | None:
    """Return the explanation of an exception with this text, or None; `line` is where it was."""
    for rule in RULES:
        if found := re.search(rule.pattern, text[:MAX_EXPLAINED]):
            # the sizes of a shape as Python writes them, (2, 3), where NumPy's errors have (2,3)
            words = {k: re.sub(r",(?=\d)", ", ", v or "") for k, v in found.groupdict().items()}
            looked_up = {
                name: look_up(**words)
                for name, look_up in (("like", _like), ("modules", _modules_with))
                if f"{{{name}}}" in rule.means
            }
            if all(looked_up.values()):
                words |= looked_up | {"line": line or "that line"}
                return Explanation(rule.tag, rule.means.format(**words))
    return None


def _like(name: str, owner: str = "builtins") -> str:
    """Return the public name most like `name`: with other capitals, else with other letters."""
    names = dir(found) if (found := _named(owner)) else ()
    public = [each for each in names if not each.startswith("_") and each != name]
    same_letters = [each for each in public if each.lower() == name.lower()]
    return next(iter(same_letters or get_close_matches(name, public, 1, _LIKENESS)), "")


def _named(name: str) -> Any:
    """Return the module or the type of which Python speaks as `name`, if it is one of ours."""
    name = _SHORT.get(name, name)
    try:
        if name in _MODULES:
            return importlib.import_module(name)
        if name == "Tensor":
            return importlib.import_module("torch").Tensor
    except ImportError:  # a course needn't have all of them
        return None
    if name == "numpy.ndarray":
        return np.ndarray
    found = getattr(builtins, name, None)
    return found if isinstance(found, type) else None


def _modules_with(name: str) -> str:
    """Return which modules have something called `name`: "`math`, `numpy` and `torch`"."""
    used = [each for each in ("math", "numpy", "torch") if each in sys.modules]
    having = [f"`{each}`" for each in used if hasattr(sys.modules[each], name)]
    return " and ".join(filter(None, (", ".join(having[:-1]), *having[-1:])))
