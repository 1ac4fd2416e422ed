"""A known answer, right or wrong, against which a student's calls are replayed as far as needed."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager, nullcontext
from copy import deepcopy
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache, partial
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import numpy as np

from autograder.diagnosis.agreement import (
    error_words,
    is_distinctive,
    same,
    same_types,
    structure_of,
)
from autograder.diagnosis.calls import Calls
from autograder.diagnosis.memory import KnownReply, Memory
from autograder.errors import CourseError
from autograder.sandbox.host.callbacks import call_back_here, models_in
from autograder.sandbox.host.in_process import plain_runner
from autograder.testing.misconceptions import Candidate

MAX_SECONDS = 10  # for one call: a known mistake may loop where nobody expects it
_Replayed = tuple[bytes, bool]  # the frame of a reply, and whether random numbers were drawn


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
    folder: Path | None = None  # of the files that students are given, if there are any
    _replay: Iterator[_Replayed] | None = None
    _replayed: Calls | None = None  # those that are being replayed
    _next: int = 0  # the place of the call that is replayed next

    @property
    def tags(self) -> tuple[str, ...]:
        """Those of its mistakes and styles."""
        return tuple(variant.tag for variant in self.candidate.variants)

    def match(self, calls: Calls, right: Suspect) -> Match:
        """Compare this suspect with the student, and both with the reference, on all calls."""
        found = Match.AGREES
        for place in calls.places:
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
            if not right.agrees(calls, place):
                is_proof = is_distinctive(exchange.reply.get("value"))
                return Match.PROVES if is_proof else Match.EXPLAINS
            # all three agree in numbers, though not perhaps in their dtypes
            ours, rights = self.reply(calls, place), right.reply(calls, place)
            if ours is rights or same_types(ours.message, rights.message):
                return Match.AGREES
            is_ours = same_types(exchange.reply, ours.message)
            return Match.EXPLAINS if is_ours else Match.CONTRADICTS
        is_inconsistent, is_drawn = calls.inconsistent[place], right.reply(calls, place).used_random
        # a second mistake has more to explain than that numbers are drawn as a right answer does
        is_second = len(self.tags) > 1 and is_drawn and right.agrees(calls, place)
        if is_inconsistent is False or is_second or not self._differs_by_chance(calls, place):
            return Match.CONTRADICTS
        return Match.EXPLAINS if is_inconsistent and not is_drawn else Match.AGREES

    def free(self) -> None:
        """Free the modules that the replay holds: they are large, and there are many suspects."""
        self._replay = self._replayed = None

    def agrees(self, calls: Calls, place: int) -> bool:
        """Tell whether the reply to the call at `place` agrees with the student's."""
        theirs, known = calls.exchanges[place].reply, self.reply(calls, place)
        return self.in_words_of(theirs, known.message) is theirs or calls.agrees(place, known)

    def repeats(self, calls: Calls) -> bool:
        """Tell whether all replies are the student's, random numbers and types included."""
        return all(self.repeats_at(calls, place) for place in calls.places)

    def repeats_at(self, calls: Calls, place: int) -> bool:
        """Tell whether the reply to the call at `place` is the student's, down to these."""
        theirs = calls.exchanges[place].reply
        return self.agrees(calls, place) and same_types(theirs, self.reply(calls, place).message)

    def in_words_of(self, theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return our reply, or theirs where both are errors that differ in our own words alone.

        What the candidate's own source raises has its own text: only the type is compared.
        """
        their_error, our_error = error_words(theirs), error_words(ours)
        if not (their_error and our_error and our_error[1] in self.candidate.source):
            return ours
        return theirs if their_error[0] == our_error[0] else ours

    def reply(self, calls: Calls, place: int) -> KnownReply:
        """Return the reply to the call at `place`, made after all calls before it."""
        known = self.memory.of(self.name, calls.histories[place])
        if known is not None:
            return known
        if self._replay is None or self._replayed is not calls or self._next > place:
            self._replay = replay(calls, self.candidate, self.namespace, self.folder)
            self._replayed, self._next = calls, 0
        while self._next <= place:
            history = calls.histories[self._next]
            self._next += 1
            known = self.memory.add(self.name, history, *next(self._replay))
        assert known is not None
        return known

    def _differs_by_chance(self, calls: Calls, place: int) -> bool:
        """Tell whether the reply differs from the student's only in numbers that are random."""
        if any(variant.same_draws for variant in self.candidate.variants):
            return False
        ours, repeated = self.reply(calls, place), calls.repeat_of[place]
        if not ours.used_random:
            return False
        # random numbers may be drawn without an effect on the result
        is_steady = repeated is not None and same(ours.message, self.reply(calls, repeated).message)
        theirs = calls.exchanges[place].reply
        return not is_steady and structure_of(theirs) == structure_of(ours.message)


def replay(
    calls: Calls, candidate: Candidate, namespace: Mapping[str, Any], folder: Path | None
) -> Iterator[_Replayed]:
    """Yield what a candidate, in a copy of `namespace`, replies to one call after the other.

    Raises `CourseError` if its source raises.
    """
    fresh = {  # arrays from setup cells are copied, because some mistakes write into them
        name: deepcopy(each)
        if hasattr(each, "shape") and not isinstance(each, ModuleType)
        else each
        for name, each in namespace.items()
    }
    runner = plain_runner(fresh)
    reply = runner.answer({"op": "run", "source": candidate.source}).message()
    if "error" in reply:
        tags = " and ".join(variant.tag for variant in candidate.variants) or "REFERENCE"
        raised = f"raised {reply['error']['type']} ({reply['error']['message']})"
        raise CourseError(f"{tags}: The course's own code fails: it {raised}; correct it.")
    for place, exchange in enumerate(calls.exchanges):
        runner.call_back = partial(call_back_here, list(models_in(exchange.request)))
        # the error that `within` raises becomes the reply
        with within(MAX_SECONDS), chdir(folder) if folder else nullcontext():
            frame = runner.answer(calls.request(place)).whole()
        yield frame, _has_drawn(exchange.request["seed"])


def _has_drawn(seed: int) -> bool:
    """Tell whether random numbers were drawn since the generators were seeded with `seed`.

    NumPy's is asked for another one, since it gives its state only slowly.
    """
    if np.random.random_sample() != _first_number(seed):
        return True
    if (torch := sys.modules.get("torch")) is None:
        return False
    return not torch.equal(torch.default_generator.get_state(), _state_after(seed))


@lru_cache(maxsize=256)  # every suspect is asked with the same seeds
def _first_number(seed: int) -> float:
    return np.random.RandomState(seed % 2**32).random_sample()


@lru_cache(maxsize=256)
def _state_after(seed: int) -> Any:
    import torch

    return torch.Generator().manual_seed(seed).get_state()


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise a TimeoutError in what computes longer, however busy the machine is.

    Only the main thread can do so, and a timer that somebody else has set is left alone: elsewhere
    there is no limit.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or any(signal.getitimer(signal.ITIMER_PROF)):
        yield
        return

    def stop(signum: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"computes for more than {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
