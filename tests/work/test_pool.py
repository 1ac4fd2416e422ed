"""Jobs are done side by side, the longest first; a death costs time, and the job that it is of."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest

from autograder.errors import ExaminerDied
from autograder.work.pool import MAX_DEATHS, Failed, Waiting, run_all
from autograder.work.processes import IN_FLIGHT, Workers, local_workers

SHORT, LONG, LATER = ([f"{kind}{number}" for number in range(3)] for kind in "abc")
DEADLY = "b0"


def kind_of(job: str) -> str:
    return job[0]


def all_done(work: Callable[[str], str], jobs: list[str], workers: int) -> dict[str, str | Failed]:
    return dict(run_all(jobs, work, kind_of, lambda: local_workers(workers)))


def done(job: str) -> str:
    return f"{job} is done"


def test_every_job_is_done_once() -> None:
    jobs = [*SHORT, *LONG]
    assert all_done(done, jobs, 2) == {job: done(job) for job in jobs}


@pytest.mark.slow
def test_jobs_whose_worker_is_killed_are_done_by_another() -> None:
    opened: list[Executor] = []

    @contextmanager
    def open_workers() -> Iterator[Workers]:
        with local_workers(2) as workers:
            opened.append(workers.executor)
            yield workers

    results = run_all(iter([*SHORT, *LONG, *LATER]), done, kind_of, open_workers)
    found = [next(results)]
    os.kill(next(iter(opened[0]._processes)), signal.SIGKILL)  # type: ignore[attr-defined]
    found += results
    assert sorted(found) == [(job, done(job)) for job in [*SHORT, *LONG, *LATER]]
    assert len(opened) == 2


def dies_of_one(job: str) -> str:
    if job == DEADLY:
        os._exit(1)
    return done(job)


@pytest.mark.slow
def test_a_job_that_kills_every_worker_is_given_up_and_costs_those_beside_it_nothing() -> None:
    jobs = [*SHORT, *LONG, *LATER]
    results = all_done(dies_of_one, jobs, 2)
    assert results.pop(DEADLY) == Failed("The process that graded it was killed.")
    assert results == {job: done(job) for job in jobs if job != DEADLY}


def comes_to_no_end_with_one(job: str) -> str:
    if job == DEADLY:
        raise ExaminerDied("It came to no end.")
    return done(job)


def test_a_job_whose_own_process_dies_is_tried_again_when_all_others_are_done() -> None:
    results = all_done(comes_to_no_end_with_one, [*LONG, *SHORT], 2)
    assert list(results)[-1] == DEADLY
    assert results[DEADLY] == Failed("It came to no end.")


def fails_with_one(job: str) -> str:
    return done(job) if job != DEADLY else str(1 / 0)


def test_a_fault_of_ours_is_told_and_the_others_go_on() -> None:
    results = all_done(fails_with_one, LONG, 1)
    assert results.pop(DEADLY) == Failed("ZeroDivisionError: division by zero")
    assert results == {job: done(job) for job in LONG[1:]}


class Holding(Executor):
    """Hands out a result only when no further job has come for a while; counts what it holds."""

    def __init__(self) -> None:
        self._held: deque[Future[tuple[str, float]]] = deque()
        self.most = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[tuple[str, float]] = Future()
        self._held.append(future)
        self.most = max(self.most, len(self._held))
        threading.Timer(0.2, self._release).start()
        return future

    def _release(self) -> None:
        self._held.popleft().set_result(("", 0.0))


@pytest.mark.parametrize("number", [1, 4])
def test_no_more_jobs_are_in_flight_than_keep_the_workers_busy(number: int) -> None:
    executor = Holding()
    jobs = [f"a{number}" for number in range(20)]
    results = run_all(jobs, done, kind_of, lambda: nullcontext(Workers(executor, number)))
    assert len(list(results)) == 20
    assert executor.most == IN_FLIGHT * number


def waiting(*jobs: str) -> Waiting[str]:
    return Waiting(jobs, kind_of)


def test_jobs_of_a_kind_keep_their_order() -> None:
    line = waiting(*SHORT)
    assert [line.take(number, 9) for number in range(4)] == [*SHORT, None]


def test_no_more_are_taken_than_there_is_room_for() -> None:
    assert waiting(*SHORT).take(2, 2) is None


def test_what_takes_longest_comes_first_as_soon_as_that_is_known() -> None:
    line = waiting(*SHORT, *LONG)
    assert line.take(0, 1) == SHORT[0]
    line.done(SHORT[0], 0.1)
    assert line.take(0, 1) == LONG[0]  # of which nobody knows yet that it is short
    line.done(LONG[0], 50)
    assert [line.take(0, 1) for _ in range(4)] == [*LONG[1:], *SHORT[1:]]


def test_a_kind_of_which_nothing_is_known_comes_before_one_that_takes_long() -> None:
    line = waiting(*LONG, *LATER)
    line.done(LONG[0], 50)
    assert line.take(0, 1) == LATER[0]


def test_suspects_come_last_and_one_at_a_time() -> None:
    line = waiting(*SHORT)
    assert not line.suspect(LONG)
    assert [line.take(number, 9) for number in range(4)] == [*SHORT, None]
    assert line.take(0, 9) == LONG[0]
    assert line.take(1, 9) is None
    assert line.take(0, 9) == LONG[1]


def test_a_job_whose_workers_vanished_pays_only_if_it_ran_alone() -> None:
    line = waiting()
    for _ in range(2 * MAX_DEATHS):  # beside others
        assert not line.suspect([DEADLY])
    line = waiting()
    line.suspect([DEADLY])
    outcomes = []
    for _ in range(MAX_DEATHS):
        assert line.take(0, 9) == DEADLY
        outcomes.append(line.suspect([DEADLY]))
    assert outcomes == [False] * (MAX_DEATHS - 1) + [True]
    assert not line.has_jobs()


def test_a_job_that_was_alone_in_the_process_that_died_pays_at_once() -> None:
    line = waiting()
    outcomes = [line.suspect([DEADLY], guilty=True) for _ in range(MAX_DEATHS)]
    assert outcomes == [False] * (MAX_DEATHS - 1) + [True]
