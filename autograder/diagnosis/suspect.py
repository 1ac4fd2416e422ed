"""A known answer, right or wrong, against which a student's calls are replayed."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from enum import IntEnum
from types import ModuleType
from typing import Any

import numpy as np

from autograder.diagnosis.agreement import (
    error_words,
    is_distinctive,
    same,
    same_structure,
    same_types,
)
from autograder.diagnosis.calls import Calls
from autograder.diagnosis.deadline import within
from autograder.diagnosis.memory import Answer, Memory
from autograder.errors import CourseError
from autograder.sandbox.host.in_process import InProcess
from autograder.testing.misconceptions import Candidate

MAX_SECONDS = 10  # for one call: a known mistake may loop where nobody expects it
_NUMPY_FRESH = 624  # the position of a Mersenne twister that was seeded and not used yet


class Match(IntEnum):
    """How a suspect's replies to a test's calls compare with a student's."""

    CONTRADICTS = 0  # they differ
    AGREES = 1  # they are the same, and so are the reference's
    EXPLAINS = 2  # they are the same, and the reference's differ
    PROVES = 3  # likewise, with numbers that another mistake is unlikely to give


@dataclass
class Suspect:
    """A candidate that may behave as the student's answer does; its replies are remembered."""

    candidate: Candidate
    namespace: Mapping[str, Any]  # that its cell runs in: setup cells and references
    name: str = ""  # which no other suspect has in `memory`
    memory: Memory = field(default_factory=Memory)
    _replay: _Replay | None = None

    def match(self, calls: Calls, right: Suspect) -> Match:
        """Compare this suspect with the student, and both with the reference, on all calls."""
        found = Match.AGREES
        for place in range(len(calls.exchanges)):
            match = self._match_at(calls, place, right)
            if match is Match.CONTRADICTS:
                return match
            found = max(found, match)
        return found

    def _match_at(self, calls: Calls, place: int, right: Suspect) -> Match:
        exchange, is_inconsistent = calls.exchanges[place], calls.is_inconsistent(place)
        if exchange.failure is not None and not exchange.reply:
            return Match.CONTRADICTS  # without a reply there is nothing to compare
        if self.agrees(calls, place):
            if right.agrees(calls, place):
                return self._match_of_types(calls, place, right)
            return Match.PROVES if is_distinctive(exchange.reply.get("value")) else Match.EXPLAINS
        if is_inconsistent is not False and self.differs_by_chance(calls, place):
            return (
                Match.EXPLAINS
                if is_inconsistent and not right.is_random(calls, place)
                else Match.AGREES
            )
        return Match.CONTRADICTS

    def _match_of_types(self, calls: Calls, place: int, right: Suspect) -> Match:
        """Compare dtypes where all three agree in numbers, though not perhaps in those."""
        theirs = calls.exchanges[place].reply
        if same_types(self.reply(calls, place), right.reply(calls, place)):
            return Match.AGREES
        is_ours = same_types(theirs, self.reply(calls, place))
        return Match.EXPLAINS if is_ours else Match.CONTRADICTS

    def free(self) -> None:
        """Free the modules that the replay holds: they are large, and there are many suspects."""
        self._replay = None

    def agrees(self, calls: Calls, place: int) -> bool:
        """Tell whether the reply to the call at `place` agrees with the student's.

        An error that the candidate's own source raises has its own text: compare only the type.
        """
        theirs, ours = calls.exchanges[place].reply, self.reply(calls, place)
        their_error, our_error = error_words(theirs), error_words(ours)
        if their_error and our_error and our_error[1] in self.candidate.source:
            return their_error[0] == our_error[0]
        return same(theirs, ours)

    def reply(self, calls: Calls, place: int) -> Mapping[str, Any]:
        """Return the reply to the call at `place`, made after all calls before it."""
        return self._answer(calls, place).reply

    def is_random(self, calls: Calls, place: int) -> bool:
        """Tell whether the reply at `place` used random numbers."""
        return self._answer(calls, place).used_random

    def differs_by_chance(self, calls: Calls, place: int) -> bool:
        """Tell whether the reply differs from the student's only in numbers that are random."""
        theirs, ours = calls.exchanges[place].reply, self.reply(calls, place)
        repeated = calls.repeat_of[place]
        # random numbers may be drawn without an effect on the result
        is_steady = repeated is not None and same(ours, self.reply(calls, repeated))
        return self.is_random(calls, place) and not is_steady and same_structure(theirs, ours)

    def _answer(self, calls: Calls, place: int) -> Answer:
        history = calls.histories[place]
        if known := self.memory.of(self.name, history):
            return known
        if self._replay is None or not self._replay.can_reach(calls, place):
            # arrays from setup cells are copied, because some mistakes write into them
            namespace = {name: _fresh(value) for name, value in self.namespace.items()}
            self._replay = _Replay(self._channel(namespace), calls)
        answers = self._replay.advance(place)
        for each, answer in answers.items():
            self.memory.add(self.name, each, answer)
        return answers[history]

    def _channel(self, namespace: dict[str, Any]) -> InProcess:
        try:
            return InProcess([self.candidate.source], namespace=namespace)
        except CourseError as error:
            tags = " and ".join(variant.tag for variant in self.candidate.variants)
            raise CourseError(f"{tags or 'REFERENCE'}: {error}") from None


@dataclass
class _Replay:
    """A replay of calls against a suspect, only as far as it is needed."""

    channel: InProcess
    calls: Calls
    _next: int = 0

    def can_reach(self, calls: Calls, place: int) -> bool:
        return calls is self.calls and self._next <= place

    def advance(self, place: int) -> dict[bytes, Answer]:
        """Replay the calls up to `place`; return the replies by history."""
        answers = {}
        for at in range(self._next, place + 1):
            request = self.calls.exchanges[at].request
            with within(MAX_SECONDS):  # the error that this raises becomes the reply
                reply = self.channel.ask(request)
            answers[self.calls.histories[at]] = Answer(reply, _has_drawn(request["seed"]))
        self._next = place + 1
        return answers


def _fresh(value: Any) -> Any:
    # a module may have an attribute `shape` too, as numpy does
    is_array = hasattr(value, "shape") and not isinstance(value, ModuleType)
    return deepcopy(value) if is_array else value


def _has_drawn(seed: int) -> bool:
    """Tell whether random numbers were drawn since the generators were seeded with `seed`."""
    if np.random.get_state(legacy=False)["state"]["pos"] != _NUMPY_FRESH:
        return True
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    state = torch.default_generator.get_state()
    torch.default_generator.manual_seed(seed)
    return not torch.equal(state, torch.default_generator.get_state())
