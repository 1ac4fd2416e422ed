"""Workers for tests: one beside this process does its work, or a worker only says that it did."""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, nullcontext
from multiprocessing import forkserver
from typing import Any

from autograder.grading.submissions import Graded, Job
from autograder.report import Report
from autograder.work.processes import Workers, call_beside

# What workers of all kinds need, and take seconds to import: graders, pages, hidden tests, mutants.
_PRELOADED = (
    *("autograder.grading.grader", "autograder.telling.pages.student_page", "tests.mutants.trials"),
    *(
        "autograder.desk.notebooks",
        "autograder.gradebook.recorder",
        "autograder.gradebook.unrecorded",
    ),
    *("tests.warm", "scipy.special", "torch", "matplotlib.pyplot"),
)


def start_server() -> None:
    """Start the server that this process's workers are forked from, before anything else does.

    It imports once, beside the first tests, what each worker would import for itself.
    """
    multiprocessing.get_context("forkserver").set_forkserver_preload(list(_PRELOADED))
    forkserver.ensure_running()


class Beside(Executor):
    """Does each job at once, in a process that stays."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(call_beside(fn, *args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Saying(Executor):
    def __init__(self, report: Report) -> None:
        self._report = report

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        job: Job = args[0]
        future: Future[Any] = Future()
        report = self._report.model_copy(update={"student": job.student})
        future.set_result(Graded(job, report))
        return future


def beside() -> AbstractContextManager[Workers]:
    return nullcontext(Workers(Beside(), 1))


def nobody() -> AbstractContextManager[Workers]:
    raise AssertionError("this was to be graded by nobody")
