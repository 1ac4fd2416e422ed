"""Code as passages: runs of a few tokens, in which names of one's own don't matter.

These are the k-grams of Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms for Document
Fingerprinting" (SIGMOD 2003). Cells are short, so all are kept. (copydetect, which does the same,
compares files, knows no cells, and brings matplotlib.)
"""

from __future__ import annotations

import ast
import builtins
import keyword
import tokenize
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from autograder.intake.code import code_tokens

LENGTH = 4  # tokens: few enough that exchanged lines still have passages in common
_OWN_NAME, _TEXT = "name", "text"  # what stands for any

Passage = tuple[str, ...]
Tokens = Sequence[tuple[str, int]]  # each with the number of its line, from 1 on


def tokens_of(source: str, known: Iterable[str]) -> list[tuple[str, int]]:
    """Return the tokens of a cell; names stay if they are `known`, or follow a dot."""
    kept = {*known, *dir(builtins), *keyword.kwlist}
    found: list[tuple[str, int]] = []
    before = ""
    for token in code_tokens(source):
        text = token.string
        if token.type == tokenize.NAME and before != "." and text not in kept:
            text = _OWN_NAME
        elif token.type == tokenize.STRING:
            text = _TEXT
        found.append((text, token.start[0]))
        before = token.string
    return found


def imported(sources: Iterable[str]) -> set[str]:
    """Return the names that given cells import, which mean the same in every answer."""
    nodes = (node for source in sources for node in ast.walk(ast.parse(source)))
    imports = (node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)))
    return {(alias.asname or alias.name).partition(".")[0] for i in imports for alias in i.names}


@dataclass(frozen=True)
class Passages:
    """The passages of an answer, each with the lines that it stands on, first and last included."""

    lines: Mapping[Passage, tuple[tuple[int, int], ...]]

    @classmethod
    def of(cls, tokens: Tokens, without: Iterable[Passage] = ()) -> Passages:
        """Return the passages in `tokens` but for those that are given to everybody."""
        found: dict[Passage, list[tuple[int, int]]] = {}
        for start in range(len(tokens) - LENGTH + 1):
            run = tokens[start : start + LENGTH]
            passage = tuple(text for text, _ in run)
            found.setdefault(passage, []).append((run[0][1], run[-1][1]))
        for passage in without:
            found.pop(passage, None)
        return cls({passage: tuple(lines) for passage, lines in found.items()})

    def lines_of(self, passages: Iterable[Passage]) -> set[int]:
        """Return the numbers of the lines on which these stand."""
        spans = (span for passage in passages for span in self.lines[passage])
        return {line for first, last in spans for line in range(first, last + 1)}
