"""A cluster whose workers come and go loses nothing, and costs nobody points."""

import os
import re
import shutil
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, cast

import pytest
from distributed import Client, LocalCluster
from distributed.scheduler import KilledWorker
from distributed.security import Security

from autograder.course import Course
from autograder.course.course import CERTIFICATE
from autograder.errors import GraderFault
from autograder.grading.run import grade_class
from autograder.grading.settings import Settings
from autograder.grading.submissions import Graded, Job
from autograder.sandbox.host.probe import strongest
from autograder.work import cluster
from autograder.work.cluster import (
    IN_FLIGHT,
    _Cluster,
    cluster_workers,
    make_certificate,
)
from autograder.work.pool import MAX_DEATHS, Failed, run_all
from autograder.work.processes import OpenWorkers, local_workers
from tests.benchmarks import killing
from tests.courses import ROOT
from tests.toy_class import ToyClass
from tests.toys import TOYS

SCALE = ROOT / "tests" / "benchmarks" / "SCALE.md"
JOBS = [f"{number}" for number in range(12)]


class Scheduler:
    """What a scheduler says of its workers; nothing, if they are fewer than none."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def nthreads(self) -> dict[str, int]:
        if self.workers < 0:
            raise OSError
        return {f"tcp://worker{number}": 1 for number in range(self.workers)}


class Vanishing(Executor):
    """Does all jobs; the workers vanish that are given job 3, the first so many times."""

    def __init__(self, times: int) -> None:
        self._times = times
        self.given = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        job, future = args[1], Future[Any]()
        self.given += job == "3"
        if job == "3" and self.given <= self._times:
            future.set_exception(KilledWorker(job, None, 3))  # type: ignore[arg-type]
        else:
            future.set_result(job)
        return future


def done(executor: Executor) -> list[tuple[str, str | Failed]]:
    """What a cluster of two makes of the jobs."""
    workers = _Cluster(executor, 0, client=cast(Client, Scheduler(2)))
    return list(run_all(JOBS, str, lambda: nullcontext(workers)))


def test_as_many_jobs_are_in_flight_as_keep_a_cluster_busy_that_grows_and_shrinks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster, "_EVERY", 0)
    scheduler = Scheduler(4)
    workers = _Cluster(Vanishing(0), 0, client=cast(Client, scheduler))
    rooms = []
    for scheduler.workers in (4, 6, 1, 0, 5, -1):
        rooms.append(workers.room())
    assert rooms == [4 * IN_FLIGHT, 6 * IN_FLIGHT, IN_FLIGHT, 1, 5 * IN_FLIGHT, 5 * IN_FLIGHT]


def test_a_job_whose_workers_vanished_is_tried_again_alone_and_pays_nothing() -> None:
    results = done(Vanishing(1))
    assert results[-1] == ("3", "3")
    assert sorted(results) == sorted((job, job) for job in JOBS)


def test_a_job_that_costs_workers_when_it_is_alone_too_is_given_up() -> None:
    executor = Vanishing(99)
    results = done(executor)
    assert [job for job, result in results if isinstance(result, Failed)] == ["3"]
    assert len(results) == len(JOBS)
    assert executor.given == 1 + MAX_DEATHS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cluster") / CERTIFICATE
    make_certificate(path)
    return path


def knowing(certificate: Path) -> Security:
    """What Dask's own programs are given as --tls-ca-file and --tls-cert."""
    keys = ("tls_ca_file", "tls_scheduler_cert", "tls_worker_cert", "tls_client_cert")
    return Security(require_encryption=True, **dict.fromkeys(keys, str(certificate)))  # type: ignore[no-untyped-call]


@contextmanager
def two_workers(certificate: Path) -> Iterator[LocalCluster]:
    """Two Dask workers on this machine, over TLS."""
    with (
        warnings.catch_warnings(),
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=":0",
            protocol="tls://",
            security=knowing(certificate),
        ) as workers,
    ):
        yield workers


def graded(course: Course, open_workers: OpenWorkers) -> Iterator[Graded]:
    """What becomes of six students who handed in the release as it was."""
    jobs = [Job(student, TOYS, course.release_path(TOYS)) for student in "012345"]
    return grade_class(Settings(course, strongest()), jobs, open_workers, force=True)


