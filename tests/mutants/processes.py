"""Work on many items in processes of their own: one that hangs is killed with its process."""

import contextlib
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

from autograder.work.processes import processes, usable_cores

PATIENCE = 60  # seconds for one item, and for what comes before the first
TAKE_SECONDS_TO_IMPORT = ("torch", "matplotlib.pyplot", "tests.mutants.trials")

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Job(Generic[Item, Result]):
    """Items to work on one after the other, in one process.

    `prepare` is called there first, and returns the function that is called with each item;
    `silent` returns the result of an item that hangs, or ends its process.
    """

    prepare: Callable[[], Callable[[Item], Result]]
    items: tuple[Item, ...]
    silent: Callable[[Item], Result]


def results_of_all(
    jobs: Sequence[Job[Item, Result]], patience: float = PATIENCE
) -> Iterator[list[Result]]:
    """Yield the results of each job, in order, while as many as there are cores are done."""
    with ThreadPoolExecutor(usable_cores()) as pool:
        yield from pool.map(partial(results_of, patience=patience), jobs)


def results_of(job: Job[Item, Result], patience: float = PATIENCE) -> list[Result]:
    """Return the result of each item; raise what `job.prepare` raises."""
    results: list[Result] = []
    while waiting := job.items[len(results) :]:
        results.extend(_in_one_process(replace(job, items=waiting), patience))
    return results


def _in_one_process(job: Job[Item, Result], patience: float) -> Iterator[Result]:
    """Yield results up to that of the first item from which none comes."""
    with processes(1, TAKE_SECONDS_TO_IMPORT) as executor:
        pid = executor.submit(os.getpid).result(PATIENCE)
        try:
            executor.submit(_Worker.begin, job.prepare).result(PATIENCE)
            for item in job.items:
                try:
                    result = executor.submit(_Worker.go_on, item).result(patience)
                except Exception:  # whatever it is, there is no result
                    yield job.silent(item)
                    break
                yield result
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


class _Worker:
    """What the process of a job works with."""

    work: Callable[[Any], Any]

    @classmethod
    def begin(cls, prepare: Callable[[], Callable[[Any], Any]]) -> None:
        cls.work = staticmethod(prepare())

    @classmethod
    def go_on(cls, item: Any) -> Any:
        return cls.work(item)
