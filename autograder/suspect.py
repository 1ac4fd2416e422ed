"""A known answer, right or wrong, that is asked what a student was asked."""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from autograder.agreement import complaint, same
from autograder.misconceptions import Candidate
from autograder.sandbox import wire
from autograder.student import Exchange, InProcess

_MAX_ANSWERS = 500  # remembered of one suspect; students are mostly asked the same
_NUMPY_FRESH = 624  # where a Mersenne twister stands that was seeded and not used


@dataclass(frozen=True)
class Questions:
    """What a student was asked, in order; `histories` name each question and all before it."""

    exchanges: tuple[Exchange, ...]
    histories: tuple[bytes, ...]
    twins: tuple[int | None, ...]  # an earlier question that was the same but for its seed

    @classmethod
    def of(cls, exchanges: Iterable[Exchange]) -> Questions:
        """Take the questions of a student's exchanges, those of the smallest test first.

        A test asks nothing of what another made, so their order is free; and most suspects are
        ruled out by their first answers.
        """
        asked = [(wire.pack({**each.request, "seed": 0}), each) for each in exchanges]
        sizes = Counter[str]()
        for frame, exchange in asked:
            sizes[_test_of(exchange)] += len(frame)
        asked.sort(key=lambda each: (sizes[_test_of(each[1])], _test_of(each[1])))
        histories, twins, seen = [b""], [], dict[bytes, int]()
        for place, (frame, exchange) in enumerate(asked):
            seed = str(exchange.request["seed"]).encode()
            histories.append(hashlib.blake2s(histories[-1] + seed + frame).digest())
            twins.append(seen.get(frame))
            seen[frame] = place
        return cls(tuple(each for _, each in asked), tuple(histories[1:]), tuple(twins))

    def wavers(self, place: int) -> bool | None:
        """Tell whether the student answered the same question in two ways; None if asked once."""
        twin = self.twins[place]
        if twin is None:
            return None
        return not same(self.exchanges[place].reply, self.exchanges[twin].reply)


def _test_of(exchange: Exchange) -> str:
    """Return what the questions of one test have in common: where their objects' keys begin."""
    request = exchange.request
    key = request["target"].key if "target" in request else request["key"]
    return str(key).split(":")[0]


@dataclass
class Suspect:
    """A candidate that may have answered as the student did; it remembers what it said."""

    candidate: Candidate
    namespace: Mapping[str, Any]  # what its cell finds there: given code, other exercises
    _answers: dict[bytes, _Answer] = field(default_factory=dict)
    _session: _Session | None = None

    def explains(self, asked: Questions, right: Suspect) -> bool:
        """Tell whether this answers as the student did, and a right answer does not."""
        try:
            return self._explains(asked, right)
        finally:
            self._session = None  # modules are large, and there are hundreds of suspects

    def _explains(self, asked: Questions, right: Suspect) -> bool:
        evidence = False
        for place, exchange in enumerate(asked.exchanges):
            if exchange.failure is not None and not exchange.reply:
                return False  # no reply came: nothing to compare
            if self.agrees(asked, place):
                evidence |= not right.agrees(asked, place)
            elif asked.wavers(place) is not False and self.is_random(asked, place):
                evidence |= bool(asked.wavers(place)) and not right.is_random(asked, place)
            else:
                return False
        return evidence

    def agrees(self, asked: Questions, place: int) -> bool:
        """Tell whether this answers at `place` as the student did.

        What it raises itself is raised in words of its own, and the student has others.
        """
        theirs, ours = asked.exchanges[place].reply, self.reply(asked, place)
        complaint_, own = complaint(theirs), complaint(ours)
        if complaint_ and own and own[1] in self.candidate.source:
            return complaint_[0] == own[0]
        return same(theirs, ours)

    def reply(self, asked: Questions, place: int) -> Mapping[str, Any]:
        """Return what this answers to the question at `place`, after all those before it."""
        return self._answer(asked, place).reply

    def is_random(self, asked: Questions, place: int) -> bool:
        """Tell whether the answer at `place` has to do with chance."""
        return self._answer(asked, place).drew

    def _answer(self, asked: Questions, place: int) -> _Answer:
        history = asked.histories[place]
        if history not in self._answers:
            if self._session is None or not self._session.can_reach(asked, place):
                # given arrays are copied: some mistakes write into them
                namespace = {name: _fresh(value) for name, value in self.namespace.items()}
                channel = InProcess([self.candidate.source], namespace=namespace)
                self._session = _Session(channel, asked)
            if len(self._answers) > _MAX_ANSWERS:
                self._answers.clear()
            self._answers |= self._session.advance(place)
        return self._answers[history]


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
