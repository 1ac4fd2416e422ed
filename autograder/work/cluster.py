"""The workers of a Dask cluster, each with a process beside it that does the work.

A Dask worker has many threads, and such a process can't fork one for each submission. Workers may
come and go: jobs follow their number, and the scheduler gives another worker what one has left.
Whoever reaches a scheduler may run any code, as its workers and as who grades: so it asks for a
certificate, which all of a cluster share.
"""

from __future__ import annotations

import math
import multiprocessing
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from autograder.course.saving import save_first
from autograder.course.settings import is_loopback
from autograder.errors import GraderFault
from autograder.work.processes import Workers, call_beside

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")
_INSTALL = "Grading on a cluster needs Dask: run `pip install distributed cryptography`."
IN_FLIGHT = 2  # jobs per thread: the network is slow, and memory is the cluster's
_EVERY = 1.0  # seconds between two looks at the cluster's size
_PATIENCE = 10.0  # seconds until a scheduler that doesn't answer isn't there


@contextmanager
def cluster_workers(scheduler: str, certificate: Path, *, plain: bool = False) -> Iterator[Workers]:
    """Connect to the running workers of a Dask cluster, which share this machine's files.

    Without TLS, the scheduler must be on this machine, or `plain` given.
    """
    client_of = _dask().Client
    try:
        client = client_of(
            scheduler, timeout=_PATIENCE, security=_security(scheduler, certificate, plain)
        )
    except OSError:
        known = f" and takes this {certificate.name}" if is_encrypted(scheduler) else ""
        raise GraderFault(
            f"No Dask scheduler answers at {scheduler}{known}: start one with `dask scheduler`."
        ) from None
    with client:
        executor = client.get_executor(pure=False)
        yield _Cluster(executor, 0, client=client)


def make_certificate(path: Path) -> None:
    """Write a certificate with its key to `path`, good for a year."""
    try:
        made = _dask().Security.temporary()
    except ImportError:
        raise GraderFault(_INSTALL) from None
    if not save_first((made.tls_client_key + made.tls_client_cert).encode(), path, 0o600):
        raise GraderFault(
            f"{path.name} is there already: delete it to make another, for all of the cluster."
        )


def is_encrypted(scheduler: str) -> bool:
    return scheduler.startswith("tls://")


def _security(scheduler: str, certificate: Path, plain: bool) -> Any:
    """Return how to talk to a scheduler; raise `GraderFault` where anybody else could, too."""
    if is_encrypted(scheduler):
        if not certificate.is_file():
            raise GraderFault(
                f"There is no {certificate.name} in the course's folder: copy there the one that "
                "the scheduler was started with, or make one by `autograder cluster certificates`."
            )
        files = dict.fromkeys(("tls_ca_file", "tls_client_cert"), str(certificate))
        return _dask().Security(require_encryption=True, **files)
    address = scheduler.rpartition("://")[2]
    if not plain and not is_loopback(address.rpartition(":")[0].strip("[]")):
        raise GraderFault(
            f"Whoever reaches {scheduler} can run code as you: start the scheduler with a "
            f"certificate (`autograder cluster certificates`) and name it tls://{address}, or add "
            "--plain-tcp where nobody else reaches it."
        )
    return _dask().Security()


def _dask() -> Any:
    try:
        import distributed  # here: importing it takes a second
    except ImportError:
        raise GraderFault(_INSTALL) from None
    return distributed


@dataclass(kw_only=True)
class _Cluster(Workers):
    """The workers of a cluster, of which there may be another number at any time."""

    client: Client
    in_flight: int = IN_FLIGHT
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
        return max(1, super().room())

    def lost(self, error: BaseException | None) -> bool:
        """Tell whether all workers vanished that a job was given to, one after the other."""
        from distributed.scheduler import KilledWorker

        return isinstance(error, KilledWorker)


def _call_beside(function: Callable[..., T], *args: Any) -> T:
    # Dask marks its workers as daemons, which may have no children, because those could be left
    # behind; ours end with the worker, even if it is killed
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    return call_beside(function, *args)
