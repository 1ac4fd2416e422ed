"""Submit jobs to workers; when a process dies, find the job that it died of, and try that alone.

An examiner's death is that of one job. The death of a worker breaks its whole pool, and nobody
knows which of the jobs in flight it was at: all of them are tried again at the end, one at a time,
and a job pays only for a worker that dies while no other job is in flight. A cluster goes on with
the workers that are left; a job that lost several of them is tried again at the end, too.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait

from autograder.errors import ExaminerDied
from autograder.grading.settings import Settings
from autograder.grading.worker import Graded, Job, grade_one
from autograder.work.processes import KILLED, OpenWorkers, Workers
from autograder.work.waiting import Waiting

_LOOK = 1.0  # seconds after which to look whether there is room for more jobs


def grade_all(
    jobs: Iterable[Job], settings: Settings, open_workers: OpenWorkers
) -> Generator[Graded, None, None]:
    """Yield the result of each job, in the order of completion; a pool that breaks is replaced."""
    waiting = Waiting.of(jobs)
    while waiting.has_jobs():
        with open_workers() as workers:
            yield from _until_it_breaks(workers, waiting, settings)


def _until_it_breaks(workers: Workers, waiting: Waiting, settings: Settings) -> Iterator[Graded]:
    """Yield results until no job waits, or until the pool breaks."""
    running: dict[Future[Graded], Job] = {}
    lost: list[Job] = []
    try:
        while True:
            while not lost and (job := waiting.take(len(running), workers.room())) is not None:
                running[_submitted(workers, job, settings)] = job
            if not running:
                break
            done, _ = wait(running, _LOOK, FIRST_COMPLETED)
            for future in done:
                yield from _result(workers, future, running.pop(future), waiting, lost)
    finally:
        for future in running:  # of an interrupted run: start no more jobs
            future.cancel()
    if lost and waiting.suspect(lost, guilty=len(lost) == 1):
        yield Graded(lost[0], fault=KILLED)


def _result(
    workers: Workers, future: Future[Graded], job: Job, waiting: Waiting, lost: list[Job]
) -> Iterator[Graded]:
    """Yield the result of a job, if it has one that stands; note what was `lost` with a pool."""
    error = BrokenExecutor() if future.cancelled() else future.exception()  # the cluster is gone
    if error is None:
        graded = future.result()
        waiting.done(graded)
        yield graded
    elif isinstance(error, BrokenExecutor):
        lost.append(job)
    elif isinstance(error, ExaminerDied):
        if waiting.suspect([job], guilty=True):
            yield Graded(job, fault=str(error))
    elif workers.lost(error):
        if waiting.suspect([job]):
            yield Graded(job, fault=KILLED)
    else:
        yield Graded(job, fault=f"{type(error).__name__}: {error}")


def _submitted(workers: Workers, job: Job, settings: Settings) -> Future[Graded]:
    try:
        return workers.executor.submit(grade_one, job, settings)
    except (BrokenExecutor, OSError, EOFError) as error:  # the pool has just broken
        failed: Future[Graded] = Future()
        failed.set_exception(BrokenExecutor(str(error)))
        return failed
