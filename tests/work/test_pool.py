"""Jobs are done side by side, in their order; a death costs time, and the job that it is of."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from autograder.errors import ExaminerDied
from autograder.work.pool import Failed, Waiting, run_all
from autograder.work.processes import IN_FLIGHT, Processes, Workers, local_workers

FIRST, NEXT, LAST = ([f"{kind}{number}" for number in range(3)] for kind in "abc")
DEADLY = NEXT[0]


def all_done(work: Callable[[str], str], jobs: list[str], workers: int) -> dict[str, str | Failed]:
    return dict(run_all(jobs, work, lambda: local_workers(workers)))


def done(job: str) -> str:
    return f"{job} is done"


def test_every_job_is_done_once() -> None:
    jobs = [*FIRST, *NEXT]
    assert all_done(done, jobs, 2) == {job: done(job) for job in jobs}


def done_again(others: Path, job: str) -> str:
    """The last jobs wait for other workers, so that some are left when one is killed."""
    while job in LAST and not others.exists():
        time.sleep(0.01)
    return done(job)


@pytest.mark.slow
def test_jobs_whose_worker_is_killed_are_done_by_another(tmp_path: Path) -> None:
    opened: list[Executor] = []
    others = tmp_path / "others"

    @contextmanager
    def open_workers() -> Iterator[Workers]:
        with local_workers(2) as workers:
            opened.append(workers.executor)
            if len(opened) == 2:
                others.touch()
            yield workers

    results = run_all(iter([*FIRST, *NEXT, *LAST]), partial(done_again, others), open_workers)
    found = [next(results)]
    os.kill(next(iter(opened[0]._processes)), signal.SIGKILL)  # type: ignore[attr-defined]
    found += results
    assert sorted(found) == [(job, done(job)) for job in [*FIRST, *NEXT, *LAST]]
    assert len(opened) == 2


def dies_of_one(job: str) -> str:
    if job == DEADLY:
        os._exit(1)
    return done(job)


@pytest.mark.slow
def test_a_job_that_kills_every_worker_is_given_up_and_costs_those_beside_it_nothing() -> None:
    jobs = [*FIRST, *NEXT, *LAST]
    results = all_done(dies_of_one, jobs, 2)
    assert results.pop(DEADLY) == Failed("The process that graded it was killed.")
    assert results == {job: done(job) for job in jobs if job != DEADLY}


class Endless(Waiting[str]):
    """Jobs that keep coming: after each, there is another, until the deadly one is given up."""

    suspects_first = True

    def __init__(self) -> None:
        super().__init__([DEADLY, *FIRST])
        self.is_over, self._number = False, 0

    def next(self) -> str | None:
        self._number += 1
        return super().next() or f"later {self._number}"

    def has_jobs(self) -> bool:
        return not self.is_over


@pytest.mark.slow
def test_where_jobs_keep_coming_those_of_a_death_are_tried_again_all_the_same() -> None:
    waiting, found = Endless(), dict[str, str | Failed]()
    results = run_all(waiting, dies_of_one, lambda: local_workers(2))
    while not {DEADLY, *FIRST} <= found.keys():
        job, outcome = next(results)
        found[job] = outcome
    waiting.is_over = True
    results.close()
    assert found[DEADLY] == Failed("The process that graded it was killed.")
    assert [found[job] for job in FIRST] == [done(job) for job in FIRST]


class SlowToStart(Processes):
    """Starts a process so late that the thread that watches has been woken, and waits again."""

    def _spawn_process(self) -> None:
        time.sleep(0.3)
        super()._spawn_process()  # type: ignore[misc]  # typeshed leaves it out


@pytest.mark.slow
def test_the_death_of_a_process_that_has_just_been_started_is_noticed() -> None:
    with (
        pytest.raises(BrokenExecutor),
        SlowToStart(2, multiprocessing.get_context("forkserver")) as executor,
    ):
        executor.submit(time.sleep, 60)
        executor.submit(os._exit, 1).result(timeout=30)


class LateEntries(dict[int, Any]):
    """The processes of a pool: the second enters when the first has died, and others were ended."""

    def __setitem__(self, pid: int, process: Any) -> None:
        for first in self.values():
            first.join(2)
            time.sleep(0.3)
        super().__setitem__(pid, process)


def dies_soon() -> None:
    time.sleep(0.5)
    os._exit(1)


@pytest.mark.slow
def test_a_process_that_is_started_as_its_pool_breaks_ends_with_it() -> None:
    with Processes(2, multiprocessing.get_context("forkserver")) as executor:
        executor._processes = LateEntries()
        dies = executor.submit(dies_soon)
        executor.submit(time.sleep, 0)
        started = list(executor._processes.values())
        assert isinstance(dies.exception(timeout=30), BrokenExecutor)
        for process in started:
            process.join(10)
        assert None not in [process.exitcode for process in started]


@pytest.mark.slow
def test_ctrl_c_which_reaches_all_processes_of_a_terminal_ends_no_worker_by_itself() -> None:
    with local_workers(1) as workers:
        worker = workers.submit(os.getpid).result()
        os.kill(worker, signal.SIGINT)
        assert workers.submit(os.getpid).result() == worker


def ended_by_ctrl_c() -> int:
    asks = [sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGINT)"]
    return subprocess.run(asks, stderr=subprocess.DEVNULL, check=False).returncode


@pytest.mark.slow
def test_a_program_that_a_worker_starts_can_be_interrupted() -> None:
    with local_workers(1) as workers:
        assert workers.submit(ended_by_ctrl_c).result() == -signal.SIGINT


def comes_to_no_end_with_one(job: str) -> str:
    if job == DEADLY:
        raise ExaminerDied("It came to no end.")
    return done(job)


def test_a_job_whose_own_process_dies_is_tried_again_when_all_others_are_done() -> None:
    results = all_done(comes_to_no_end_with_one, [*NEXT, *FIRST], 2)
    assert list(results)[-1] == DEADLY
    assert results[DEADLY] == Failed("It came to no end.")


def fails_with_one(job: str) -> str:
    return done(job) if job != DEADLY else str(1 / 0)


def test_a_fault_of_ours_is_told_and_the_others_go_on() -> None:
    results = all_done(fails_with_one, NEXT, 1)
    assert results.pop(DEADLY) == Failed("ZeroDivisionError: division by zero")
    assert results == {job: done(job) for job in NEXT[1:]}


class Holding(Executor):
    """Hands out a result only when no further job has come for a while; counts what it holds."""

    def __init__(self) -> None:
        self._held: deque[Future[str]] = deque()
        self.most = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[str] = Future()
        self._held.append(future)
        self.most = max(self.most, len(self._held))
        threading.Timer(0.2, self._release).start()
        return future

    def _release(self) -> None:
        self._held.popleft().set_result("")


@pytest.mark.parametrize("number", [1, 4])
def test_no_more_jobs_are_in_flight_than_keep_the_workers_busy(number: int) -> None:
    executor = Holding()
    jobs = [f"a{number}" for number in range(20)]
    results = run_all(jobs, done, lambda: nullcontext(Workers(executor, number)))
    assert len(list(results)) == 20
    assert executor.most == IN_FLIGHT * number


def test_suspects_come_last_and_one_at_a_time() -> None:
    line = Waiting(FIRST)
    assert not line.suspect(NEXT)
    assert [line.take(number, 9) for number in range(4)] == [*FIRST, None]
    assert line.take(0, 9) == NEXT[0]
    assert line.take(1, 9) is None
    assert line.take(0, 9) == NEXT[1]
