"""What hidden tests ask of a right answer, kept to ask others without computing it again.

An answer that gives, byte for byte, the replies that the course's own solution gave gets the
verdict that the solution got. As soon as a reply differs, the test itself takes over.
"""

import random
import sys
from collections import deque
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.diagnosis.case import Finding
from autograder.errors import GraderFault
from autograder.sandbox.host.callbacks import models_in
from autograder.sandbox.host.replies import Packed, frame_of
from autograder.testing.failures import StudentFailure
from autograder.testing.student import Channel

MAX_BYTES = 64 << 20  # of all that is kept of one assignment


@dataclass
class Transcripts:
    """What hidden tests asked of a right answer, by whatever tells two runs of a test apart."""

    _kept: dict[object, tuple[list[Packed], Finding]] = field(default_factory=dict)
    _size: int = 0

    def repeat(self, key: object, channel: Channel) -> Finding | Channel:
        """Ask the same; return the finding, or a channel for the test itself to go on with."""
        if key not in self._kept:
            return channel
        requests, finding = self._kept[key]
        told: deque[tuple[Packed, dict[str, Any] | StudentFailure]] = deque()
        for request in requests:
            try:
                told.append((request, channel.ask(request)))
            except StudentFailure as failure:
                told.append((request, failure))
            if told[-1][1] is not request.reply:
                return Heard(channel, told)
        return finding

    def keep(self, key: object, channel: Channel, run: Callable[[Channel], Finding]) -> None:
        """Keep what `run` asks of `channel`, if it passes and asks the same when run again."""
        first, again = _Recording(channel), _Recording(channel)
        finding = run(first)
        size = sum(request.size for request in first.requests)
        if not (first.is_plain and finding.passed and self._size + size <= MAX_BYTES):
            return
        run(again)
        frames, others = ([each.frame for each in one.requests] for one in (first, again))
        if frames == others:
            self._kept[key] = first.requests, finding
            self._size += size


@dataclass
class Relay:
    """What all channels share that pass on what they are asked."""

    channel: Channel

    @property
    def spent(self) -> float:
        return self.channel.spent


@dataclass
class _Recording(Relay):
    requests: list[Packed] = field(default_factory=list)
    is_plain: bool = True  # no model was lent: what it is asked is no part of a reply

    def ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        reply = self.channel.ask(request, seconds)
        # A right answer that runs in this process has just seeded the global generators, which no
        # sandboxed one does: a test that draws from them would seem to ask the same each time.
        random.seed()
        np.random.seed()
        if (torch := sys.modules.get("torch")) is not None:
            torch.default_generator.seed()
        self.requests.append(Packed(request, reply))
        self.is_plain = self.is_plain and not any(models_in(request))
        return deepcopy(reply)  # the test may write into it


@dataclass
class Heard(Relay):
    """A channel whose first requests have been asked before."""

    told: deque[tuple[Packed, dict[str, Any] | StudentFailure]]

    @property
    def breaks_off(self) -> bool:
        """Whether the last reply is an exception where a right answer gave none."""
        request, reply = self.told[-1]
        return isinstance(reply, StudentFailure) or "error" in reply.keys() - request.reply.keys()

    def ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        if not self.told:
            return self.channel.ask(request, seconds)
        before, reply = self.told.popleft()
        if frame_of(request) != before.frame:
            raise GraderFault("A hidden test asks something else each time: draw from `rng` alone.")
        if isinstance(reply, StudentFailure):
            raise reply
        return deepcopy(reply)  # the test may write into it
