"""Submit jobs to workers; when a worker dies, find the job that it died of.

The death of a worker breaks its whole pool, and nobody knows which of the jobs in flight it was at.
All of them are tried again, one at a time: a job pays only for a worker that dies while no other
job is in flight.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass, field

from autograder.classroom.executors import OpenWorkers, Workers
from autograder.classroom.worker import Graded, Job, grade_one
from autograder.grading.settings import Settings

MAX_DEATHS = 2  # of workers that are at nothing but one job, before it is given up
IN_FLIGHT = 3  # jobs per worker: enough to keep it busy, few enough to fit in memory


def grade_all(
    jobs: Iterable[Job], settings: Settings, open_workers: OpenWorkers
) -> Generator[Graded, None, None]:
    """Yield the result of each job, in the order of completion; a pool that breaks is replaced."""
    waiting = _Waiting(iter(jobs))
    while waiting.has_jobs():
        with open_workers() as workers:
            yield from _until_one_dies(workers, waiting, settings)


@dataclass
class _Waiting:
    """The jobs that wait for a worker; suspects come first, one at a time."""

    jobs: Iterator[Job]
    _next: Job | None = None
    _suspects: deque[Job] = field(default_factory=deque)
    _deaths: Counter[Job] = field(default_factory=Counter)
    _is_suspect_running: bool = False

    def has_jobs(self) -> bool:
        """Tell whether any job waits."""
        if self._next is None:
            self._next = next(self.jobs, None)
        return bool(self._suspects) or self._next is not None

    def take(self, running: int, room: int) -> Job | None:
        """Return the next job if `running` others leave it room; None if not, or if none waits."""
        is_full = running > 0 if self._suspects or self._is_suspect_running else running >= room
        if is_full or not self.has_jobs():
            return None
        self._is_suspect_running = bool(self._suspects)
        if self._suspects:
            return self._suspects.popleft()
        job, self._next = self._next, None
        return job

    def suspect(self, jobs: list[Job]) -> Job | None:
        """Take back what was in flight when a worker died; return a job that is given up."""
        if len(jobs) == 1:
            self._deaths.update(jobs)
            if self._deaths[jobs[0]] >= MAX_DEATHS:
                return jobs[0]
        self._suspects.extend(jobs)
        return None


def _until_one_dies(workers: Workers, waiting: _Waiting, settings: Settings) -> Iterator[Graded]:
    """Yield results until no job waits, or until the pool breaks."""
    running: dict[Future[Graded], Job] = {}
    room, lost = IN_FLIGHT * workers.number, list[Job]()
    try:
        while True:
            while not lost and (job := waiting.take(len(running), room)) is not None:
                running[_submitted(workers, job, settings)] = job
            if not running:
                break
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                job = running.pop(future)
                if (graded := _result(future, job)) is None:
                    lost.append(job)
                else:
                    yield graded
    finally:
        for future in running:  # of an interrupted run: start no more jobs
            future.cancel()
    if lost and (given_up := waiting.suspect(lost)):
        yield Graded(given_up, fault="The process that graded it was killed.")


def _submitted(workers: Workers, job: Job, settings: Settings) -> Future[Graded]:
    try:
        return workers.executor.submit(grade_one, job, settings)
    except (BrokenExecutor, OSError, EOFError) as error:  # the pool has just broken
        failed: Future[Graded] = Future()
        failed.set_exception(BrokenExecutor(str(error)))
        return failed


def _result(future: Future[Graded], job: Job) -> Graded | None:
    error = future.exception()
    if isinstance(error, BrokenExecutor):
        return None
    if error is not None:
        return Graded(job, fault=f"{type(error).__name__}: {error}")
    return future.result()
