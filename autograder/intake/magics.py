"""The Python in a cell that may also hold IPython's magics and shell commands."""

from __future__ import annotations

import ast
import re

from autograder.sandbox.limits import MAX_TEXT

# These run the rest of their cell, or of their line, as Python in the notebook's namespace.
_RUNS_PYTHON = r"time|timeit|capture|prun"
_CELL_MAGIC = re.compile(r"\s*%%(\w+)[^\n]*\n?")
_LINE_MAGIC = re.compile(rf"^([ \t]*)%(?:{_RUNS_PYTHON})[ \t]+(?=[^\s-])", re.MULTILINE)
_NOT_PYTHON = re.compile(r"^([ \t]*)[%!?].*$", re.MULTILINE)


def python_of(source: str) -> str:
    r"""Return the Python in a cell's source, line by line.

    Return nothing of a cell in another language, or of one that is too long to be run.

    >>> python_of("%%time\n!pip install x\n%time y = f(2)")
    '\npass\ny = f(2)'
    """
    if len(source) > MAX_TEXT:
        return ""
    if not _NOT_PYTHON.search(source) or _is_python(source):  # where a line may begin with %, too
        return source
    if found := _CELL_MAGIC.match(source):
        if found[1] not in _RUNS_PYTHON.split("|"):
            return ""
        source = f"\n{source[found.end() :]}"
    return _NOT_PYTHON.sub(r"\1pass", _LINE_MAGIC.sub(r"\1", source))


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
