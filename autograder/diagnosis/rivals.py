"""Which names of an answer may be confused: one of them may stand where another should."""

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

MAX_RIVALS = 12  # of one name


def rivals_in(tree: ast.Module) -> dict[ast.AST, Sequence[str]]:
    """Return what each variable, attribute or text may be confused with, if anything."""
    found: dict[ast.AST, Sequence[str]] = {}
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        nodes, alike = list(ast.walk(function)), _alike_in(function)
        texts = [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        for node in nodes:
            match node:
                case ast.Name(id=name) if name in alike:
                    found[node] = _others(alike[name], name)
                case ast.Name(id=name) if not hasattr(builtins, name):  # perhaps misspelt
                    found[node] = get_close_matches(name, alike)
                case ast.Constant(value=str() as text):
                    found[node] = get_close_matches(text, {*texts} - {text})
    return found | _rival_attributes_in(tree)


def _rival_attributes_in(tree: ast.Module) -> dict[ast.AST, Sequence[str]]:
    """Return what attributes may be confused with: those that are made by the same function."""
    found: dict[ast.AST, Sequence[str]] = {}
    makers: dict[str, str] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=value):
                makers[name] = name_of(value.func) if isinstance(value, ast.Call) else ""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in makers:
            alike = [name for name, maker in makers.items() if maker == makers[node.attr]]
            found[node] = _others(alike, node.attr)
    return found


def _alike_in(function: ast.FunctionDef) -> dict[str, list[str]]:
    """Return the variables of a function, and for each those that it may be confused with.

    They are parameters, or bound in the same way, or one is what the other is made from.
    """
    bound, read = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            bound[node.arg].add("parameter")
    for target, value in _bindings_in(function):
        for name in _names(target, ast.Store):
            bound[name].add(_way_of(value))
            read[name].update(_names(value, ast.Load))
    return {
        name: [
            other
            for other in bound
            if (ways | {"parameter"}) & bound[other] or name in read[other] or other in read[name]
        ]
        for name, ways in bound.items()
    }


def _bindings_in(function: ast.FunctionDef) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield what is bound in a function, and to what, or to what parts of it in turn."""
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                yield from ((target, value) for target in targets)
            case (
                ast.AugAssign(target=target, value=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.NamedExpr(target=target, value=value)
                | ast.For(target=target, iter=value)
                | ast.comprehension(target=target, iter=value)
            ):
                yield target, value


def _names(node: ast.AST, context: type[ast.expr_context]) -> list[str]:
    found = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    return [each.id for each in found if isinstance(each.ctx, context)]


def _way_of(value: ast.expr) -> str:
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"))):
            return "self"
        case ast.Call(func=function):
            return name_of(function)
    return type(value).__name__


def _others(names: Sequence[str], own: str) -> list[str]:
    return [name for name in dict.fromkeys(names) if name not in (own, "self", "_")][:MAX_RIVALS]


def name_of(function: ast.expr) -> str:
    """Return what a function that is called is called there, without what it belongs to."""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
