"""The jobs that wait for a worker: those that take longest first, suspects last.

If the longest came last, one worker would be at it while all others have nothing to do.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from autograder.grading.worker import Graded, Job

MAX_DEATHS = 2  # that a job pays for, before it is given up
_NEWEST = 20  # jobs on an assignment that tell how long one takes


@dataclass
class Waiting:
    """Jobs by assignment; suspects come when no other job waits or runs, one at a time."""

    _jobs: dict[str, deque[Job]]
    _seconds: dict[str, deque[float]] = field(default_factory=dict)  # of the newest, by assignment
    _suspects: deque[Job] = field(default_factory=deque)
    _deaths: Counter[Job] = field(default_factory=Counter)
    _alone: Job | None = None  # the suspect that runs

    @classmethod
    def of(cls, jobs: Iterable[Job]) -> Waiting:
        """Let `jobs` wait, those on one assignment in their order."""
        found: dict[str, deque[Job]] = {}
        for job in jobs:
            found.setdefault(job.assignment, deque()).append(job)
        return cls(found)

    def has_jobs(self) -> bool:
        """Tell whether any job waits."""
        return any(self._jobs.values()) or bool(self._suspects)

    def take(self, running: int, room: int) -> Job | None:
        """Return the next job if `running` others leave it room; None if not, or if none waits."""
        if running >= room or (running and self._alone):
            return None
        self._alone = None
        if any(self._jobs.values()):
            return self._jobs[max(filter(self._jobs.get, self._jobs), key=self._mean)].popleft()
        if not running and self._suspects:
            self._alone = self._suspects.popleft()
        return self._alone

    def done(self, graded: Graded) -> None:
        """Note how long a job took."""
        newest = self._seconds.setdefault(graded.job.assignment, deque(maxlen=_NEWEST))
        newest.append(graded.seconds)

    def suspect(self, jobs: Sequence[Job], *, guilty: bool = False) -> bool:
        """Take back the jobs that a death may be due to; tell if one is given up instead.

        It pays for the death if it is `guilty`, or if it ran as a suspect, alone.
        """
        if guilty or list(jobs) == [self._alone]:
            self._deaths.update(jobs)
            if self._deaths[jobs[0]] >= MAX_DEATHS:
                return True
        self._suspects.extend(jobs)
        return False

    def _mean(self, assignment: str) -> float:
        """Return how long a job takes; one on an assignment of which none is done may take long."""
        newest = self._seconds.get(assignment)
        return fmean(newest) if newest else math.inf
