"""Grade many submissions side by side, each worker with its own warm processes."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing.forkserver import _forkserver
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.util import Finalize
from pathlib import Path

from autograder import exercises
from autograder.errors import GraderFault, SubmissionError
from autograder.grade import Grader, Settings
from autograder.report import Report
from autograder.sandbox import kernel
from autograder.sandbox.isolation import Isolation, strongest, works

_MOST_TRIES = 4  # of a job whose pool dies each time
_IN_FLIGHT = 32  # jobs handed out at once: enough that no worker waits, too few to fill the memory
_ALONE = threading.Lock()

OpenExecutor = Callable[[], Executor]


@dataclass(frozen=True)
class Job:
    """One submission to grade."""

    student: str
    assignment: str
    path: Path

    def read(self) -> bytes:
        """Return what was handed in; raise `SubmissionError` if there is nothing."""
        try:
            return self.path.read_bytes()
        except OSError as error:
            others = ", ".join(sorted(other.name for other in self.path.parent.glob("*.ipynb")))
            hint = f"rename {others}" if others else error.strerror
            name = self.path.name
            raise SubmissionError(f"There is no file {name} to read: {hint}.") from None


@dataclass(frozen=True)
class Graded:
    """What became of a job: a report, or the reason why there is none."""

    job: Job
    report: Report | None = None
    rejection: str = ""  # the file is no submission: its author has to hand in another
    fault: str = ""  # we failed: the next run tries again

    def in_brief(self) -> Graded:
        """Return this without what a table of the class does not show: classes are large."""
        if self.report is None:
            return self
        exercises = tuple(each.model_copy(update={"tests": ()}) for each in self.report.exercises)
        return replace(
            self, report=self.report.model_copy(update={"exercises": exercises, "cells": ()})
        )


def local_executor(workers: int, assignments: Iterable[str] = ()) -> Executor:
    """Return a pool of `workers` processes on this machine.

    They are forked from a server that has imported what grading needs and started no thread; for
    several of them, also what the hidden tests of `assignments` need. The server ends when this
    process does, however it does, and they end with the server.
    """
    context = multiprocessing.get_context("forkserver")
    shared = (f"{exercises.__name__}.{name}.conftest" for name in assignments if workers > 1)
    context.set_forkserver_preload(["autograder.grade", *shared])
    alone = workers >= len(os.sched_getaffinity(0))  # else leave the choice of cores to Linux
    started = context.Value("i", 0) if alone else None
    return ProcessPoolExecutor(workers, context, initializer=_begin, initargs=(started,))


def _begin(started: Synchronized[int] | None) -> None:
    """Make a new worker ready; with a core of its own where all work for us."""
    kernel.die_with_parent()
    # Python hands each worker the end of a pipe that keeps the server alive: let only the head
    # hold it, or nobody would end when the head is killed.
    os.close(_forkserver._forkserver_alive_fd)  # type: ignore[attr-defined]
    if started is not None:
        with started.get_lock():
            _Worker.core, started.value = started.value, started.value + 1


class _Worker:
    """What this process knows of itself, if it is a worker."""

    core: int | None = None


def cluster_executor(scheduler: str) -> Executor:
    """Return the workers of a Dask cluster, which are there already and see the same files."""
    from distributed import Client  # here: it takes a second to import

    try:
        client = Client(scheduler, timeout=10)  # type: ignore[no-untyped-call]
    except OSError:
        raise GraderFault(
            f"No Dask scheduler answers at {scheduler}: start one by `dask scheduler`."
        ) from None
    executor: Executor = client.get_executor(pure=False)  # type: ignore[no-untyped-call]
    return executor


def grade_all(
    jobs: Iterable[Job], settings: Settings, open_executor: OpenExecutor
) -> Generator[Graded, None, None]:
    """Yield what became of each job, in the order in which they are done.

    When a worker dies, its pool goes with it: the jobs it had are tried again, in a new one.
    """
    jobs, again, deaths = iter(jobs), deque[Job](), Counter[Job]()

    def take() -> Job | None:
        return again.popleft() if again else next(jobs, None)

    while (job := take()) is not None:
        again.appendleft(job)
        with open_executor() as executor:
            for job, graded in _until_one_dies(executor, take, settings):
                deaths[job] += graded is None
                if graded is None and deaths[job] < _MOST_TRIES:
                    again.append(job)
                else:
                    yield graded or Graded(job, fault="The process that graded it was killed.")


def _until_one_dies(
    executor: Executor, take: Callable[[], Job | None], settings: Settings
) -> Iterator[tuple[Job, Graded | None]]:
    """Yield each job that `take` gives with what became of it; None if its worker died.

    No further job is taken then.
    """
    running: dict[Future[Graded], Job] = {}
    alive = True
    try:
        while True:
            while alive and len(running) < _IN_FLIGHT and (job := take()) is not None:
                running[_submitted(executor, job, settings)] = job
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                job = running.pop(future)
                graded = _result(future, job)
                alive = alive and graded is not None
                yield job, graded
    finally:
        for future in running:  # of a run that is cut off: start nothing more
            future.cancel()


def _submitted(executor: Executor, job: Job, settings: Settings) -> Future[Graded]:
    try:
        return executor.submit(grade_one, job, settings)
    except (BrokenExecutor, OSError, EOFError) as error:  # it died since we looked, or at birth
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


def grade_one(job: Job, settings: Settings) -> Graded:
    """Grade one submission in this process; confine it as this machine can."""
    if not _ALONE.acquire(blocking=False):
        raise GraderFault("A worker grades one submission at a time: give it a single thread.")
    try:
        return _graded(job, settings)
    finally:
        _ALONE.release()


def _graded(job: Job, settings: Settings) -> Graded:
    if not works(settings.isolation) and settings.isolation is not Isolation.UNSAFE:
        settings = replace(settings, isolation=strongest())
    try:
        return Graded(job, _grader(settings, job.assignment).grade(job.read(), job.student))
    except SubmissionError as error:
        return Graded(job, rejection=str(error))


@cache
def _grader(settings: Settings, assignment: str) -> Grader:
    grader = Grader(settings, assignment, _Worker.core)
    Finalize(grader, grader.close, exitpriority=10)  # a worker process runs no `atexit`
    return grader
