"""The workers of a Dask cluster, each with a process beside it that does the work.

A Dask worker has many threads, and such a process can't fork one for each submission.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

from autograder.classroom.executors import Workers, call_beside
from autograder.errors import GraderFault


@contextmanager
def cluster_workers(scheduler: str) -> Iterator[Workers]:
    """Connect to the running workers of a Dask cluster, which share this machine's files."""
    try:
        from distributed import Client  # here: importing it takes a second
    except ImportError:
        raise GraderFault(
            "Grading on a cluster needs Dask: run `pip install 'autograder[cluster]'`."
        ) from None

    try:
        client = Client(scheduler, timeout=10)  # type: ignore[no-untyped-call]
    except OSError:
        raise GraderFault(
            f"No Dask scheduler answers at {scheduler}: start one with `dask scheduler`."
        ) from None
    with client:
        threads = sum(client.nthreads().values())  # type: ignore[no-untyped-call]
        executor = client.get_executor(pure=False)  # type: ignore[no-untyped-call]
        yield Workers(_Beside(executor), max(1, threads))


class _Beside(Executor):
    """Submits to a cluster what the processes beside its workers are to do."""

    def __init__(self, cluster: Executor) -> None:
        self._cluster = cluster

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Schedule a call."""
        return self._cluster.submit(_call_beside, fn, *args, **kwargs)


def _call_beside(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a function in the process beside this one, which is a worker."""
    # Dask marks its workers as daemons, which may have no children, because those could be left
    # behind; ours end with the worker, even if it is killed
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    return call_beside(function, *args, **kwargs)
