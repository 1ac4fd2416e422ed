"""Make wrong answers from a right one: one small slip at a time, wherever one can be made.

Slips are made in the syntax tree, read without docstrings and type hints; what an error says is
left alone. (mutmut and cosmic-ray mutate the modules of a package and start a test command for
each mutant. Here the cells of a notebook are mutated, many hundred times in one process, and the
slips are those of learners: a transpose forgotten, K for Q, one operand of a sum left out.)
"""

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from itertools import chain
from operator import setitem

from autograder.diagnosis.changes import number_of

OTHER_OPERATORS: Mapping[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.FloorDiv: (ast.Div, ast.Mod),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}
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
SYMMETRIC = {"transpose", "swapaxes"}  # exchanging their arguments is no slip
_LEFT_ALONE = {(ast.Raise, "exc"), (ast.Assert, "msg"), (ast.JoinedStr, "values")}

_NO_EFFECT = re.compile(r"^( *)(?!return$|raise$|break$|continue$)[\w.]+$", re.MULTILINE)

Put = Callable[[ast.AST], None]


@dataclass(frozen=True)
class Names:
    """The names of one cell: `values` are those it gives, `rivals` what may stand in for a node."""

    values: frozenset[str]
    rivals: Mapping[ast.AST, Sequence[str]]


@dataclass(frozen=True)
class Slip:
    """A wrong answer, and the lines that make it wrong: what they were and what they are."""

    source: str
    before: str
    after: str


def slips_in(source: str) -> list[Slip]:
    """Return every wrong version of `source` that one slip makes, each once.

    A name that stands alone in a line does nothing, no more than `pass` does.
    """
    tree = ast.parse(source)
    names = _names_in(tree)  # first, for type hints tell names of one kind
    _strip(tree)
    right = ast.unparse(tree)
    found = {right: Slip(right, "", "")}
    for node, put in list(_places(tree)):
        for replacement in _replacements(node, names):
            put(replacement)
            wrong = ast.unparse(tree)
            effect = _NO_EFFECT.sub(r"\1pass", wrong)
            found.setdefault(effect, Slip(wrong, *_difference(right, wrong)))
        put(node)
    del found[right]
    return list(found.values())


def _strip(tree: ast.AST) -> None:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None


def _places(parent: ast.AST) -> Iterator[tuple[ast.AST, Put]]:
    """Yield each node below `parent`, and the function that puts another in its place."""
    for name, value in ast.iter_fields(parent):
        if (type(parent), name) in _LEFT_ALONE:
            continue
        puts: list[tuple[object, Put]] = [(value, partial(setattr, parent, name))]
        if isinstance(value, list):
            puts = [(item, partial(setitem, value, index)) for index, item in enumerate(value)]
        for node, put in puts:
            if isinstance(node, ast.AST):
                yield node, put
                if number_of(node) is None:  # -1 is one number, not two nodes
                    yield from _places(node)


def _replacements(node: ast.AST, names: Names) -> Iterator[ast.AST]:
    """Yield what may stand in the place of `node` by one slip."""
    for other in OTHER_OPERATORS.get(type(node), ()):
        yield other()
    if number_of(node) is not None or isinstance(node, ast.Constant):
        yield from _constants(node)
    elif isinstance(node, ast.stmt):
        yield from _statements(node)
    elif isinstance(node, ast.Call):
        yield from _calls(node, names)
    else:
        yield from _expressions(node, names)


def _constants(node: ast.AST) -> Iterator[ast.expr]:
    number = number_of(node)
    if isinstance(number, int):
        yield from (ast.Constant(number + 1), ast.Constant(number - 1))
    elif number is not None:
        yield from (ast.Constant(number * 2 or 1.0), ast.Constant(number / 2 or -1.0))
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield ast.Constant(f"other_{node.value}")


def _statements(node: ast.stmt) -> Iterator[ast.stmt]:
    if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Pass)):
        yield ast.Pass()
    if isinstance(node, (ast.If, ast.While)) and not isinstance(node.test, ast.Compare):
        test = ast.UnaryOp(ast.Not(), node.test)
        yield type(node)(test=test, body=node.body, orelse=node.orelse)


def _calls(node: ast.Call, names: Names) -> Iterator[ast.expr]:
    """Leave the call out, exchange its first two arguments, or leave one out."""
    match node.func:
        case ast.Attribute(value=ast.Call() | ast.BinOp() | ast.Subscript() as receiver):
            yield receiver
        case ast.Attribute(value=ast.Name() as receiver) if receiver.id in names.values:
            yield receiver
        case _ if node.args:
            yield node.args[0]
    if len(node.args) > 1:
        first, second, *rest = node.args
        if not (isinstance(node.func, ast.Attribute) and node.func.attr in SYMMETRIC):
            yield ast.Call(node.func, [second, first, *rest], node.keywords)
        yield ast.Call(node.func, node.args[:-1], node.keywords)
    for keyword in node.keywords:
        match keyword.value:
            case ast.Constant(value=bool()):  # it is not the default: to turn it is to leave it out
                continue
        kept = [other for other in node.keywords if other is not keyword]
        yield ast.Call(node.func, node.args, kept)


def _expressions(node: ast.AST, names: Names) -> Iterator[ast.expr]:
    match node:
        case ast.BinOp(left=left, right=right):
            yield from (left, right)
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.Tuple(elts=[first, second, *rest], ctx=ast.Load()):
            yield ast.Tuple([second, first, *rest], ast.Load())
        case ast.Slice(lower=lower, upper=upper, step=step):
            yield from (ast.Slice(lower, None, step), ast.Slice(lower, upper, None))
            if lower is not None and number_of(lower) != 0:  # it may as well be left out
                yield ast.Slice(None, upper, step)
        case ast.Subscript(value=value, ctx=ast.Load()) | ast.Attribute(value=value, attr="T"):
            yield value
        case ast.Name():
            yield from (ast.Name(other, ast.Load()) for other in names.rivals.get(node, ()))
        case ast.Attribute(value=value):
            rivals = names.rivals.get(node, ())
            yield from (ast.Attribute(value, other, ast.Load()) for other in rivals)


def _difference(right: str, wrong: str) -> tuple[str, str]:
    """Return the lines in which the two differ, without their indentation."""
    before, after = right.splitlines(), wrong.splitlines()
    for end in (0, -1):
        while before and after and before[end] == after[end]:
            before.pop(end)
            after.pop(end)
    return _flush(before), _flush(after)


def _flush(lines: list[str]) -> str:
    return "\n".join(line.strip() for line in lines)


def _names_in(tree: ast.AST) -> Names:
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