@pytest.mark.slow
def test_a_cluster_over_tls_grades_as_this_machine_does_even_when_it_loses_a_worker(
    toys: ToyClass, certificate: Path
) -> None:
    with two_workers(certificate) as workers:
        scheduler = workers.scheduler_address
        assert scheduler.startswith("tls://")
        results = graded(toys.course, lambda: cluster_workers(scheduler, certificate))
        found = [next(results)]
        os.kill(workers.workers[0].pid, signal.SIGKILL)
        found += results
    alone = {each.job: each for each in graded(toys.course, lambda: local_workers(1))}
    assert {each.job: each for each in found} == alone
    assert len(found) == len(alone)


@pytest.mark.slow
def test_a_cluster_over_tls_is_closed_to_who_lacks_its_certificate(
    certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_PATIENCE", 2.0)
    other = tmp_path / "other" / CERTIFICATE
    other.parent.mkdir()
    make_certificate(other)
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=0, dashboard_address=":0", protocol="tls://", security=knowing(certificate)
    ) as workers:
        scheduler, why = workers.scheduler_address, "and takes this cluster.pem"
        for address, path, sentence in (
            (
                scheduler,
                tmp_path / CERTIFICATE,
                r"^There is no cluster\.pem in the course",
            ),
            (scheduler, other, f"No Dask scheduler answers at {scheduler} {why}"),
            (scheduler.replace("tls:", "tcp:"), certificate, "No Dask scheduler answers at tcp:"),
        ):
            with (
                pytest.raises(GraderFault, match=sentence) as refused,
                cluster_workers(address, path),
            ):
                pass
            assert "\n" not in str(refused.value)


@pytest.mark.parametrize("scheduler", ["tcp://10.1.2.3:8786", "head:8786", "tcp://[fe80::1]:8786"])
def test_a_scheduler_without_tls_on_another_machine_is_refused_in_a_sentence(
    scheduler: str,
) -> None:
    said = rf"^Whoever reaches {re.escape(scheduler)} can run code as you: [^\n]*\.$"
    with pytest.raises(GraderFault, match=said), cluster_workers(scheduler, Path(CERTIFICATE)):
        pass


@pytest.mark.parametrize("address", ["127.0.0.1:8786", "localhost:8786", "[::1]:8786"])
def test_a_scheduler_on_this_machine_needs_no_certificate(address: str) -> None:
    for where, plain in ((f"tcp://{address}", False), ("tcp://head:8786", True)):
        found = cluster._security(where, Path(CERTIFICATE), plain)
        assert found.get_tls_config_for_role("client")["cert"] is None


def test_a_certificate_is_its_owners_alone_and_is_never_written_over(certificate: Path) -> None:
    assert certificate.stat().st_mode & 0o777 == 0o600
    before = certificate.read_bytes()
    with pytest.raises(GraderFault, match=r"^cluster\.pem is there already: delete it"):
        make_certificate(certificate)
    assert certificate.read_bytes() == before


@pytest.mark.slow
def test_a_cluster_that_is_not_there_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster, "_PATIENCE", 1.0)
    with (
        pytest.raises(GraderFault, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9"),
        cluster_workers("tcp://127.0.0.1:9", Path(CERTIFICATE)),
    ):
        pass


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
    tmp_path: Path, certificate: Path
) -> None:
    (script,) = re.findall(r"^```bash\n(#!.*?)^```", SCALE.read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "workers.sbatch").write_text(script)
    shutil.copy(certificate, tmp_path)
    srun = tmp_path / "srun"
    srun.write_text('#!/bin/sh\n"$@" &\n"$@" &\nwait\n')  # two tasks, where SLURM would start more
    srun.chmod(0o755)
    programs = os.pathsep.join(
        [str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"]]
    )
    secure = knowing(certificate)
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=0, dashboard_address=":0", protocol="tls://", security=secure
    ) as scheduler:
        job = subprocess.Popen(
            ["bash", "workers.sbatch", scheduler.scheduler_address],
            cwd=tmp_path,
            env=os.environ | {"PATH": programs, "SLURM_SUBMIT_DIR": str(tmp_path)},
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            with Client(scheduler.scheduler_address, security=secure) as client:  # type: ignore[no-untyped-call]
                client.wait_for_workers(2, timeout=300)
                assert list(client.nthreads().values()) == [1, 1]
        finally:
            os.killpg(job.pid, signal.SIGKILL)
            job.wait()
