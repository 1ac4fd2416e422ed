"""Which pairs share passages that hardly anybody else wrote.

A passage weighs the more, the fewer wrote it: what everybody writes says nothing of a pair. So the
usual way to solve an exercise makes nobody similar, however short the exercise.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from autograder.errors import CourseError
from autograder.statistics.similar.answers import Work
from autograder.statistics.similar.passages import Passage

MIN_CLASS = 10  # submissions: fewer don't show what is usual
# Chosen so that, of classes drawn from answers on file, nearly all copies with other names and
# exchanged lines are found, and nearly no two that have nothing to do with each other.
MIN_SHARE = 0.72  # of the weight of the shorter answers, over all exercises
MIN_LEAST = 0.6  # the same, on average over that half of the exercises in which they share least
MIN_RARE = 4  # passages in common that hardly anybody else wrote
_OWN = 2.0  # weight of an answer with anything of its own in it
_FEW = 3  # students who may have written such a passage,
_FEW_OF = 0.05  # or so much of a class, up to
_MOST_FEW = 20
_TOLD = 0.5  # what a passage weighs, at least, that is marked: fewer than a sixth of 60 wrote it


@dataclass(frozen=True)
class Shared:
    """What two have in common in an exercise; lines are counted from 1."""

    exercise: str
    share: float  # of the weight of the shorter answer, between 0 and 1
    codes: tuple[str, str]
    lines: tuple[frozenset[int], frozenset[int]]


@dataclass(frozen=True)
class Pair:
    """Two whose answers are worth a look, and how much of the shorter ones they share."""

    names: tuple[str, str]
    share: float  # between 0 and 1
    rare: int  # passages in common that hardly anybody else wrote
    exercises: tuple[Shared, ...]


class Class:
    """A class whose answers are compared."""

    def __init__(self, works: Sequence[Work]) -> None:
        """Count who wrote what; raise `CourseError` if there are too few to tell what is usual."""
        if len(works) < MIN_CLASS:
            raise CourseError(
                f"Similar answers need {MIN_CLASS} submissions, to tell what is usual from what is "
                f"not: there are {len(works)}."
            )
        self._works = works
        self._few = min(_MOST_FEW, max(_FEW, int(_FEW_OF * len(works))))
        self._written: dict[str, Counter[Passage]] = {}
        self._wholes: dict[tuple[Work, str], float] = {}
        for work in works:
            for name, answer in work.answers.items():
                self._written.setdefault(name, Counter()).update(answer.passages.lines.keys())
        self._unwritten = self._weight(1)  # as much as what one wrote
        weights = [self._weight(times) for times in range(len(works) + 1)]
        self._weights = {
            name: {passage: weights[times] for passage, times in written.items()}
            for name, written in self._written.items()
        }

    def pairs(self) -> list[Pair]:
        """Return the pairs of students that are worth a look, those that share most first."""
        likely = ((self._works[a], self._works[b]) for a, b in self._likely())
        return self._worth_a_look(likely)

    def pairs_with(self, references: Iterable[Work]) -> list[Pair]:
        """Return the same for pairs of a student and a reference."""
        return self._worth_a_look((work, each) for each in references for work in self._works)

    def weight(self, exercise: str, passage: Passage) -> float:
        """Return what a passage weighs: about 1 if two wrote it, and 0 if all did."""
        return self._weights.get(exercise, {}).get(passage, self._unwritten)

    def _weight(self, times: int) -> float:
        number = len(self._works)
        return math.log(number / max(1, times)) / math.log(number / 2)

    def _likely(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs that share a few rare passages: a large class has millions of others."""
        writers: dict[tuple[str, Passage], list[int]] = {}
        for number, work in enumerate(self._works):
            for name, answer in work.answers.items():
                for passage in answer.passages.lines:
                    if self._written[name][passage] <= self._few:
                        writers.setdefault((name, passage), []).append(number)
        common: Counter[tuple[int, int]] = Counter()
        for numbers in writers.values():
            common.update(combinations(numbers, 2))
        return (pair for pair, times in common.items() if times >= MIN_RARE)

    def _worth_a_look(self, pairs: Iterable[tuple[Work, Work]]) -> list[Pair]:
        found = [pair for pair in (self._pair(a, b) for a, b in pairs) if pair is not None]
        return sorted(found, key=lambda pair: (-pair.share, -pair.rare, pair.names))

    def _pair(self, first: Work, second: Work) -> Pair | None:
        weights = {
            name: (self._common(name, first, second), self._shorter(name, first, second))
            for name in first.answers
            if name in second.answers
        }
        weight = sum(common for common, _ in weights.values())
        most = sum(shorter for _, shorter in weights.values())
        rare = sum(self._rare(name, first, second) for name in weights)
        if rare < MIN_RARE or weight < MIN_SHARE * most or _least(weights.values()) < MIN_LEAST:
            return None
        shared = (
            self._shared(name, common / shorter, first, second)
            for name, (common, shorter) in weights.items()
            if common
        )
        return Pair((first.name, second.name), weight / most, rare, tuple(shared))

    def _both(self, name: str, first: Work, second: Work) -> set[Passage]:
        one, other = (work.answers[name].passages.lines.keys() for work in (first, second))
        return one & other

    def _common(self, name: str, first: Work, second: Work) -> float:
        return sum(self.weight(name, passage) for passage in self._both(name, first, second))

    def _rare(self, name: str, first: Work, second: Work) -> int:
        written = self._written.get(name, Counter())
        return sum(written[passage] <= self._few for passage in self._both(name, first, second))

    def _shorter(self, name: str, first: Work, second: Work) -> float:
        return min(self._whole(name, first), self._whole(name, second))

    def _whole(self, name: str, work: Work) -> float:
        """Return the weight of an answer, which is asked for again and again."""
        key = (work, name)
        if key not in self._wholes:
            passages = work.answers[name].passages.lines
            self._wholes[key] = sum(self.weight(name, passage) for passage in passages)
        return self._wholes[key]

    def _shared(self, name: str, share: float, first: Work, second: Work) -> Shared:
        one, other = first.answers[name], second.answers[name]
        both = self._both(name, first, second)
        told = [passage for passage in both if self.weight(name, passage) > _TOLD]
        left, right = (frozenset(each.passages.lines_of(told)) for each in (one, other))
        return Shared(name, min(1.0, share), (one.code, other.code), (left, right))


def _least(weights: Iterable[tuple[float, float]]) -> float:
    """Return the mean share of the half in which two share least: one exercise is soon alike."""
    shares = sorted(common / shorter for common, shorter in weights if shorter > _OWN)
    half = shares[: len(shares) // 2 + 1]
    return sum(half) / len(half) if half else 0.0
