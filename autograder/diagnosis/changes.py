"""The answers that one small change makes of a student's, one of which may be right.

Where it is, all that is wrong stands in one line, in whatever style the answer is written. What a
change is doesn't depend on the exercise: a part less, another number, two lines exchanged.
"""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from autograder.diagnosis.rivals import name_of, rivals_in
from autograder.intake.code import tree_of

MAX_NODES = 1500  # of a cell's syntax tree: a longer one has too many changes to try them
# What is told of each kind, in the order in which they are tried; functions that changes know of.
_KNOWN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
SENTENCES: Mapping[str, str] = _KNOWN["told"]
_FUNCTIONS: Mapping[str, Sequence[str]] = _KNOWN["functions"]
_MODULES: Sequence[str] = _KNOWN["names"]["modules"]
_NEAR: Sequence[Sequence[str]] = _KNOWN["names"]["near"]
_SPELLINGS: Sequence[Mapping[str | None, str]] = _KNOWN["names"]["spellings"]

_OPERATORS: Mapping[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add, ast.BitXor),  # of booleans
    ast.Mult: (ast.Div, ast.MatMult, ast.Pow, ast.Add),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Div, ast.Mod),
    ast.MatMult: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt, ast.GtE),
    ast.Gt: (ast.GtE, ast.LtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt, ast.LtE),
}
_NAMES = re.compile(r"\b(?:id|attr)='\w*'")
_BLOCKS = (ast.For, ast.While, ast.If, ast.With)

Made = Iterator[tuple[str, ast.AST]]  # a kind of change, and what it puts in a node's place


@dataclass(frozen=True)
class Change:
    """One change to an answer: its whole cell with the change, the changed line, and the kind."""

    source: str
    line: int  # of the cell as it was, from 1; of several, the first
    kind: str
    is_repeated: bool = False  # at all places that are like this one

    @property
    def told(self) -> str:
        others = " and in the lines like it" if self.is_repeated else ""
        return SENTENCES[self.kind].format(line=f"line {self.line} of its cell{others}")


def changes_of(source: str) -> list[Change]:
    """Return each answer that one change makes of a cell's source, the likeliest kinds first."""
    tree = tree_of(source)
    if sum(1 for _ in ast.walk(tree)) > MAX_NODES:
        return []
    unchanged, found = ast.unparse(tree), dict[str, Change]()
    for change in (*_replaced(tree), *_moved(tree), *_respelt(tree)):
        found.setdefault(change.source, change)
    found.pop(unchanged, None)
    order = list(SENTENCES)
    return sorted(found.values(), key=lambda change: order.index(change.kind))


@dataclass(frozen=True)
class _Place:
    """Where a node hangs in a syntax tree: in a field of its parent, or in a list there."""

    parent: ast.AST
    field: str
    index: int | None
    line: int

    @property
    def holder(self) -> str:
        """What holds it, such as the keyword `axis`."""
        return f"{type(self.parent).__name__} {getattr(self.parent, 'arg', '')} {self.field}"

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def _replaced(tree: ast.Module) -> Iterator[Change]:
    """Yield changes that put something else in the place of one node, or of all that are like it.

    What is like another differs in names alone: the same slip in three lines is one.
    """
    rivals = rivals_in(tree)
    answers = [statement for statement in tree.body if _defines_a_function(statement)]
    alike = defaultdict[tuple[str, ...], list[tuple[_Place, ast.AST, ast.AST]]](list)
    for node, place in [found for each in answers for found in _places(each, each.lineno)]:
        for kind, other in (*_instead_of(node), *_by_name(node, rivals.get(node, ()))):
            place.put(other)
            yield Change(ast.unparse(tree), place.line, kind)
            if what := _in_common(kind, place, node, other):
                alike[what].append((place, node, other))
        place.put(node)
    for (kind, *_), places in alike.items():
        if len(places) > 1:
            for place, _, other in places:
                place.put(other)
            yield Change(ast.unparse(tree), places[0][0].line, kind, is_repeated=True)
            for place, node, _ in reversed(places):
                place.put(node)


def _in_common(kind: str, place: _Place, node: ast.AST, other: ast.AST) -> tuple[str, ...] | None:
    """Return what makes a change the same slip as others; None if it is one by itself."""
    match kind, node, other:
        case "function", ast.Attribute(value=ast.Name(id=module), attr=name), ast.Attribute(
            value=ast.Name(id=another)
        ) if module != another:
            near = next((group for group in _NEAR if name in group), [name])
            return kind, module, another, *near
        case "function", ast.Attribute(attr=name), ast.Attribute(attr=another):
            return kind, name, another
        case "name", _, _:
            return None
    return kind, place.holder, _without_names(node), _without_names(other)


