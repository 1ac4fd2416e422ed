"""The student's seconds: what a request costs, on a machine that may be busy with anything else.

A second of the processor counts as one, in whichever thread it is used. Time that passes otherwise
counts at a quarter, so that code that sleeps or waits ends as well, and a neighbour that slows a
student down fourfold costs nothing.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from autograder.sandbox.host.child import Child, ExitReason, NoReply

WAITING = 4  # seconds that pass for one that counts
LEAST_PATIENCE = 20.0  # seconds that may pass beyond those that are allowed, however few those are
_SHORTEST_LOOK = 0.005  # seconds between two looks at the clock


def patience(allowed: float) -> float:
    """Return the seconds that may pass while a student's code computes for `allowed` seconds."""
    return max(WAITING * allowed, allowed + LEAST_PATIENCE)


@dataclass
class Clock:
    """Counts the student's seconds during one request, of which `allowed` may be used.

    What passes while the grader answers a question doesn't count, but the grader doesn't work on
    answers for longer than `allowed` in all: nobody gains time by asking on and on.
    """

    child: Child
    allowed: float
    _started: float = field(default_factory=time.monotonic)
    _used_before: float = field(init=False)
    _answering: float = 0.0  # processor time that the grader took to answer
    _stopped: float = 0.0  # seconds that passed meanwhile

    def __post_init__(self) -> None:
        self._used_before = self.child.seconds

    @property
    def spent(self) -> float:
        return max(self._computed, self._passed / WAITING)

    def next_look(self) -> float:
        """Return the seconds until the next look at this clock; raise `NoReply` if time is up."""
        computing, waiting = self.allowed - self._computed, patience(self.allowed) - self._passed
        if computing <= 0:
            raise NoReply(ExitReason.EXHAUSTED, self.allowed)
        if waiting <= 0:
            raise NoReply(ExitReason.STALLED, self.allowed)
        fastest = computing / len(os.sched_getaffinity(0))  # with a thread on each core
        return max(_SHORTEST_LOOK, min(fastest, waiting))

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        since, worked = time.monotonic(), time.process_time()
        try:
            yield
        finally:
            self._answering += time.process_time() - worked
            self._stopped += time.monotonic() - since

    @property
    def _computed(self) -> float:
        beyond = max(0.0, self._answering - self.allowed)
        return self.child.seconds - self._used_before + beyond

    @property
    def _passed(self) -> float:
        return time.monotonic() - self._started - self._stopped
