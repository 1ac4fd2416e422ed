"""Similar answers: pairs of authors that share passages which hardly anybody else wrote.

Code is seen as passages: runs of a few tokens, in which names of one's own don't matter. These are
the k-grams of Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms for Document
Fingerprinting" (SIGMOD 2003). Cells are short, so all are kept. (copydetect, which does the same,
compares files, knows no cells, and brings matplotlib.)

A passage weighs the more, the fewer wrote it: what everybody writes says nothing of a pair. So the
usual way to solve an exercise makes nobody similar, however short the exercise.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import math
import tokenize
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from autograder.errors import CourseError
from autograder.intake.code import code_tokens

LENGTH = 4  # tokens: few enough that exchanged lines still have passages in common
MIN_CLASS = 10  # submissions: fewer don't show what is usual
# Chosen so that, of classes drawn from answers on file, nearly all copies with other names and
# exchanged lines are found, and nearly no two that have nothing to do with each other.
MIN_SHARE = 0.72  # of the weight of the shorter answers, over all exercises
MIN_LEAST = 0.6  # the same, on average over that half of the exercises in which they share least
MIN_RARE = 4  # passages in common that hardly anybody else wrote
MIN_MARKED = 0.5  # what a passage weighs that is marked: fewer than a sixth of 60 wrote it
MIN_OWN = 2.0  # weight of an answer with anything of its own in it
FEW = 3  # students who may have written what hardly anybody wrote,
FEW_OF = 0.05  # or so much of a class, up to
MAX_FEW = 20

Passage = tuple[str, ...]
Lines = tuple[tuple[int, int], ...]  # the first and the last line, of each place where it stands


def tokens_of(source: str, known: Iterable[str]) -> list[tuple[str, int]]:
    """Return the tokens of a cell, each with its line; names stay if `known`, or behind a dot."""
    kept = {*known, *dir(builtins), *keyword.kwlist}
    found: list[tuple[str, int]] = []
    before = ""
    for token in code_tokens(source):
        text = token.string
        if token.type == tokenize.NAME and before != "." and text not in kept:
            text = "name"
        elif token.type == tokenize.STRING:
            text = "text"
        found.append((text, token.start[0]))
        before = token.string
    return found


def imported(sources: Iterable[str]) -> set[str]:
    """Return the names that given cells import, which mean the same in every answer."""
    nodes = (node for source in sources for node in ast.walk(ast.parse(source)))
    imports = (node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)))
    return {(alias.asname or alias.name).partition(".")[0] for i in imports for alias in i.names}


def passages_in(
    tokens: Sequence[tuple[str, int]], without: Iterable[Passage] = ()
) -> dict[Passage, Lines]:
    """Return the passages in `tokens` but for those that are given to everybody."""
    found: dict[Passage, Lines] = {}
    for start in range(len(tokens) - LENGTH + 1):
        texts, lines = zip(*tokens[start : start + LENGTH], strict=True)
        found[texts] = (*found.get(texts, ()), (lines[0], lines[-1]))
    for passage in without:
        found.pop(passage, None)
    return found


@dataclass(frozen=True, eq=False)
class ComparedAnswer:
    """An answer to an exercise: its code, and the passages in it that are its author's own."""

    code: str
    passages: Mapping[Passage, Lines]

    def lines_of(self, passages: Iterable[Passage]) -> frozenset[int]:
        """Return the numbers of the lines on which these stand, from 1 on."""
        spans = (span for passage in passages for span in self.passages[passage])
        return frozenset(line for first, last in spans for line in range(first, last + 1))


@dataclass(frozen=True, eq=False)
class Author:
    """Who wrote what, by exercise; `name` is a student id, or that of a reference."""

    name: str
    answers: Mapping[str, ComparedAnswer]


@dataclass(frozen=True)
class SharedPassages:
    """What two have in common in an exercise; lines are counted from 1."""

    exercise: str
    share: float  # of the weight of the shorter answer, between 0 and 1
    codes: tuple[str, str]
    lines: tuple[frozenset[int], frozenset[int]]


@dataclass(frozen=True)
class SimilarPair:
    """Two whose answers are worth a look, and how much of the shorter ones they share."""

    names: tuple[str, str]
    share: float  # between 0 and 1
    rare: int  # passages in common that hardly anybody else wrote
    exercises: tuple[SharedPassages, ...]


class _Overlap(NamedTuple):
    exercise: str
    passages: Collection[Passage]  # that both wrote
    weight: float  # of these
    most: float  # that it could be: the weight of the shorter answer