def _without_names(node: ast.AST) -> str:
    return _NAMES.sub("", ast.dump(node))


def _defines_a_function(statement: ast.stmt) -> bool:
    return any(isinstance(n, (ast.FunctionDef, ast.Lambda)) for n in ast.walk(statement))


def _places(parent: ast.AST, line: int) -> Iterator[tuple[ast.AST, _Place]]:
    """Yield each node below `parent` and its place, but for type hints and what texts show."""
    for field, value in ast.iter_fields(parent):
        if isinstance(parent, ast.JoinedStr) or field in ("annotation", "returns"):
            continue
        children = enumerate(value) if isinstance(value, list) else [(None, value)]
        for index, node in children:
            if isinstance(node, ast.AST):
                own = getattr(node, "lineno", line)
                yield node, _Place(parent, field, index, own)
                if number_of(node) is None:  # -1 is one number, not two nodes
                    yield from _places(node, own)


def _instead_of(node: ast.AST) -> Made:
    """Yield what may stand in the place of a node."""
    for other in _OPERATORS.get(type(node), ()):
        yield "operator", other()
    match node:
        case ast.Constant() | ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            yield from _constants(node)
        case ast.stmt():
            yield from _statements(node)
        case ast.Call():
            yield from _calls(node)
            yield from _further_arguments(node)
            if name_of(node.func) in _FUNCTIONS["join"]:
                yield from _joined(node)
        case ast.BinOp():
            yield from _products_and_sums(node)
        case ast.Tuple(elts=[first, second, *rest], ctx=ast.Load()):
            yield "order", ast.Tuple([second, first, *rest], ast.Load())
        case ast.Slice(lower=lower, upper=upper, step=step):
            yield "less", ast.Slice(None, upper, step)
            yield "less", ast.Slice(lower, None, step)
        case ast.Subscript(value=value, slice=index, ctx=ast.Load()):
            for kept in _keeping_an_axis(index):
                yield "axes", ast.Subscript(value, kept, ast.Load())
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield from (("less", body), ("less", orelse))
            yield "order", ast.IfExp(test, orelse, body)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            yield "order", ast.Compare(right, [op], [left])
    match node:
        case ast.UnaryOp(operand=part) | ast.Subscript(value=part, ctx=ast.Load()):
            yield "less", part
        case ast.Attribute(value=part, attr="T" | "mT" as turned, ctx=ast.Load()):
            yield "less", part
            if turned == "T":  # which turns all axes around
                yield "transposed", _attribute(part, "mT")
        case ast.Tuple(elts=[first, second], ctx=ast.Load()):
            yield from (("less", first), ("less", second))


def number_of(node: ast.AST) -> int | float | None:
    """Return the number that a node is, with its sign; None if it is something else."""
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
    return None


def _constants(node: ast.AST) -> Made:
    number = number_of(node)
    near: Sequence[float] = ()
    if isinstance(number, int):
        near = (number + 1, number - 1, -number, 0, 1, -1, 2, -2)
    elif number is not None:
        near = (-number, 0.0, 1.0)
    if number == 0:  # what a softmax makes nothing of
        near = (*near, -1e9)
    yield from (("number", ast.Constant(other)) for other in near)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "truth", ast.Constant(not node.value)


def _statements(node: ast.stmt) -> Made:
    match node:
        case ast.FunctionDef() | ast.ClassDef() | ast.Return() | ast.Pass():
            return
        case ast.If(test=test, body=body, orelse=orelse):
            yield "less", ast.If(ast.Constant(True), body, [])
            yield "less", ast.If(ast.Constant(True), orelse or [ast.Pass()], [])
            yield "opposite", ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
            return
        case ast.AugAssign(target=target, value=value):
            yield "operator", ast.Assign([target], value, lineno=node.lineno)
    yield "less", ast.Pass()


