"""Work on many items in processes of their own: one that hangs is killed with its process."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from typing import Any, Generic, TypeVar

PATIENCE = 60  # seconds for one item, and for what comes before the first
_TAKE_SECONDS_TO_IMPORT = ["torch", "matplotlib.pyplot", "tests.mutants.seeds"]

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Job(Generic[Item, Result]):
    """Items to work on one after the other, in one process.

    `prepare` is called there first, and returns the function that is called with each item.
    """

    prepare: Callable[[], Callable[[Item], Result]]
    items: tuple[Item, ...]


def workers() -> int:
    """Return how many processes may work at a time: one for each core that this process may use."""
    return len(os.sched_getaffinity(0))


def results_of_all(
    jobs: Sequence[Job[Item, Result]],
) -> Iterator[list[Result | None]]:
    """Yield the results of each job, in order, while as many as there are cores are done."""
    with ThreadPoolExecutor(workers()) as pool:
        yield from pool.map(results_of, jobs)


def results_of(job: Job[Item, Result], patience: float = PATIENCE) -> list[Result | None]:
    """Return the result of each item; None for one that hangs or ends its process.

    Raises what `job.prepare` raises.
    """
    results: list[Result | None] = []
    while waiting := job.items[len(results) :]:
        found = _in_one_process(replace(job, items=waiting), patience)
        results.extend(found)
    return results


def forkserver_context() -> ForkServerContext:
    """Return what starts processes; its server begins at once to import what takes seconds."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_TAKE_SECONDS_TO_IMPORT)
    forkserver.ensure_running()
    return context


def _in_one_process(job: Job[Item, Result], patience: float) -> Iterator[Result | None]:
    """Yield results up to that of the first item from which none comes."""
    context = forkserver_context()
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(job, sender), daemon=True)
    process.start()
    sender.close()
    try:
        _check(_next(receiver, PATIENCE))
        for _ in job.items:
            received = _next(receiver, patience)
            result: Result | None = received[0] if received else None
            yield result
            if received is None:
                break
    finally:
        process.kill()
        process.join()


def _next(receiver: Connection, seconds: float) -> tuple[Any] | None:
    """Return what comes next within `seconds`, in a tuple; None if nothing does."""
    try:
        received: tuple[Any] | None = receiver.recv() if receiver.poll(seconds) else None
    except EOFError:
        return None
    return received


def _check(received: tuple[Exception | None] | None) -> None:
    """Raise what went wrong before the first item, if anything did."""
    (error,) = received or (RuntimeError("A process ended, or hung, before its first item."),)
    if error is not None:
        raise error


def _work(job: Job[Item, Result], sender: Connection) -> None:
    """Send what went wrong in the preparation, if anything did, then the result of each item."""
    try:
        work = job.prepare()
    except Exception as error:
        sender.send((error,))
        return
    sender.send((None,))
    for item in job.items:
        sender.send((work(item),))
