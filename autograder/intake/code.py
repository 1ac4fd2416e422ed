"""What of a student's code is code: without comments and docstrings, which may say who wrote it.

Reading it takes time and memory that the student decides: do it in a process with bounds.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from tokenize import TokenInfo

from autograder.intake.magics import python_of

_LAYOUT = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
_ENDS = (tokenize.NEWLINE, tokenize.COMMENT, tokenize.ENDMARKER)
_COMMENT = re.compile(r"#.*")


def code_tokens(source: str) -> list[TokenInfo]:
    """Return the tokens that do something, up to where the code can't be read, if that is so."""
    found, _ = _read(source)
    said = {token.start for token in _said(found)}
    return [t for t in found if t.start not in said and t.type not in _LAYOUT]


def without_comments(source: str) -> str:
    """Return the code without comments and docstrings, nor the lines that held nothing else.

    Behind the place where the code can't be read, comments are whatever follows a `#`.
    """
    found, end = _read(source)
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


def _read(source: str) -> tuple[list[TokenInfo], int]:
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