def _products_and_sums(node: ast.BinOp) -> Made:
    left, op, right = node.left, node.op, node.right
    yield from (("less", left), ("less", right))
    if isinstance(op, (ast.Sub, ast.Div, ast.Pow, ast.MatMult)):
        yield "order", ast.BinOp(right, op, left)
    if isinstance(op, ast.MatMult):
        yield "transposed", ast.BinOp(left, op, _attribute(right, "mT"))
        yield "transposed", ast.BinOp(_attribute(left, "mT"), op, right)
    if isinstance(op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
        further = ast.Tuple([ast.Constant(...), ast.Constant(None)], ast.Load())
        yield "axes", ast.BinOp(left, op, ast.Subscript(right, further, ast.Load()))
    if isinstance(op, ast.Sub) and number_of(left) == 1:
        yield "opposite", ast.UnaryOp(ast.Invert(), right)
    if isinstance(op, (ast.Div, ast.Mult)):
        yield "root", ast.BinOp(left, op, ast.BinOp(right, ast.Pow(), ast.Constant(0.5)))


def _calls(node: ast.Call) -> Made:
    """Leave a call out, or an argument; exchange two; take a part of what it returns."""
    function, arguments, keywords = node.func, node.args, node.keywords
    if isinstance(function, ast.Attribute):
        yield "less", function.value
    yield from (("less", each) for each in arguments)
    if len(arguments) > 1:
        yield "less", ast.Call(function, arguments[:-1], keywords)
    for keyword in keywords:
        rest = [other for other in keywords if other is not keyword]
        yield "less", ast.Call(function, arguments, rest)
        yield "place", ast.Call(function, [*arguments, keyword.value], rest)
    for place, (first, second) in enumerate(pairwise(arguments)):
        exchanged = [*arguments[:place], second, first, *arguments[place + 2 :]]
        yield "order", ast.Call(function, exchanged, keywords)
    name = name_of(function)
    if isinstance(function, ast.Attribute) and name in _FUNCTIONS["called_on_tensors"]:
        yield "function", ast.Call(ast.Name(name, ast.Load()), [function.value], [])
        for module in _MODULES:
            there = _attribute(ast.Name(module, ast.Load()), name)
            yield "function", ast.Call(there, [function.value, *arguments], keywords)
    if isinstance(function, ast.Attribute) and name in ("t", "transpose") and not arguments:
        yield "transposed", _attribute(function.value, "mT")  # else it turns all axes around
    if isinstance(function, ast.Attribute) and name in _FUNCTIONS["take_tensors"]:
        for place, each in enumerate(arguments):
            if number_of(each) is not None:
                tensor = ast.Call(_attribute(function.value, "tensor"), [each], [])
                yield "tensor", ast.Call(function, _with(arguments, place, tensor), keywords)
    if name in _FUNCTIONS["take_a_condition"] and arguments:
        opposite = ast.UnaryOp(ast.Invert(), arguments[0])
        yield "opposite", ast.Call(function, _with(arguments, 0, opposite), keywords)
    is_product = name in _FUNCTIONS["multiply"]
    is_loss = name.endswith(tuple(_FUNCTIONS["losses"]))
    for place, each in enumerate(arguments[:2]):
        if is_product or (is_loss and place == 0):
            turned = _with(arguments, place, _attribute(each, "mT"))
            yield "transposed", ast.Call(function, turned, keywords)
    returns_one_thing = (*_FUNCTIONS["reduce"], *_FUNCTIONS["return_one_thing"])
    if name not in returns_one_thing and not name[:1].isupper():  # such as nn.Linear
        for number in (0, 1):
            yield "part", ast.Subscript(node, ast.Constant(number), ast.Load())


def _keeping_an_axis(index: ast.expr) -> Iterator[ast.expr]:
    """Yield an index with a slice of one in the place of one number, which drops its axis."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    for place, part in enumerate(parts):
        if isinstance(part, (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp)):
            end = None if number_of(part) == -1 else ast.BinOp(part, ast.Add(), ast.Constant(1))
            kept = _with(parts, place, ast.Slice(part, end))
            yield ast.Tuple(kept, ast.Load()) if len(kept) > 1 else kept[0]


def _joined(node: ast.Call) -> Made:
    """Give one of the arrays that are joined a further axis, or say along which to join them.

    Or make one list of them, where each is an argument of its own.
    """
    match node.args:
        case [ast.List(elts=parts) | ast.Tuple(elts=parts), *others]:
            axes = [ast.Slice(), ast.Constant(None)], [ast.Constant(None), ast.Slice()]
            for place, part in enumerate(parts):
                for index in axes:
                    wider = ast.Subscript(part, ast.Tuple([*index], ast.Load()), ast.Load())
                    joined = ast.List(_with(parts, place, wider), ast.Load())
                    yield "axes", ast.Call(node.func, [joined, *others], node.keywords)
        case [_, _, *_] as parts:
            for number in range(2, len(parts) + 1):
                joined = ast.List(parts[:number], ast.Load())
                yield "list", ast.Call(node.func, [joined, *parts[number:]], node.keywords)
    if len(node.args) == 1 and not node.keywords:
        for axis in (1, -1, -2):
            along = ast.keyword("axis", ast.Constant(axis))
            yield "argument", ast.Call(node.func, node.args, [along])


def _further_arguments(node: ast.Call) -> Made:
    """Add the axis that a call walks along, if none is said, what keeps that axis, or a size."""
    name, given = name_of(node.func), {keyword.arg for keyword in node.keywords}
    if name in _FUNCTIONS["take_a_shape"] and len(node.args) == 1:
        yield "argument", ast.Call(node.func, [*node.args, node.args[0]], node.keywords)
    along = ast.keyword("dim" if "softmax" in name else "axis", ast.Constant(-1))
    kept = ast.keyword("keepdims", ast.Constant(True))
    further, reduces = [], name in _FUNCTIONS["reduce"]
    if reduces and not given & {"keepdims", "keepdim"}:
        further.append([kept])
    if (reduces or name in _FUNCTIONS["normalise"]) and not given & {"axis", "dim"}:
        further += [[along], *([along, *each] for each in further)]
    for each in further:
        yield "argument", ast.Call(node.func, node.args, [*node.keywords, *each])


def _by_name(node: ast.AST, rivals: Sequence[str]) -> Made:
    """Yield other names in the place of one, and functions that are near it."""
    match node:
        case ast.Name(ctx=ast.Load()):
            yield from (("name", ast.Name(other, ast.Load())) for other in rivals)
        case ast.Constant(value=str()):
            yield from (("name", ast.Constant(other)) for other in rivals)
        case ast.Attribute(value=value, attr=attr, ctx=ast.Load()):
            if isinstance(value, ast.Name) and value.id in _MODULES:
                yield "name", ast.Name(attr, ast.Load())  # it is a function of one's own
                others = (ast.Name(each, ast.Load()) for each in _MODULES if each != value.id)
                yield from (("function", _attribute(other, attr)) for other in others)
            yield from (("name", _attribute(value, other)) for other in rivals)
            near = {other for group in _NEAR if attr in group for other in group} - {attr}
            yield from (("function", _attribute(value, other)) for other in sorted(near))


def _moved(tree: ast.Module) -> Iterator[Change]:
    """Yield changes that exchange two statements, or take the last out of a block, or one in."""
    for parent in ast.walk(tree):
        block = getattr(parent, "body", None)
        if not isinstance(block, list) or isinstance(parent, (ast.Module, ast.ClassDef)):
            continue
        before = list(block)
        for place, (first, second) in enumerate(pairwise(before)):
            block[place : place + 2] = second, first
            yield Change(ast.unparse(tree), first.lineno, "lines")
            block[:] = before
            if isinstance(first, _BLOCKS):
                first.body.append(block.pop(place + 1))
                yield Change(ast.unparse(tree), second.lineno, "indentation")
                first.body.pop()
                block[:] = before
        for place, inside in enumerate(before):
            if isinstance(inside, _BLOCKS) and len(inside.body) > 1:
                last = inside.body.pop()
                block.insert(place + 1, last)
                yield Change(ast.unparse(tree), last.lineno, "indentation")
                block[:] = before
                inside.body.append(last)


def _respelt(tree: ast.Module) -> Iterator[Change]:
    """Yield the answer with parameters that are spelt as another library spells them."""
    keywords = [node for node in ast.walk(tree) if isinstance(node, ast.keyword)]
    for spelling in _SPELLINGS:
        found = [(keyword, keyword.arg) for keyword in keywords if keyword.arg in spelling]
        for keyword, old in found:
            keyword.arg = spelling[old]
        if found:
            first = found[0][0].lineno
            yield Change(ast.unparse(tree), first, "parameter", is_repeated=len(found) > 1)
        for keyword, old in found:
            keyword.arg = old


def _with(parts: Sequence[ast.expr], place: int, other: ast.expr) -> list[ast.expr]:
    return [*parts[:place], other, *parts[place + 1 :]]


def _attribute(value: ast.expr, name: str) -> ast.Attribute:
    return ast.Attribute(value, name, ast.Load())
