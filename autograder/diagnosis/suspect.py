"""A known answer, right or wrong, against which a student's calls are replayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from autograder.diagnosis.agreement import (
    error_words,
    is_distinctive,
    same,
    same_structure,
    same_types,
)
from autograder.diagnosis.calls import Calls
from autograder.diagnosis.memory import Answer, Memory
from autograder.diagnosis.replay import Replay
from autograder.errors import CourseError
from autograder.testing.misconceptions import Candidate


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
    _replay: Replay | None = None

    def match(self, calls: Calls, right: Suspect) -> Match:
        """Compare this suspect with the student, and both with the reference, on all calls."""
        found = Match.AGREES
        for place in range(len(calls.exchanges)):
            match = self._match_at(calls, place, right)
            if match is Match.CONTRADICTS:
                return match
            found = max(found, match)
        return found

    def is_known_to_contradict(self, calls: Calls, right: Suspect) -> bool:
        """Tell whether what is remembered of this suspect contradicts the student already."""
        for place, history in enumerate(calls.histories):
            if self.memory.of(self.name, history) is None:
                return False
            if self._match_at(calls, place, right) is Match.CONTRADICTS:
                return True
        return False

    def _match_at(self, calls: Calls, place: int, right: Suspect) -> Match:
        exchange = calls.exchanges[place]
        if exchange.failure is not None and not exchange.reply:
            return Match.CONTRADICTS  # without a reply there is nothing to compare
        if self.agrees(calls, place):
            if right.agrees(calls, place):
                return self._match_of_types(calls, place, right)
            return Match.PROVES if is_distinctive(exchange.reply.get("value")) else Match.EXPLAINS
        is_inconsistent = calls.is_inconsistent(place)
        if is_inconsistent is not False and self.differs_by_chance(calls, place):
            return (
                Match.EXPLAINS
                if is_inconsistent and not right.is_random(calls, place)
                else Match.AGREES
            )
        return Match.CONTRADICTS

    def _match_of_types(self, calls: Calls, place: int, right: Suspect) -> Match:
        """Compare dtypes where all three agree in numbers, though not perhaps in those."""
        ours, rights = self._answer(calls, place), right._answer(calls, place)
        if ours is rights or same_types(ours.reply, rights.reply):
            return Match.AGREES
        is_ours = same_types(calls.exchanges[place].reply, ours.reply)
        return Match.EXPLAINS if is_ours else Match.CONTRADICTS

    def free(self) -> None:
        """Free the modules that the replay holds: they are large, and there are many suspects."""
        self._replay = None

    def agrees(self, calls: Calls, place: int) -> bool:
        """Tell whether the reply to the call at `place` agrees with the student's.

        An error that the candidate's own source raises has its own text: compare only the type.
        """
        theirs, answer = calls.exchanges[place].reply, self._answer(calls, place)
        if "error" in theirs and "error" in answer.reply:
            their_error, our_error = error_words(theirs), error_words(answer.reply)
            if their_error and our_error and our_error[1] in self.candidate.source:
                return their_error[0] == our_error[0]
        return calls.agrees(place, answer)

    def reply(self, calls: Calls, place: int) -> Mapping[str, Any]:
        """Return the reply to the call at `place`, made after all calls before it."""
        return self._answer(calls, place).reply

    def is_random(self, calls: Calls, place: int) -> bool:
        """Tell whether the reply at `place` used random numbers."""
        return self._answer(calls, place).used_random

    def differs_by_chance(self, calls: Calls, place: int) -> bool:
        """Tell whether the reply differs from the student's only in numbers that are random."""
        if not self.is_random(calls, place):
            return False
        theirs, ours = calls.exchanges[place].reply, self.reply(calls, place)
        repeated = calls.repeat_of[place]
        # random numbers may be drawn without an effect on the result
        is_steady = repeated is not None and same(ours, self.reply(calls, repeated))
        return not is_steady and same_structure(theirs, ours)

    def _answer(self, calls: Calls, place: int) -> Answer:
        known = self.memory.of(self.name, calls.histories[place])
        if known is not None:
            return known
        if self._replay is None or not self._replay.can_reach(calls, place):
            self._replay = self._new_replay(calls)
        for replied in self._replay.advance(place):
            known = self.memory.add(self.name, *replied)
        assert known is not None
        return known

    def _new_replay(self, calls: Calls) -> Replay:
        try:
            return Replay.of(calls, self.candidate.source, self.namespace)
        except CourseError as error:
            tags = " and ".join(variant.tag for variant in self.candidate.variants)
            raise CourseError(f"{tags or 'REFERENCE'}: {error}") from None
