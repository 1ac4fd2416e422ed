"""What a cell does to all cells below it, and its author may not expect."""

import ast
import builtins
import importlib
import re
from collections.abc import Iterable, Iterator
from functools import cache

from autograder.intake.code import tree_of
from autograder.intake.submission import SubmittedCell

_KNOWN = ("math", "numpy", "torch")  # whose names are looked up here
_RESET = re.compile(r"^\s*%reset\b", re.MULTILINE)


def traps_in(cells: Iterable[SubmittedCell]) -> Iterator[str]:
    """Yield a sentence for each trap in the cells that a student wrote."""
    for cell in cells:
        where = cell.title
        if _RESET.search(cell.cell.source):
            yield (
                f"{where} holds `%reset`, which deletes what the cells above it define, imports "
                "and answers too."
            )
        for module in _imported_whole(cell.cell.source):
            if hidden := _hidden_by(module):
                names = ", ".join(f"`{name}`" for name in hidden)
                yield (
                    f"{where} holds `from {module} import *`, which hides Python's own {names}. "
                    "Import the names that you use."
                )


def _imported_whole(source: str) -> Iterator[str]:
    for node in ast.walk(tree_of(source)):
        match node:
            case ast.ImportFrom(module=module, names=[ast.alias(name="*")]) if module in _KNOWN:
                yield module


@cache
def _hidden_by(module: str) -> tuple[str, ...]:
    try:
        found = importlib.import_module(module)
    except ImportError:  # a course needn't have all of them
        return ()
    public = getattr(found, "__all__", None) or [n for n in dir(found) if not n.startswith("_")]
    return tuple(sorted(set(public) & set(dir(builtins))))
