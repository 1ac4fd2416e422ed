"""Workers for tests: they do their work in this process, or say that they did."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from autograder.classroom.executors import Workers
from autograder.classroom.worker import Graded, Job
from autograder.report import Report


class Here(Executor):
    """Does each job in this process, at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Saying(Executor):
    """Answers each job with one and the same report."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        job: Job = args[0]
        future: Future[Any] = Future()
        report = self._report.model_copy(update={"student": job.student})
        future.set_result(Graded(job, report))
        return future


def here() -> AbstractContextManager[Workers]:
    """One worker, which is this process."""
    return nullcontext(Workers(Here(), 1))


def nobody() -> AbstractContextManager[Workers]:
    """No workers: nothing is to be graded."""
    raise AssertionError("this was to be graded by nobody")
