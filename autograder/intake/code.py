"""What of a cell is Python, and what of Python is code: no magics, comments or docstrings.

Telling them apart takes time and memory that the student decides: do it in a process with bounds.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from contextlib import suppress
from tokenize import TokenInfo

from autograder.sandbox.limits import MAX_TEXT

# These run the rest of their cell, or of their line, as Python in the notebook's namespace.
_RUNS_PYTHON = r"time|timeit|capture|prun"
_CELL_MAGIC = re.compile(r"\s*%%(\w+)[^\n]*\n?")
_LINE_MAGIC = re.compile(rf"^([ \t]*)%(?:{_RUNS_PYTHON})[ \t]+(?=[^\s-])", re.MULTILINE)
_NOT_PYTHON = re.compile(r"^([ \t]*)([%!?].*|[\w.*]+\?\??[ \t]*)$", re.MULTILINE)
_LAYOUT = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
_ENDS = (tokenize.NEWLINE, tokenize.COMMENT, tokenize.ENDMARKER)
_COMMENT = re.compile(r"#.*")
# What Python raises on text that isn't Python: the last two where brackets nest too deeply.
NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)


def python_of(source: str) -> str:
    r"""Return the Python in a cell's source, line by line.

    Return nothing of a cell in another language, or of one that is too long to be run.

    >>> python_of("%%time\n!pip install x\n%time y = f(2)")
    '\npass\ny = f(2)'
    """
    if len(source) > MAX_TEXT:
        return ""
    if not _NOT_PYTHON.search(source):
        return source
    with suppress(*NO_PYTHON):
        ast.parse(source)
        return source  # Python, in which a line may begin with %, too
    if found := _CELL_MAGIC.match(source):
        if found[1] not in _RUNS_PYTHON.split("|"):
            return ""
        source = f"\n{source[found.end() :]}"
    return _NOT_PYTHON.sub(r"\1pass", _LINE_MAGIC.sub(r"\1", source))


def tree_of(source: str) -> ast.Module:
    """Return the syntax tree of the Python in a cell's source: without statements if it is none."""
    try:
        return ast.parse(python_of(source))
    except NO_PYTHON:
        return ast.Module([], [])


def is_cut_off(source: str, line: int) -> bool:
    """Tell whether statements of the same block stand below the `raise` in that line of a cell."""
    parts = ("body", "orelse", "finalbody")
    found = (getattr(node, part, None) for node in ast.walk(tree_of(source)) for part in parts)
    above = (each for block in found if isinstance(block, list) for each in block[:-1])
    return any(isinstance(each, ast.Raise) and each.lineno == line for each in above)


def is_idle(source: str) -> bool:
    r"""Tell whether a cell does nothing: it holds comments, texts, and stubs of functions.

    >>> is_idle("# see below"), is_idle("def f(x):\n    pass"), is_idle("%run f.py")
    (True, True, False)
    """
    if python_of(source) != source:
        return False
    body = tree_of(source).body
    return all(map(_does_nothing, body)) if body else not without_comments(source).strip()


def _does_nothing(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(ast.Constant()):
            return True
        case ast.Raise(ast.Name("NotImplementedError") | ast.Call(ast.Name("NotImplementedError"))):
            return True
        case ast.Expr(ast.Call(ast.Attribute(ast.Call(ast.Name("super")), "__init__"))):
            return True
        case ast.FunctionDef(body=body) | ast.ClassDef(body=body):
            return all(map(_does_nothing, body))
    return False


def code_tokens(source: str) -> list[TokenInfo]:
    """Return the tokens that do something, up to the place where the code can't be read."""
    found, _ = _tokens(source)
    said = {token.start for token in _said(found)}
    return [t for t in found if t.start not in said and t.type not in _LAYOUT]


def without_comments(source: str) -> str:
    """Return the code without comments and docstrings, and without lines that held nothing else.

    Behind the place where the code can't be read, a comment is whatever follows a `#`.
    """
    found, end = _tokens(source)
    lines = python_of(source).split("\n")
    touched = set()
    for token in reversed(list(_said(found))):
        (first, start), (last, stop) = token.start, token.end
        touched |= set(range(first - 1, last))
        lines[first - 1] = lines[first - 1][:start] + lines[last - 1][stop:]
        lines[first:last] = [""] * (last - first)
    for row in range(end, len(lines)):
        lines[row] = _COMMENT.sub("", lines[row])
    kept = [line for row, line in enumerate(lines) if line.strip() or row not in touched]
    return "\n".join(line.rstrip() for line in kept).strip("\n")


def _tokens(source: str) -> tuple[list[TokenInfo], int]:
    """Return the tokens that can be read, and the number of lines that they cover."""
    text = python_of(source)
    found: list[TokenInfo] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            found.append(token)  # one by one: those before an error count
    except (tokenize.TokenError, SyntaxError, ValueError):
        return found, found[-1].end[0] if found else 0
    return found, text.count("\n") + 1


def _said(tokens: list[TokenInfo]) -> Iterator[TokenInfo]:
    """Yield the comments and docstrings: texts that are a whole statement."""
    begins = True  # whether the next token begins a statement
    for number, token in enumerate(tokens):
        following = tokens[number + 1].type if number + 1 < len(tokens) else tokenize.NEWLINE
        is_text = token.type == tokenize.STRING and begins and following in _ENDS
        if is_text or token.type == tokenize.COMMENT:
            yield token
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            begins = token.type in _LAYOUT
