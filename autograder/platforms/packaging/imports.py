"""Which modules the code of one assignment imports, without running it.

The fixtures that all assignments share may import a large package where only some need it, so a
function of theirs counts where the assignment uses it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeGuard

from autograder.course import Course, solution
from autograder.course.loading import code_below, modules_imported

_ALWAYS = ("conftest", "__init__")  # shared files that every assignment loads


def imported(course: Course, assignment: str) -> set[str]:
    """Return the modules that the solution, the hidden tests and what they share import.

    Cells that the grader doesn't run, such as those that draw, may import what isn't there.
    """
    cells = map(_tree, solution.sources(course, assignment).values())
    own = [*cells, *map(_parsed, code_below(course.exercises / assignment))]
    defined = {
        node.name for tree in own for node in _walk(tree) if isinstance(node, ast.FunctionDef)
    }
    mentioned = {name for tree in own for name in _mentioned(tree)}
    shared = {path.stem: _parsed(path) for path in sorted(course.exercises.glob("*.py"))}
    used = list(_used(shared, own))
    counted = [*own, *(node for tree in used for node in tree.body if not _is_optional(node))]
    waiting = [node for tree in used for node in tree.body if _is_optional(node)]
    while chosen := [each for each in waiting if each.name in mentioned - defined]:
        waiting = [each for each in waiting if each not in chosen]
        counted += chosen
        mentioned |= {name for each in chosen for name in _mentioned(each)}
    found = (name for tree in counted for node in _walk(tree) for name in modules_imported(node))
    return {name.partition(".")[0] for name in found}


def _used(shared: Mapping[str, ast.Module], own: Iterable[ast.Module]) -> Iterator[ast.Module]:
    """Yield the shared files that every assignment loads, that `own` import, or that these do."""
    waiting = [*_ALWAYS, *(name for tree in own for name in _neighbours(tree))]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in shared and name not in seen:
            seen.add(name)
            waiting += _neighbours(shared[name])
            yield shared[name]


def _is_optional(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    """Tell whether `node` runs only for those who name it: not so a fixture that all tests use."""
    return isinstance(node, ast.FunctionDef) and not any(
        keyword.arg == "autouse" for each in node.decorator_list for keyword in _keywords(each)
    )


def _keywords(node: ast.expr) -> Iterable[ast.keyword]:
    return node.keywords if isinstance(node, ast.Call) else ()


def _neighbours(tree: ast.AST) -> Iterator[str]:
    """Yield the names of the files that `tree` imports by a relative path."""
    for node in _walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            yield from (node.module or "").split(".")
            yield from (alias.name for alias in node.names)


def _mentioned(tree: ast.AST) -> Iterator[str]:
    """Yield every name in `tree` that may be that of a fixture or of a function."""
    for node in _walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                yield name
            case ast.ImportFrom():
                yield from (alias.name for alias in node.names)
            case ast.Constant(value=str(name)):  # usefixtures("name")
                yield name


def _walk(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield `tree` and all below it that is run: not what only a type checker reads."""
    if isinstance(tree, ast.If) and ast.unparse(tree.test).endswith("TYPE_CHECKING"):
        return
    yield tree
    for node in ast.iter_child_nodes(tree):
        yield from _walk(node)


def _parsed(path: Path) -> ast.Module:
    return _tree(path.read_text("utf-8"))


def _tree(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):  # reported when it is run
        return ast.parse("")
