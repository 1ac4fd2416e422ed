"""A class graded on a cluster whose workers are killed, replaced, added and taken away."""

import contextlib
import os
import random
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from distributed import LocalCluster

from autograder.course import Course
from autograder.course.course import CERTIFICATE
from autograder.grading.run import grade_class, modules_to_import
from autograder.grading.settings import Settings
from autograder.grading.submissions import Graded, find_submissions
from autograder.sandbox.host.probe import strongest
from autograder.work.cluster import cluster_workers
from autograder.work.processes import OpenWorkers, local_workers, usable_cores
from tests.benchmarks import classes
from tests.courses import copy_of_kit

_ASSIGNMENT = "hw1_attention"
_EVERY = 5  # results between two deaths


@dataclass(frozen=True)
class DisturbedRun:
    """The stored reports by student: of the disturbed run, and of one on this machine."""

    reports: dict[str, bytes]
    undisturbed: dict[str, bytes]
    killed: int
    faults: list[str]


def disturbed(folder: Path, submissions: int, workers: int) -> DisturbedRun:
    """Grade mixed submissions in `folder`, first in peace, then on `workers` that are killed."""
    course = copy_of_kit(folder)
    texts = list(classes.submissions(_ASSIGNMENT, "mixed", submissions))
    classes.hand_in(course.root, _ASSIGNMENT, texts)
    modules = modules_to_import(course, [_ASSIGNMENT])
    list(_graded(course, partial(local_workers, usable_cores(), modules)))
    undisturbed = _reports(course)
    cluster = LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=workers, threads_per_worker=1, dashboard_address=":0", silence_logs=50
    )
    try:
        dice, killed, faults = random.Random(0), 0, []
        address, certificate = cluster.scheduler_address, course.root / CERTIFICATE
        results = _graded(course, partial(cluster_workers, address, certificate))
        for number, graded in enumerate(results, 1):
            faults += [graded.fault] if graded.fault else []
            if number % _EVERY == 0:
                killed += _kill_one(cluster, dice)
            if number % (4 * _EVERY) == 0:  # let the cluster shrink and grow
                number_now = dice.randint(workers // 2, workers)
                cluster.scale(number_now)  # type: ignore[no-untyped-call]
    finally:
        with contextlib.suppress(TimeoutError):  # a worker that is being replaced may come late
            cluster.close()
    return DisturbedRun(_reports(course), undisturbed, killed, faults)


def _kill_one(cluster: LocalCluster, dice: random.Random) -> bool:
    """Kill one of the workers; tell whether it was still there."""
    alive = [nanny.pid for nanny in cluster.workers.values() if nanny.pid]
    try:
        os.kill(dice.choice(alive), signal.SIGKILL)
    except ProcessLookupError:  # it is being replaced already
        return False
    return True


def _graded(course: Course, open_workers: OpenWorkers) -> Iterator[Graded]:
    jobs = find_submissions(course, [_ASSIGNMENT])
    return grade_class(Settings(course, strongest()), jobs, open_workers, force=True)


def _reports(course: Course) -> dict[str, bytes]:
    """Take the stored reports away."""
    folder = course.reports / _ASSIGNMENT
    found = {path.stem: path.read_bytes() for path in sorted(folder.glob("*.json"))}
    for path in folder.glob("*.json"):
        path.unlink()
    return found
