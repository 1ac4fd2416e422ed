"""The workers: processes on this machine, or those of a Dask cluster."""

from __future__ import annotations

import ast
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path

from autograder import bounded
from autograder.classroom.worker import Core
from autograder.course import Course
from autograder.errors import GraderFault


@dataclass(frozen=True)
class Workers:
    """Workers that are ready for jobs: an executor, and the number of workers."""

    executor: Executor
    number: int


OpenWorkers = Callable[[], AbstractContextManager[Workers]]


def usable_cores() -> int:
    """Return the number of cores that this process may use, perhaps not all of the machine's."""
    return len(os.sched_getaffinity(0))


@contextmanager
def local_workers(
    number: int, course: Course | None = None, assignments: Iterable[str] = ()
) -> Iterator[Workers]:
    """Start `number` processes on this machine.

    They are forked from a server that has imported the grader and has started no thread; for
    several workers it also imports the modules that the hidden tests of `assignments` need. The
    server ends when this process ends, even if it is killed, and the workers end with the server.
    """
    context = multiprocessing.get_context("forkserver")
    shared = _imports(course, assignments) if course and number > 1 else set()
    context.set_forkserver_preload(["autograder.grading.grader", *sorted(shared)])
    own_cores = number >= usable_cores()  # else leave the choice of cores to Linux
    started = context.Value("i", 0) if own_cores else None
    with ProcessPoolExecutor(number, context, initializer=_begin, initargs=(started,)) as executor:
        yield Workers(executor, number)


def _begin(started: Synchronized[int] | None) -> None:
    """Prepare a new worker; give it a core of its own if `started` counts the workers."""
    bounded.begin_worker()
    if started is not None:
        with started.get_lock():
            Core.number, started.value = started.value, started.value + 1


def _imports(course: Course, assignments: Iterable[str]) -> set[str]:
    """Return the modules that the hidden tests of `assignments` and their fixtures import."""
    folders = [course.exercises / name for name in assignments]
    files = [course.exercises / "conftest.py", *(folder / "conftest.py" for folder in folders)]
    for folder in folders:
        files += folder.glob("hidden_tests/*.py")
    return {name for path in files if path.is_file() for name in _imported_by(path)}


def _imported_by(path: Path) -> Iterator[str]:
    try:
        body = ast.parse(path.read_text("utf-8")).body
    except (SyntaxError, ValueError):  # reported when the file is imported
        return
    for node in body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


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
        yield Workers(client.get_executor(pure=False), max(1, threads))  # type: ignore[no-untyped-call]
