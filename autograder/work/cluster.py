"""The workers of a Dask cluster, each with a process beside it that does the work.

A Dask worker has many threads, and such a process can't fork one for each submission. Workers may
come and go: jobs follow their number, and the scheduler gives another worker what one has left.
"""

from __future__ import annotations

import math
import multiprocessing
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from autograder.errors import GraderFault
from autograder.work.processes import Workers, call_beside

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")
IN_FLIGHT = 2  # jobs per thread: the network is slow, and memory is the cluster's
_EVERY = 1.0  # seconds between two looks at the cluster's size
_PATIENCE = 10.0  # seconds until a scheduler that doesn't answer isn't there


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
        client = Client(scheduler, timeout=_PATIENCE)  # type: ignore[no-untyped-call]
    except OSError:
        raise GraderFault(
            f"No Dask scheduler answers at {scheduler}: start one with `dask scheduler`."
        ) from None
    with client:
        executor = client.get_executor(pure=False)  # type: ignore[no-untyped-call]
        yield _Cluster(executor, 0, client)


@dataclass
class _Cluster(Workers):
    """The workers of a cluster, of which there may be another number at any time."""

    client: Client
    _looked_at: float = -math.inf

    def submit(self, function: Callable[..., T], *args: Any) -> Future[T]:
        return super().submit(_call_beside, function, *args)

    def room(self) -> int:
        """Return how many jobs may be in flight: at least one, for which a cluster may grow."""
        now = time.monotonic()
        if now - self._looked_at >= _EVERY:
            with suppress(OSError):  # the scheduler doesn't answer for the moment
                self.number = sum(self.client.nthreads().values())  # type: ignore[no-untyped-call]
            self._looked_at = now
        return max(1, IN_FLIGHT * self.number)

    def lost(self, error: BaseException | None) -> bool:
        """Tell whether all workers vanished that a job was given to, one after the other."""
        from distributed.scheduler import KilledWorker

        return isinstance(error, KilledWorker)


def _call_beside(function: Callable[..., T], *args: Any) -> T:
    """Call a function in the process beside this worker."""
    # Dask marks its workers as daemons, which may have no children, because those could be left
    # behind; ours end with the worker, even if it is killed
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    return call_beside(function, *args)
