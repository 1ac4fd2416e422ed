"""Submissions are graded side by side, and the death of a worker costs time alone."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster

from autograder.course import Course
from autograder.errors import ExaminerDied, GraderFault
from autograder.grading.settings import Settings
from autograder.grading.worker import Graded, Job
from autograder.sandbox.host.probe import strongest
from autograder.work.cluster import cluster_workers
from autograder.work.pool import grade_all
from autograder.work.processes import IN_FLIGHT, Workers, local_workers
from tests.toys import TOYS

STUDENTS = "012345"


@pytest.fixture(scope="module")
def settings(fresh: Course) -> Settings:
    return Settings(fresh, strongest())


@pytest.fixture(scope="module")
def jobs(fresh: Course) -> list[Job]:
    """Jobs of six students who handed in the release as it was."""
    return [Job(student, TOYS, fresh.release_path(TOYS)) for student in STUDENTS]


def workers_of(executor: Executor) -> list[int]:
    return list(executor._processes)  # type: ignore[attr-defined]


def test_every_job_is_done_once(jobs: list[Job], settings: Settings) -> None:
    results = list(grade_all(iter(jobs), settings, lambda: local_workers(2)))
    assert sorted(graded.job.student for graded in results) == list(STUDENTS)
    assert all(graded.report for graded in results)


@pytest.mark.slow
def test_jobs_whose_worker_is_killed_are_done_by_another(
    jobs: list[Job], settings: Settings
) -> None:
    opened: list[Executor] = []

    @contextmanager
    def open_workers() -> Iterator[Workers]:
        with local_workers(2) as workers:
            opened.append(workers.executor)
            yield workers

    def killing() -> Iterator[Graded]:
        results = grade_all(iter(jobs), settings, open_workers)
        yield next(results)
        os.kill(workers_of(opened[0])[0], signal.SIGKILL)
        yield from results

    results = list(killing())
    assert sorted(graded.job.student for graded in results) == list(STUDENTS)
    assert all(graded.report for graded in results)
    assert len(opened) == 2


def _die(job: Job, settings: Settings) -> Graded:
    os._exit(1)


@pytest.mark.slow
def test_a_job_that_kills_every_worker_is_given_up(
    jobs: list[Job], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.work.pool.grade_one", _die)
    (graded,) = grade_all(jobs[:1], settings, lambda: local_workers(1))
    assert graded.fault == "The process that graded it was killed."


def _die_of_the_third(job: Job, settings: Settings) -> Graded:
    return _die(job, settings) if job.student == "3" else Graded(job, rejection="read")


@pytest.mark.slow
def test_a_job_that_kills_every_worker_costs_those_in_flight_beside_it_nothing(
    jobs: list[Job], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.work.pool.grade_one", _die_of_the_third)
    many = [replace(job, assignment=f"{number}") for number in range(3) for job in jobs]
    results = list(grade_all(many, settings, lambda: local_workers(2)))
    assert sorted(graded.job.student for graded in results) == sorted(STUDENTS * 3)
    assert {graded.job.student for graded in results if graded.fault} == {"3"}


def _never_end_the_third(job: Job, settings: Settings) -> Graded:
    if job.student == "3":
        raise ExaminerDied("It came to no end.")
    return Graded(job, rejection="read")


def test_an_examiner_that_dies_is_replaced_once_when_all_others_are_done(
    jobs: list[Job], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.work.pool.grade_one", _never_end_the_third)
    results = list(grade_all(jobs, settings, lambda: local_workers(2)))
    assert [graded.job.student for graded in results][-1] == "3"
    assert [graded.fault for graded in results] == [*[""] * 5, "It came to no end."]


def test_a_fault_of_ours_is_told_and_the_others_go_on(
    jobs: list[Job], settings: Settings, tmp_path: Path
) -> None:
    nowhere = [replace(jobs[0], assignment="hw9"), jobs[1]]
    results = {g.job.assignment: g for g in grade_all(nowhere, settings, lambda: local_workers(1))}
    assert "Error" in results["hw9"].fault
    assert results[TOYS].report


@contextmanager
def cluster() -> Iterator[LocalCluster]:
    """Two Dask workers on this machine."""
    with (
        warnings.catch_warnings(),
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=2, threads_per_worker=1, dashboard_address=":0"
        ) as workers,
    ):
        yield workers


@pytest.mark.slow
def test_a_cluster_grades_as_this_machine_does_even_when_it_loses_a_worker(
    jobs: list[Job],
    settings: Settings,
) -> None:
    with cluster() as workers:
        scheduler = workers.scheduler_address
        results = grade_all(iter(jobs), settings, lambda: cluster_workers(scheduler))
        graded = [next(results)]
        os.kill(workers.workers[0].pid, signal.SIGKILL)
        graded += results
    alone = {each.job: each for each in grade_all(jobs, settings, lambda: local_workers(1))}
    assert {each.job: each for each in graded} == alone
    assert len(graded) == len(alone)


@pytest.mark.slow
def test_a_cluster_that_is_not_there_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("autograder.work.cluster._PATIENCE", 1.0)
    with (
        pytest.raises(GraderFault, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9"),
        cluster_workers("tcp://127.0.0.1:9"),
    ):
        pass


class Holding(Executor):
    """Hands out a result only when no further job has come for a while; counts what it holds."""

    def __init__(self) -> None:
        self._held: deque[tuple[Future[Graded], Job]] = deque()
        self.most = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Graded] = Future()
        self._held.append((future, args[0]))
        self.most = max(self.most, len(self._held))
        timer = threading.Timer(0.2, self._release)
        timer.start()
        return future

    def _release(self) -> None:
        future, job = self._held.popleft()
        future.set_result(Graded(job))


@pytest.mark.parametrize("number", [1, 4])
def test_no_more_jobs_are_in_flight_than_keep_the_workers_busy(
    settings: Settings, number: int
) -> None:
    executor = Holding()
    many = [Job(str(student), TOYS, Path()) for student in range(20)]
    results = grade_all(many, settings, lambda: nullcontext(Workers(executor, number)))
    assert len(list(results)) == 20
    assert executor.most == IN_FLIGHT * number
