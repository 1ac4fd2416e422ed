"""A cluster whose workers come and go loses nothing, and costs nobody points."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import nullcontext
from pathlib import Path
from typing import Any, cast

import pytest
from distributed import Client, LocalCluster
from distributed.scheduler import KilledWorker

from autograder.grading.settings import Settings
from autograder.grading.worker import Graded, Job
from autograder.sandbox.isolation import Isolation
from autograder.work import cluster
from autograder.work.cluster import IN_FLIGHT, _Cluster
from autograder.work.pool import grade_all
from autograder.work.waiting import MAX_DEATHS
from tests.benchmarks import killing
from tests.courses import KIT, ROOT

SCALE = ROOT / "tests" / "benchmarks" / "SCALE.md"
JOBS = [Job(f"{number}", "toys", Path()) for number in range(12)]


class Scheduler:
    """What a scheduler says of its workers; nothing, if they are fewer than none."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def nthreads(self) -> dict[str, int]:
        if self.workers < 0:
            raise OSError
        return {f"tcp://worker{number}": 1 for number in range(self.workers)}


class Vanishing(Executor):
    """Reads all jobs; the workers vanish that are given student 3's, the first so many times."""

    def __init__(self, times: int) -> None:
        self._times = times
        self.given = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        job, future = cast(Job, args[0]), Future[Any]()
        self.given += job.student == "3"
        if job.student == "3" and self.given <= self._times:
            future.set_exception(KilledWorker(job.student, None, 3))  # type: ignore[arg-type]
        else:
            future.set_result(Graded(job, rejection="read"))
        return future


def graded(executor: Executor) -> list[Graded]:
    """What a cluster of two makes of the jobs."""
    workers = _Cluster(executor, 0, cast(Client, Scheduler(2)))
    settings = Settings(KIT, Isolation.ROOTNS)
    return list(grade_all(JOBS, settings, lambda: nullcontext(workers)))


def test_as_many_jobs_are_in_flight_as_keep_a_cluster_busy_that_grows_and_shrinks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster, "_EVERY", 0)
    scheduler = Scheduler(4)
    workers = _Cluster(Vanishing(0), 0, cast(Client, scheduler))
    rooms = []
    for scheduler.workers in (4, 6, 1, 0, 5, -1):
        rooms.append(workers.room())
    assert rooms == [4 * IN_FLIGHT, 6 * IN_FLIGHT, IN_FLIGHT, 1, 5 * IN_FLIGHT, 5 * IN_FLIGHT]


def test_a_job_whose_workers_vanished_is_tried_again_alone_and_pays_nothing() -> None:
    results = graded(Vanishing(1))
    assert [each.job.student for each in results][-1] == "3"
    assert sorted(each.job.student for each in results) == sorted(job.student for job in JOBS)
    assert not any(each.fault for each in results)


def test_a_job_that_costs_workers_when_it_is_alone_too_is_given_up() -> None:
    executor = Vanishing(99)
    results = graded(executor)
    assert {each.job.student for each in results if each.fault} == {"3"}
    assert len(results) == len(JOBS)
    assert executor.given == 1 + MAX_DEATHS


@pytest.mark.exhaustive
def test_workers_that_are_killed_and_replaced_at_random_make_the_same_reports(
    tmp_path: Path,
) -> None:
    with warnings.catch_warnings():  # that workers die is told
        warnings.simplefilter("ignore")
        trial = killing.disturbed(tmp_path, submissions=64, workers=8)
    assert trial.killed >= 8
    assert trial.faults == []
    assert len(trial.reports) == 64
    assert trial.reports == trial.undisturbed


@pytest.mark.slow
def test_the_job_script_for_slurm_starts_workers_that_grade_one_submission_at_a_time(
    tmp_path: Path,
) -> None:
    (script,) = re.findall(r"^```bash\n(#!.*?)^```", SCALE.read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "workers.sbatch").write_text(script)
    srun = tmp_path / "srun"
    srun.write_text('#!/bin/sh\n"$@" &\n"$@" &\nwait\n')  # two tasks, where SLURM would start more
    srun.chmod(0o755)
    programs = os.pathsep.join(
        [str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"]]
    )
    with LocalCluster(n_workers=0, dashboard_address=":0") as scheduler:  # type: ignore[no-untyped-call]
        job = subprocess.Popen(
            ["bash", "workers.sbatch", scheduler.scheduler_address],
            cwd=tmp_path,
            env=os.environ | {"PATH": programs, "SLURM_SUBMIT_DIR": str(tmp_path)},
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            with Client(scheduler.scheduler_address) as client:  # type: ignore[no-untyped-call]
                client.wait_for_workers(2, timeout=300)
                assert list(client.nthreads().values()) == [1, 1]
        finally:
            os.killpg(job.pid, signal.SIGKILL)
            job.wait()
