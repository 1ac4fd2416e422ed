"""Give jobs to workers; when a process dies, find the job that it died of, and try that alone.

The death of a worker breaks its whole pool: all jobs in flight are tried again at the end, one at
a time, and a job pays only for a worker that dies while no other job is in flight.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass
from typing import Generic, TypeVar

from autograder.errors import ExaminerDied
from autograder.work.processes import KILLED, OpenWorkers, Workers

J = TypeVar("J", bound=Hashable)  # a job
R = TypeVar("R")  # its result

MAX_DEATHS = 2  # that a job pays for, before it is given up
_LOOK = 0.2  # seconds after which to look whether there are more jobs, or room for more


@dataclass(frozen=True)
class Failed:
    reason: str


def run_all(
    jobs: Iterable[J] | Waiting[J], work: Callable[[J], R], open_workers: OpenWorkers
) -> Generator[tuple[J, R | Failed], None, None]:
    """Yield each job with its result, in the order of completion; a broken pool is replaced."""
    waiting = jobs if isinstance(jobs, Waiting) else Waiting(jobs)
    while waiting.has_jobs():
        with open_workers() as workers:
            yield from _until_it_breaks(workers, waiting, work)


class Waiting(Generic[J]):
    """The jobs that wait, in their order; then the suspects, one at a time.

    Where jobs keep coming, another `next` tells which is first now, another `has_jobs` for how
    long, and suspects go first, since nobody knows when the others end.
    """

    suspects_first = False

    def __init__(self, jobs: Iterable[J] = ()) -> None:
        self._jobs = deque(jobs)
        self._suspects: deque[J] = deque()
        self._deaths: Counter[J] = Counter()
        self._alone: J | None = None  # the suspect that runs

    def next(self) -> J | None:
        """Return the job that is first now; None if there is none at the moment."""
        return self._jobs.popleft() if self._jobs else None

    def has_jobs(self) -> bool:
        """Tell whether some wait, or may come."""
        return bool(self._jobs or self._suspects)

    def take(self, running: int, room: int) -> J | None:
        """Return the next job if `running` others leave it room; None if not, or if none waits."""
        if running >= room or (running and self._alone):
            return None
        self._alone = None
        waits_for_suspects = self.suspects_first and self._suspects
        if not waits_for_suspects and (job := self.next()) is not None:
            return job
        if not running and self._suspects:
            self._alone = self._suspects.popleft()
        return self._alone

    def suspect(self, jobs: Sequence[J], *, guilty: bool = False) -> bool:
        """Take back the jobs of a death; tell if one is given up, which was `guilty`, or alone."""
        if guilty or list(jobs) == [self._alone]:
            self._deaths.update(jobs)
            if self._deaths[jobs[0]] >= MAX_DEATHS:
                return True
        self._suspects.extend(jobs)
        return False


def _until_it_breaks(
    workers: Workers, waiting: Waiting[J], work: Callable[[J], R]
) -> Iterator[tuple[J, R | Failed]]:
    running: dict[Future[R], J] = {}
    lost: list[J] = []
    try:
        while True:
            while not lost and (job := waiting.take(len(running), workers.room())) is not None:
                running[_submitted(workers, work, job)] = job
            if not running:
                if lost or not waiting.has_jobs():
                    break
                time.sleep(_LOOK)
                continue
            done, _ = wait(running, _LOOK, FIRST_COMPLETED)
            for future in done:
                yield from _result(workers, future, running.pop(future), waiting, lost)
    finally:
        for future in running:  # of an interrupted run: start no more jobs
            future.cancel()
    if lost and waiting.suspect(lost, guilty=len(lost) == 1):
        yield lost[0], Failed(KILLED)


def _submitted(workers: Workers, work: Callable[[J], R], job: J) -> Future[R]:
    try:
        return workers.submit(work, job)
    except (BrokenExecutor, OSError, EOFError) as error:  # the pool has just broken
        failed: Future[R] = Future()
        failed.set_exception(BrokenExecutor(str(error)))
        return failed


def _result(
    workers: Workers, future: Future[R], job: J, waiting: Waiting[J], lost: list[J]
) -> Iterator[tuple[J, R | Failed]]:
    """Yield the result of a job, if it has one that stands; note what was `lost` with a pool."""
    error = BrokenExecutor() if future.cancelled() else future.exception()  # the cluster is gone
    if error is None:
        yield job, future.result()
    elif isinstance(error, BrokenExecutor):
        lost.append(job)
    elif isinstance(error, ExaminerDied) or workers.lost(error):
        is_its_own = isinstance(error, ExaminerDied)
        if waiting.suspect([job], guilty=is_its_own):
            yield job, Failed(str(error) if is_its_own else KILLED)
    else:
        yield job, Failed(f"{type(error).__name__}: {error}")
