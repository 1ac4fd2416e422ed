"""Submissions are graded side by side, and the death of a worker costs time alone."""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from distributed import LocalCluster

from autograder.classroom.executors import Workers, cluster_workers, local_workers
from autograder.classroom.pool import grade_all
from autograder.classroom.worker import Graded, Job
from autograder.course import Course
from autograder.errors import GraderFault
from autograder.grading.settings import Settings
from autograder.sandbox.host.probe import strongest
from tests.courses import KIT

HW1 = "hw1_attention"
JOBS = [Job(str(n), HW1, KIT.release_path(HW1)) for n in range(6)]


@pytest.fixture(scope="module")
def settings(course: Course) -> Settings:
    return Settings(course, strongest())


def workers_of(executor: Executor) -> list[int]:
    return list(executor._processes)  # type: ignore[attr-defined]


def test_every_job_is_done_once(settings: Settings) -> None:
    results = list(grade_all(iter(JOBS), settings, lambda: local_workers(2)))
    assert sorted(graded.job.student for graded in results) == list("012345")
    assert all(graded.report for graded in results)


def test_jobs_whose_worker_is_killed_are_done_by_another(settings: Settings) -> None:
    opened: list[Executor] = []

    @contextmanager
    def open_workers() -> Iterator[Workers]:
        with local_workers(2) as workers:
            opened.append(workers.executor)
            yield workers

    def killing() -> Iterator[Graded]:
        results = grade_all(iter(JOBS), settings, open_workers)
        yield next(results)
        os.kill(workers_of(opened[0])[0], signal.SIGKILL)
        yield from results

    results = list(killing())
    assert sorted(graded.job.student for graded in results) == list("012345")
    assert all(graded.report for graded in results)
    assert len(opened) == 2


def _die(job: Job, settings: Settings) -> Graded:
    os._exit(1)


def test_a_job_that_kills_every_worker_is_given_up(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.classroom.pool.grade_one", _die)
    (graded,) = grade_all(JOBS[:1], settings, lambda: local_workers(1))
    assert graded.fault == "The process that graded it was killed."


def test_a_fault_of_ours_is_told_and_the_others_go_on(settings: Settings, tmp_path: Path) -> None:
    nowhere = [replace(JOBS[0], assignment="hw9"), JOBS[1]]
    results = {g.job.assignment: g for g in grade_all(nowhere, settings, lambda: local_workers(1))}
    assert "Error" in results["hw9"].fault
    assert results[HW1].report


@contextmanager
def cluster() -> Iterator[LocalCluster]:
    """Two Dask workers on this machine."""
    with (
        warnings.catch_warnings(),
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as workers,
    ):
        yield workers


@pytest.mark.slow
def test_a_cluster_grades_as_this_machine_does_even_when_it_loses_a_worker(
    settings: Settings,
) -> None:
    with cluster() as workers:
        scheduler = workers.scheduler_address
        results = grade_all(iter(JOBS), settings, lambda: cluster_workers(scheduler))
        graded = [next(results)]
        os.kill(workers.workers[0].pid, signal.SIGKILL)
        graded += results
    alone = {each.job: each for each in grade_all(JOBS, settings, lambda: local_workers(1))}
    assert {each.job: each for each in graded} == alone
    assert len(graded) == len(alone)


def test_a_cluster_that_is_not_there_is_told_in_a_sentence() -> None:
    with (
        pytest.raises(GraderFault, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9"),
        cluster_workers("tcp://127.0.0.1:9"),
    ):
        pass
