"""Workers that are processes on this machine.

They are forked from a server that has imported what they need and has started no thread, so that
they may fork too. Both end when this process ends, even if it is killed.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from multiprocessing import forkserver, util
from multiprocessing.context import ForkServerContext
from multiprocessing.sharedctypes import Synchronized
from typing import Any, ParamSpec, TypeVar

from autograder.errors import ExaminerDied
from autograder.folders import own_folder
from autograder.sandbox import kernel
from autograder.sandbox.host.program import ONE_THREAD

T = TypeVar("T")
P = ParamSpec("P")

KILLED = "The process that graded it was killed."
IN_FLIGHT = 3  # jobs per worker: enough to keep it busy, few enough to fit in memory
# What it says after a program that was ended: it has tidied up, and there is nothing to do.
_UNTOLD = "ignore:resource_tracker"
# Linux takes 107 bytes for the path of a socket: "/autograder-1234567-12345678/work" takes 33 of
# them, and "/pymp-12345678/listener-12345678" 32.
_MAX_FOLDER = 107 - 33 - 32


class Core:
    """The core that is reserved for this process, if it is a worker with a core of its own."""

    number: int | None = None


@dataclass
class Workers:
    """Workers that are ready for jobs: an executor, the number of workers, and the jobs of each."""

    executor: Executor
    number: int
    in_flight: int = IN_FLIGHT

    def submit(self, function: Callable[..., T], *args: Any) -> Future[T]:
        return self.executor.submit(function, *args)

    def room(self) -> int:
        return self.in_flight * self.number

    def lost(self, error: BaseException | None) -> bool:
        """Tell whether a job has no result because its worker vanished, while others go on."""
        return False


OpenWorkers = Callable[[], AbstractContextManager[Workers]]


def usable_cores() -> int:
    """Return the number of cores that this process may use, perhaps not all of the machine's."""
    return len(os.sched_getaffinity(0))


@contextmanager
def local_workers(number: int, modules: Iterable[str] = ()) -> Iterator[Workers]:
    with processes(number, modules) as executor:
        yield Workers(executor, number)


def start_server(modules: Iterable[str]) -> None:
    """Start the server that workers are forked from; it imports while this process goes on."""
    _prepare_server(modules)
    forkserver.ensure_running()


class Processes(ProcessPoolExecutor):
    """Processes that are killed, with what they work on, when their user fails or is ended."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a call; have the process that may have been started for it watched from now on.

        The library wakes its watching thread before it starts a process. A thread that was quick
        doesn't watch that process then, and if it died, its call would never come to an end. One
        that has just ended the processes of a broken pool passes over it, and may wait for it for
        ever.
        """
        future = super().submit(fn, *args, **kwargs)
        if self._broken:
            self.kill()
        with self._shutdown_lock:
            self._executor_manager_thread_wakeup.wakeup()
        return future

    def __exit__(self, kind: type[BaseException] | None, *rest: Any) -> None:
        if kind is not None:
            self.kill()
        super().__exit__(kind, *rest)

    def kill(self) -> None:
        for process in list((self._processes or {}).values()):
            process.kill()


def processes(number: int, modules: Iterable[str] = ()) -> Processes:
    """Return an executor of `number` processes that may fork, since each has a single thread."""
    context = _prepare_server(modules)
    own_cores = number >= usable_cores()  # else leave the choice of cores to Linux
    started = context.Value("i", 0) if own_cores else None
    return Processes(number, context, initializer=_begin, initargs=(started,))


def call_beside(function: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    """Call a function in a process beside this one; raise `ExaminerDied` if that is killed."""
    _prepare_server([function.__module__])
    try:
        return _process_beside().submit(function, *args, **kwargs).result()
    except BrokenExecutor:
        _process_beside.cache_clear()
        raise ExaminerDied(
            "The process that did this was killed, perhaps for lack of memory: try again."
        ) from None
    except KeyboardInterrupt:  # this process is to end, and would wait for that one
        _process_beside().kill()
        raise


@cache
def _process_beside() -> Processes:
    return processes(1)


def _prepare_server(modules: Iterable[str]) -> ForkServerContext:
    """Say what the server imports if it doesn't run yet."""
    os.environ.update(ONE_THREAD)  # inherited by the server, and so by all that it forks
    if _UNTOLD not in sys.warnoptions:  # inherited by multiprocessing's own process
        sys.warnoptions.append(_UNTOLD)
    _place_sockets()
    context = multiprocessing.get_context("forkserver")
    if modules := sorted(modules):
        context.set_forkserver_preload(modules)
    return context


@cache
def _place_sockets() -> None:
    """Have multiprocessing keep its sockets in a folder of ours, which goes if this is killed."""
    usual = tempfile.tempdir
    if len(os.fsencode(tempfile.gettempdir())) > _MAX_FOLDER:
        tempfile.tempdir = "/tmp"  # noqa: S108 - a folder there is newly made
    stack = ExitStack()
    try:
        tempfile.tempdir = str(stack.enter_context(own_folder()).path)
        util.get_temp_dir()
    finally:
        tempfile.tempdir = usual
    util.Finalize(None, stack.close, exitpriority=-101)  # multiprocessing's own has -100


def _begin(started: Synchronized[int] | None) -> None:
    """Prepare a new worker; give it a core of its own if `started` counts the workers."""
    kernel.die_with_parent()
    # A terminal's Ctrl+C reaches workers, too: what becomes of them then is for their user to say.
    # Programs that they start aren't to ignore it, as they would if this one did.
    signal.signal(signal.SIGINT, lambda *_: None)
    # Each worker inherits one end of a pipe that keeps the server alive. Only the main process may
    # hold it: otherwise server and workers would live on if the main process were killed.
    os.close(forkserver._forkserver._forkserver_alive_fd)  # type: ignore[attr-defined]
    if started is not None:
        with started.get_lock():
            Core.number, started.value = started.value, started.value + 1
