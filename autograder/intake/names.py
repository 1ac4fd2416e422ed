"""The names that a cell's code binds, reads and imports in the notebook's namespace.

To look for them takes time and memory that the student decides: do it in a process with bounds.
"""

import ast
import symtable
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.course.loading import modules_imported
from autograder.intake.code import NO_PYTHON, python_of, tree_of


@dataclass(frozen=True)
class Names:
    """The names that a cell binds in the notebook's namespace, and those that it reads there.

    What a name of those `changed` stands for is changed in place: `table["sum"] = add`. Of those
    that it binds, it reads some `before`: `softmax = compiled(softmax)`.
    """

    bound: frozenset[str] = frozenset()
    read: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()


def names_in(source: str) -> Names:
    code = python_of(source)
    try:
        names, tree = list(_symbols_in(code)), ast.parse(code)
    except NO_PYTHON:
        return Names()
    # a walk through a long cell takes as long as to parse it
    imported = frozenset(_imported_from_here(tree) if "__main__" in source else ())
    bound = {name.get_name() for name in names if name.is_assigned() or name.is_imported()}
    read = {name.get_name() for name in names if name.is_referenced()}
    before = frozenset(bound).intersection(_read_before(tree))
    return Names(frozenset(bound - imported), imported | read, frozenset(_changed_in(tree)), before)


def imports_in(source: str) -> Iterator[str]:
    """Yield the modules that are imported at the top of `source`; none if it isn't Python."""
    for statement in tree_of(source).body:
        yield from modules_imported(statement)


def imported_names(source: str) -> dict[str, str]:
    """Return what each name that a cell imports stands for: a module, or what is in one."""
    found = {}
    for node in ast.walk(tree_of(source)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            module = getattr(node, "module", None) or ""
            for each in node.names:
                found[each.asname or each.name.partition(".")[0]] = f"{module}:{each.name}"
    return found


def _symbols_in(code: str) -> Iterator[symtable.Symbol]:
    """Yield what the code says of names in the notebook's namespace, in its functions too."""
    top = symtable.symtable(code, "<cell>", "exec")
    tables = [top]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        yield from (each for each in table.get_symbols() if table is top or each.is_global())


def _imported_from_here(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a cell reads as `from __main__ import name`, or `__main__.name`."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="__main__", names=names):
                yield from (each.name for each in names)
            case ast.Attribute(value=ast.Name(id="__main__"), attr=name):
                yield name


def _changed_in(tree: ast.Module) -> Iterator[str]:
    left: list[ast.AST] = [*tree.body]
    while left:
        match node := left.pop():
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                continue  # what is in there is its own
            case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()):
                owner: ast.AST = node
                while isinstance(owner, (ast.Attribute, ast.Subscript)):
                    owner = owner.value
                if isinstance(owner, ast.Name):
                    yield owner.id
        left += ast.iter_child_nodes(node)


def _read_before(tree: ast.Module) -> Iterator[str]:
    """Yield the names that statements read before one of them binds them."""
    bound: set[str] = set()
    for statement in tree.body:
        parts: list[ast.AST] = [statement]
        binds = set[str]()
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                # the body runs when it is called
                parts, binds = [*statement.decorator_list, statement.args], {name}
            case ast.ClassDef(name=name):
                parts, binds = [*statement.decorator_list, *statement.bases], {name}
        names = [node for part in parts for node in ast.walk(part) if isinstance(node, ast.Name)]
        reads_all = isinstance(statement, ast.AugAssign)
        yield from {n.id for n in names if reads_all or isinstance(n.ctx, ast.Load)} - bound
        bound |= binds | {n.id for n in names if isinstance(n.ctx, ast.Store)}