class ComparedClass:
    """A class whose answers are compared."""

    def __init__(self, authors: Sequence[Author]) -> None:
        """Count who wrote what; raise `CourseError` if there are too few to tell what is usual."""
        number = len(authors)
        if number < MIN_CLASS:
            raise CourseError(
                f"Similar answers need {MIN_CLASS} submissions, to tell what is usual from what is "
                f"not: there are {number}."
            )
        self._authors = authors
        self._few = min(MAX_FEW, max(FEW, int(FEW_OF * number)))
        self._written: dict[str, Counter[Passage]] = defaultdict(Counter)  # by exercise
        for author in authors:
            for name, answer in author.answers.items():
                self._written[name].update(answer.passages.keys())
        # By the number who wrote it: about 1 if two did, and 0 if all did.
        scale = math.log(number / 2)
        self._weights = [math.log(number / max(1, n)) / scale for n in range(number + 1)]
        self._wholes: dict[ComparedAnswer, float] = {}

    def pairs(self) -> list[SimilarPair]:
        """Return the pairs of students that are worth a look, those that share most first."""
        return self._worth_a_look((self._authors[a], self._authors[b]) for a, b in self._likely())

    def pairs_with(self, references: Iterable[Author]) -> list[SimilarPair]:
        """Return the same for pairs of a student and a reference."""
        return self._worth_a_look((author, each) for each in references for author in self._authors)

    def _likely(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs that share a few rare passages: a large class has millions of others."""
        writers: dict[tuple[str, Passage], list[int]] = {}
        for number, author in enumerate(self._authors):
            for name, answer in author.answers.items():
                for passage in self._rare(name, answer.passages):
                    writers.setdefault((name, passage), []).append(number)
        common: Counter[tuple[int, int]] = Counter()
        for numbers in writers.values():
            common.update(combinations(numbers, 2))
        return (pair for pair, times in common.items() if times >= MIN_RARE)

    def _worth_a_look(self, pairs: Iterable[tuple[Author, Author]]) -> list[SimilarPair]:
        found = [pair for pair in (self._pair(a, b) for a, b in pairs) if pair is not None]
        return sorted(found, key=lambda pair: (-pair.share, -pair.rare, pair.names))

    def _pair(self, first: Author, second: Author) -> SimilarPair | None:
        overlaps = [
            self._overlap(name, answer, second.answers[name])
            for name, answer in first.answers.items()
            if name in second.answers
        ]
        rare = sum(len(self._rare(each.exercise, each.passages)) for each in overlaps)
        weight, most = sum(each.weight for each in overlaps), sum(each.most for each in overlaps)
        # One exercise is soon alike: so the half in which they share least has to be, too.
        shares = sorted(each.weight / each.most for each in overlaps if each.most > MIN_OWN)
        half = shares[: len(shares) // 2 + 1]
        least = sum(half) / len(half) if half else 0.0
        if rare < MIN_RARE or weight < MIN_SHARE * most or least < MIN_LEAST:
            return None
        shared = tuple(self._shared(each, first, second) for each in overlaps if each.weight)
        return SimilarPair((first.name, second.name), weight / most, rare, shared)

    def _overlap(self, name: str, one: ComparedAnswer, other: ComparedAnswer) -> _Overlap:
        both = one.passages.keys() & other.passages.keys()
        most = min(self._whole(name, one), self._whole(name, other))
        return _Overlap(name, both, self._weight(name, both), most)

    def _shared(self, overlap: _Overlap, first: Author, second: Author) -> SharedPassages:
        name = overlap.exercise
        one, other = first.answers[name], second.answers[name]
        told = [each for each in overlap.passages if self._weight(name, [each]) > MIN_MARKED]
        return SharedPassages(
            exercise=name,
            share=min(1.0, overlap.weight / overlap.most),
            codes=(one.code, other.code),
            lines=(one.lines_of(told), other.lines_of(told)),
        )

    def _weight(self, name: str, passages: Iterable[Passage]) -> float:
        written = self._written[name]
        return sum(self._weights[written[passage]] for passage in passages)

    def _rare(self, name: str, passages: Iterable[Passage]) -> list[Passage]:
        written = self._written[name]
        return [passage for passage in passages if written[passage] <= self._few]

    def _whole(self, name: str, answer: ComparedAnswer) -> float:
        """Return the weight of an answer, which is asked for again and again."""
        if answer not in self._wholes:
            self._wholes[answer] = self._weight(name, answer.passages)
        return self._wholes[answer]
