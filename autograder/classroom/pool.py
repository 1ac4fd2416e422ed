"""Submit jobs to workers; when a process dies, find the job that it died of, and try that alone.

An examiner's death is that of one job. The death of a worker breaks its whole pool, and nobody
knows which of the jobs in flight it was at: all of them are tried again at the end, one at a time,
and a job pays only for a worker that dies while no other job is in flight.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass, field

from autograder.classroom.executors import OpenWorkers, Workers
from autograder.classroom.worker import Graded, Job, grade_one
from autograder.errors import ExaminerDied
from autograder.grading.settings import Settings

MAX_DEATHS = 2  # that a job pays for, before it is given up
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
    """The jobs that wait for a worker; suspects come last, one at a time."""

    jobs: Iterator[Job]
    _next: Job | None = None
    _suspects: deque[Job] = field(default_factory=deque)
    _deaths: Counter[Job] = field(default_factory=Counter)

    def has_jobs(self) -> bool:
        """Tell whether any job waits."""
        if self._next is None:
            self._next = next(self.jobs, None)
        return bool(self._suspects) or self._next is not None

    def take(self, running: int, room: int) -> Job | None:
        """Return the next job if `running` others leave it room; None if not, or if none waits."""
        if running >= room or not self.has_jobs():
            return None
        if self._next is not None:
            job, self._next = self._next, None
            return job
        return None if running else self._suspects.popleft()

    def suspect(self, jobs: list[Job]) -> bool:
        """Take back the jobs that a death may be due to; tell if one is given up instead."""
        if len(jobs) == 1:
            self._deaths.update(jobs)
            if self._deaths[jobs[0]] >= MAX_DEATHS:
                return True
        self._suspects.extend(jobs)
        return False


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
                match future.exception():
                    case BrokenExecutor():
                        lost.append(job)
                    case ExaminerDied() as death:
                        if waiting.suspect([job]):
                            yield Graded(job, fault=str(death))
                    case error:
                        yield _result(future, job, error)
    finally:
        for future in running:  # of an interrupted run: start no more jobs
            future.cancel()
    if lost and waiting.suspect(lost):
        yield Graded(lost[0], fault="The process that graded it was killed.")


def _submitted(workers: Workers, job: Job, settings: Settings) -> Future[Graded]:
    try:
        return workers.executor.submit(grade_one, job, settings)
    except (BrokenExecutor, OSError, EOFError) as error:  # the pool has just broken
        failed: Future[Graded] = Future()
        failed.set_exception(BrokenExecutor(str(error)))
        return failed


def _result(future: Future[Graded], job: Job, error: BaseException | None) -> Graded:
    if error is not None:
        return Graded(job, fault=f"{type(error).__name__}: {error}")
    return future.result()
