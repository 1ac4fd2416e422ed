"""Name the mistake: find the misconception that answers as the student did.

When an exercise fails, the questions that its hidden tests asked are put to each known wrong
variant, then to each two variants that can be made at once. Only one that agrees with the student
everywhere is reported, and only if it differs from a right answer where the student does: a match,
or nothing; never a guess.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from autograder.misconceptions import Bank, Candidate, banks_of
from autograder.report import Misconception
from autograder.sandbox import wire
from autograder.student import Exchange, InProcess

_TOLERANCE = 1e-4  # of a value's size: the same mistake in another style rounds differently
_CLASH = re.compile(
    r"\(size (?P<right>\d+) is different from (?P<left>\d+)\)"  # `@` and np.matmul
    r"|not aligned: (?P<first>\d+) .* != (?P<second>\d+) "  # np.dot
)


@dataclass
class Diagnosis:
    """Diagnoses answers to one assignment; what it learns on one serves the next."""

    assignment: str
    given: Sequence[str]  # the assignment's setup cells
    _banks: dict[str, Bank] = field(init=False)
    _suspects: dict[str, list[_Suspect]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._banks = banks_of(self.assignment)

    def of(self, exercise: str, exchanges: Iterable[Exchange]) -> tuple[Misconception, ...]:
        """Return the misconception, or the two, that explain all `exchanges`; else nothing."""
        if exercise not in self._banks:
            return ()
        asked = _Questions.of(exchanges)
        right, *wrong = self._suspects_of(exercise)
        for suspect in wrong:
            if suspect.explains(asked, right):
                variants = suspect.candidate.variants
                return tuple(Misconception(tag=v.tag, message=v.message) for v in variants)
        return ()

    def _suspects_of(self, exercise: str) -> list[_Suspect]:
        """Return the right answer, then each wrong one alone, then each two at once."""
        if exercise not in self._suspects:
            bank = self._banks[exercise]
            sources = {name: other.reference for name, other in self._banks.items()}
            candidates = chain([Candidate((), bank.reference)], bank.singles(), bank.pairs())
            self._suspects[exercise] = [
                _Suspect(
                    candidate, (*self.given, *(sources | {exercise: candidate.source}).values())
                )
                for candidate in candidates
            ]
        return self._suspects[exercise]


@dataclass(frozen=True)
class _Questions:
    """What a student was asked, in order; `histories` name each question and all before it."""

    exchanges: tuple[Exchange, ...]
    histories: tuple[bytes, ...]
    twins: tuple[int | None, ...]  # an earlier question that was the same but for its seed

    @classmethod
    def of(cls, exchanges: Iterable[Exchange]) -> _Questions:
        asked = tuple(exchanges)
        histories, twins, seen = [b""], [], dict[bytes, int]()
        for place, exchange in enumerate(asked):
            frame = wire.pack({**exchange.request, "seed": 0})
            seed = str(exchange.request["seed"]).encode()
            histories.append(hashlib.blake2s(histories[-1] + seed + frame).digest())
            twins.append(seen.get(frame))
            seen[frame] = place
        return cls(asked, tuple(histories[1:]), tuple(twins))

    def wavers(self, place: int) -> bool | None:
        """Tell whether the student answered the same question in two ways; None if asked once."""
        twin = self.twins[place]
        if twin is None:
            return None
        return not _same(self.exchanges[place].reply, self.exchanges[twin].reply)


@dataclass
class _Suspect:
    """A wrong answer that is asked what the student was asked; it remembers what it said."""

    candidate: Candidate
    sources: tuple[str, ...]
    _replies: dict[bytes, Mapping[str, Any]] = field(default_factory=dict)
    _random: dict[bytes, bool] = field(default_factory=dict)

    def explains(self, asked: _Questions, right: _Suspect) -> bool:
        """Tell whether this answers as the student did, and a right answer does not."""
        evidence = False
        for place, exchange in enumerate(asked.exchanges):
            if exchange.failure is not None and not exchange.reply:
                return False  # no reply came: nothing to compare
            if self.agrees(asked, place):
                evidence |= not right.agrees(asked, place)
            elif self.is_random(asked, place) and asked.wavers(place) is not False:
                evidence |= bool(asked.wavers(place)) and not right.is_random(asked, place)
            else:
                return False
        return evidence

    def agrees(self, asked: _Questions, place: int) -> bool:
        """Tell whether this answers at `place` as the student did.

        What it raises itself is raised in words of its own, and the student has others.
        """
        theirs, ours = asked.exchanges[place].reply, self.reply(asked, place)
        complaint, own = _complaint(theirs), _complaint(ours)
        if complaint and own and own[1] in self.candidate.source:
            return complaint[0] == own[0]
        return _same(theirs, ours)

    def reply(self, asked: _Questions, place: int) -> Mapping[str, Any]:
        """Return what this answers to the question at `place`, after all those before it."""
        history = asked.histories[place]
        if history not in self._replies:
            replies = self._replay(asked, len(asked.exchanges))
            self._replies |= dict(zip(asked.histories, replies, strict=True))
        return self._replies[history]

    def is_random(self, asked: _Questions, place: int) -> bool:
        """Tell whether the answer at `place` is another one under another seed."""
        history = asked.histories[place]
        if history not in self._random:
            reseeded = self._replay(asked, place + 1, shift=1)[place]
            self._random[history] = not _same(self.reply(asked, place), reseeded)
        return self._random[history]

    def _replay(self, asked: _Questions, until: int, shift: int = 0) -> list[dict[str, Any]]:
        channel = InProcess(self.sources)
        requests = [exchange.request for exchange in asked.exchanges[:until]]
        return [channel.ask({**request, "seed": request["seed"] + shift}) for request in requests]


def _same(reply: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether two replies say the same: equal values, or an error in the same words."""
    if "error" in reply or "error" in other:
        return _complaint(reply) == _complaint(other)
    if reply.get("changed") != other.get("changed"):
        return False
    return _equal(reply.get("value"), other.get("value"))


def _complaint(reply: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the type and the words of an error: the type alone has too many causes.

    Where sizes clash in a product, those two sizes are its words, for `@` and `np.dot` alike.
    """
    error = reply.get("error")
    if not isinstance(error, dict):
        return None
    words = str(error.get("message"))
    if clash := _CLASH.search(words):
        words = f"{clash['left'] or clash['first']} meets {clash['right'] or clash['second']}"
    return str(error.get("type")), words


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(_equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)
    if isinstance(one, wire.Handle) or not hasattr(one, "shape"):
        return type(one) is type(other) and (isinstance(one, wire.Handle) or bool(one == other))
    return hasattr(other, "shape") and _near(one, other)


def _near(one: Any, other: Any) -> bool:
    first, second = np.asarray(one), np.asarray(other)
    if first.shape != second.shape or isinstance(one, np.ndarray) != isinstance(other, np.ndarray):
        return False
    with np.errstate(invalid="ignore"):
        size = np.maximum(1, np.abs(second))
        near = np.abs(first - second) <= _TOLERANCE * np.where(np.isfinite(size), size, 1)
    return bool((near | (first == second) | (np.isnan(first) & np.isnan(second))).all())
