"""Submit jobs to workers, and retry those whose worker died."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait

from autograder.classroom.executors import OpenWorkers, Workers
from autograder.classroom.worker import Graded, Job, grade_one
from autograder.grading.settings import Settings

MAX_TRIES = 4  # of a job whose worker dies each time
IN_FLIGHT = 3  # jobs per worker: enough to keep it busy, few enough to fit in memory


def grade_all(
    jobs: Iterable[Job], settings: Settings, open_workers: OpenWorkers
) -> Generator[Graded, None, None]:
    """Yield the result of each job, in the order of completion.

    When a worker dies, the whole pool breaks: its unfinished jobs are retried in a new pool.
    """
    jobs, again, deaths = iter(jobs), deque[Job](), Counter[Job]()

    def take() -> Job | None:
        return again.popleft() if again else next(jobs, None)

    while (job := take()) is not None:
        again.appendleft(job)
        with open_workers() as workers:
            for job, graded in _until_one_dies(workers, take, settings):
                deaths[job] += graded is None
                if graded is None and deaths[job] < MAX_TRIES:
                    again.append(job)
                else:
                    yield graded or Graded(job, fault="The process that graded it was killed.")


def _until_one_dies(
    workers: Workers, take: Callable[[], Job | None], settings: Settings
) -> Iterator[tuple[Job, Graded | None]]:
    """Yield each job that `take` returns with its result; None if the pool broke.

    After that no further jobs are taken.
    """
    running: dict[Future[Graded], Job] = {}
    room = IN_FLIGHT * workers.number
    alive = True
    try:
        while True:
            while alive and len(running) < room and (job := take()) is not None:
                running[_submitted(workers, job, settings)] = job
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                job = running.pop(future)
                graded = _result(future, job)
                alive = alive and graded is not None
                yield job, graded
    finally:
        for future in running:  # of an interrupted run: start no more jobs
            future.cancel()


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
