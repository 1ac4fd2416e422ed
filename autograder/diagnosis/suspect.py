"""A known answer, right or wrong, that is asked what a student was asked."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from enum import IntEnum
from types import ModuleType
from typing import Any

import numpy as np

from autograder.diagnosis.agreement import alike, error_words, is_telling, same
from autograder.errors import CourseError
from autograder.sandbox import wire
from autograder.sandbox.host.in_process import InProcess
from autograder.testing.misconceptions import Candidate
from autograder.testing.student import Exchange

_MAX_ANSWERS = 500  # remembered of one suspect; students are mostly asked the same
_NUMPY_FRESH = 624  # where a Mersenne twister stands that was seeded and not used


@dataclass(frozen=True)
class Questions:
    """What one hidden test asked a student, in order, and what came back.

    `histories` name each question and all before it. A test asks nothing of what another made.
    """

    exchanges: tuple[Exchange, ...]
    histories: tuple[bytes, ...]
    repeat_of: tuple[int | None, ...]  # an earlier question that was the same but for its seed
    size: int  # bytes

    @classmethod
    def of(cls, exchanges: Sequence[Exchange]) -> Questions:
        """Take the questions of one test's exchanges."""
        history, histories, repeat_of, seen, size = b"", [], [], dict[bytes, int](), 0
        for place, exchange in enumerate(exchanges):
            frame = wire.pack({**exchange.request, "seed": 0})
            seed = str(exchange.request["seed"]).encode()
            history = hashlib.blake2s(history + seed + frame).digest()
            histories.append(history)
            repeat_of.append(seen.get(frame))
            seen[frame] = place
            size += len(frame)
        return cls(tuple(exchanges), tuple(histories), tuple(repeat_of), size)

    def is_inconsistent(self, place: int) -> bool | None:
        """Tell whether the student answered the same question in two ways; None if asked once."""
        repeated = self.repeat_of[place]
        if repeated is None:
            return None
        return not same(self.exchanges[place].reply, self.exchanges[repeated].reply)


class Match(IntEnum):
    """How a suspect's answers to a test's questions compare with a student's."""

    CONTRADICTS = 0
    AGREES = 1  # as a right answer does
    EXPLAINS = 2  # and a right answer does not
    PROVES = 3  # and by numbers that another mistake hardly gives as well


@dataclass
class Suspect:
    """A candidate that may have answered as the student did; it remembers what it said."""

    candidate: Candidate
    namespace: Mapping[str, Any]  # what its cell finds there: given code, other exercises
    _answers: dict[bytes, _Answer] = field(default_factory=dict)
    _session: _Session | None = None

    def match(self, asked: Questions, right: Suspect) -> Match:
        """Compare this with the student, and both with a right answer, on all questions."""
        found = Match.AGREES
        for place in range(len(asked.exchanges)):
            match = self._match_at(asked, place, right)
            if match is Match.CONTRADICTS:
                return match
            found = max(found, match)
        return found

    def _match_at(self, asked: Questions, place: int, right: Suspect) -> Match:
        exchange, is_inconsistent = asked.exchanges[place], asked.is_inconsistent(place)
        if exchange.failure is not None and not exchange.reply:
            return Match.CONTRADICTS  # no reply came: nothing to compare
        if self.agrees(asked, place):
            if right.agrees(asked, place):
                return Match.AGREES
            return Match.PROVES if is_telling(exchange.reply.get("value")) else Match.EXPLAINS
        if is_inconsistent is not False and self.differs_by_chance(asked, place):
            return (
                Match.EXPLAINS
                if is_inconsistent and not right.is_random(asked, place)
                else Match.AGREES
            )
        return Match.CONTRADICTS

    def free(self) -> None:
        """Let go of the modules that were made: they are large, and suspects are many."""
        self._session = None

    def agrees(self, asked: Questions, place: int) -> bool:
        """Tell whether this answers at `place` as the student did.

        What it raises itself is raised in words of its own, and the student has others.
        """
        theirs, ours = asked.exchanges[place].reply, self.reply(asked, place)
        error, own = error_words(theirs), error_words(ours)
        if error and own and own[1] in self.candidate.source:
            return error[0] == own[0]
        return same(theirs, ours)

    def reply(self, asked: Questions, place: int) -> Mapping[str, Any]:
        """Return what this answers to the question at `place`, after all those before it."""
        return self._answer(asked, place).reply

    def is_random(self, asked: Questions, place: int) -> bool:
        """Tell whether the answer at `place` has to do with chance."""
        return self._answer(asked, place).drew

    def differs_by_chance(self, asked: Questions, place: int) -> bool:
        """Tell whether only the numbers are not the student's, and those have to do with chance."""
        theirs, ours = asked.exchanges[place].reply, self.reply(asked, place)
        repeated = asked.repeat_of[place]
        steady = repeated is not None and same(ours, self.reply(asked, repeated))  # though it draws
        return self.is_random(asked, place) and not steady and alike(theirs, ours)

    def _answer(self, asked: Questions, place: int) -> _Answer:
        history = asked.histories[place]
        if history not in self._answers:
            if self._session is None or not self._session.can_reach(asked, place):
                # given arrays are copied: some mistakes write into them
                namespace = {name: _fresh(value) for name, value in self.namespace.items()}
                self._session = _Session(self._channel(namespace), asked)
            if len(self._answers) > _MAX_ANSWERS:
                self._answers.clear()
            self._answers |= self._session.advance(place)
        return self._answers[history]

    def _channel(self, namespace: dict[str, Any]) -> InProcess:
        try:
            return InProcess([self.candidate.source], namespace=namespace)
        except CourseError as error:
            tags = " and ".join(variant.tag for variant in self.candidate.variants)
            raise CourseError(f"{tags or 'REFERENCE'}: {error}") from None


@dataclass(frozen=True)
class _Answer:
    """What a suspect answered, and whether it drew random numbers for it."""

    reply: Mapping[str, Any]
    drew: bool


@dataclass
class _Session:
    """Questions put to a suspect one after the other, no further than is asked for."""

    channel: InProcess
    asked: Questions
    _next: int = 0

    def can_reach(self, asked: Questions, place: int) -> bool:
        return asked is self.asked and self._next <= place

    def advance(self, place: int) -> dict[bytes, _Answer]:
        """Ask all up to `place`; return the answers by history."""
        answers = {}
        for at in range(self._next, place + 1):
            request = self.asked.exchanges[at].request
            reply = self.channel.ask(request)
            answers[self.asked.histories[at]] = _Answer(reply, _has_drawn(request["seed"]))
        self._next = place + 1
        return answers


def _fresh(value: Any) -> Any:
    is_array = hasattr(value, "shape") and not isinstance(value, ModuleType)  # np.shape exists
    return deepcopy(value) if is_array else value


def _has_drawn(seed: int) -> bool:
    """Tell whether random numbers were drawn since the generators were set to `seed`."""
    if np.random.get_state(legacy=False)["state"]["pos"] != _NUMPY_FRESH:
        return True
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    state = torch.default_generator.get_state()
    torch.default_generator.manual_seed(seed)
    return not torch.equal(state, torch.default_generator.get_state())
