"""Grade many submissions side by side, each worker with its own warm processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path

from autograder.errors import SubmissionError
from autograder.grade import Grader, Settings
from autograder.report import Report


@dataclass(frozen=True)
class Job:
    """One submission to grade."""

    student: str
    assignment: str
    path: Path


@dataclass(frozen=True)
class Graded:
    """What became of a job: a report, or the reason why there is none."""

    job: Job
    report: Report | None = None
    rejection: str = ""  # the file is no submission: its author has to hand in another
    fault: str = ""  # we failed: the next run tries again


def local_executor(workers: int) -> Executor:
    """Return a pool of `workers` processes on this machine.

    They are forked from a server that has imported what grading needs and started no thread.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["autograder.grade"])
    return ProcessPoolExecutor(workers, mp_context=context)


def grade_all(jobs: Iterable[Job], settings: Settings, executor: Executor) -> Iterator[Graded]:
    """Yield what became of each job, in the order in which they are done."""
    futures = {executor.submit(grade_one, job, settings): job for job in jobs}
    for future in as_completed(futures):
        error = future.exception()
        if error is None:
            yield future.result()
        else:
            yield Graded(futures[future], fault=f"{type(error).__name__}: {error}")


def grade_one(job: Job, settings: Settings) -> Graded:
    """Grade one submission in this process."""
    try:
        raw = _read(job.path)
        return Graded(job, _grader(settings, job.assignment).grade(raw, job.student))
    except SubmissionError as error:
        return Graded(job, rejection=str(error))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        others = ", ".join(sorted(other.name for other in path.parent.glob("*.ipynb")))
        hint = f"rename {others}" if others else error.strerror
        raise SubmissionError(f"There is no file {path.name} to read: {hint}.") from None


@cache
def _grader(settings: Settings, assignment: str) -> Grader:
    grader = Grader(settings, assignment)
    Finalize(grader, grader.close, exitpriority=10)  # a worker process runs no `atexit`
    return grader
