"""Which names in a solution can be taken for each other."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain

# Functions that are near each other in meaning, or in the documentation.
CONFUSED: Mapping[str, Set[str]] = {
    "sin": {"cos"},
    "cos": {"sin"},
    "exp": {"exp2"},
    "max": {"min", "mean"},
    "min": {"max"},
    "sum": {"mean", "max"},
    "mean": {"sum"},
    "argmax": {"argmin"},
    "softmax": {"log_softmax"},
    "relu": {"gelu", "sigmoid"},
    "elu": {"relu"},
    "tril": {"triu"},
    "triu": {"tril"},
    "zeros": {"ones"},
    "ones": {"zeros"},
}


@dataclass(frozen=True)
class Names:
    """The names of one cell: `values` are those it gives, `rivals` what may stand in for a node."""

    values: frozenset[str]
    rivals: Mapping[ast.AST, Sequence[str]]


def names_in(tree: ast.AST) -> Names:
    """Read the names in `tree`, type hints included: they tell parameters of one kind."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    values = {name for function in functions for name, _, _ in _given(function)}
    rivals = chain(_rival_attributes(tree), *map(_rival_names, functions))
    return Names(frozenset(values - {"self"}), {node: sorted(names) for node, names in rivals})


def _given(function: ast.FunctionDef) -> Iterator[tuple[str, str, int]]:
    """Yield each name that `function` gives to something: the name, its kind and its line."""
    for arg in ast.walk(function.args):
        if isinstance(arg, ast.arg):
            yield arg.arg, ast.unparse(arg.annotation) if arg.annotation else "", function.lineno
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, "local", node.lineno


def _rival_names(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, Set[str]]]:
    """Yield each variable read in `function` with those of its kind that an earlier line gives."""
    given = list(_given(function))
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            kinds = {kind for name, kind, _ in given if name == node.id}
            earlier = {name for name, kind, line in given if kind in kinds and line < node.lineno}
            yield node, earlier - {node.id, "self", "_"}


def _rival_attributes(tree: ast.AST) -> Iterator[tuple[ast.AST, Set[str]]]:
    """Yield each attribute read with those made alike, and with functions confused with it."""
    maker: dict[str, str] = {}
    alike: defaultdict[str, set[str]] = defaultdict(set)
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=ast.Call(func=function)):
                maker[name] = ast.unparse(function)
                alike[maker[name]].add(name)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            same = alike[maker[node.attr]] if node.attr in maker else set()
            yield node, (same | CONFUSED.get(node.attr, set())) - {node.attr}
