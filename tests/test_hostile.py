"""Nothing that a hostile submission does hurts anybody: the catalogue, case by case."""

import os
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.grading.grader import Grader
from autograder.sandbox.host.connection import Connection
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.host.probe import strongest
from autograder.sandbox.limits import Limits
from tests.courses import ROOT, solved
from tests.graders import Graders, full, hand_in, scores
from tests.hostile.cases import Case, catalogue
from tests.hostile.changes import CHANGES
from tests.hostile.folders import DEEDS
from tests.hostile.handing_in import GARBAGE, IMPORTS, LIE, notebook_of
from tests.hostile.leftovers import Run, left_since, things_now
from tests.hostile.modes import Mode, modes
from tests.hostile.trials import Trials
from tests.waiting import comes_true

TrialsOf = Callable[[str], Trials]
pytestmark = pytest.mark.slow

ALONE = [case for case in catalogue() if not (case.slow or case.in_class)]
# One of each class: `make hostile` tries all on every level, those that take long as well.
FIRST = {case.kind: case for case in reversed(ALONE)}.values()
CASES = [
    pytest.param(case, id=case.title, marks=() if case in FIRST else pytest.mark.exhaustive)
    for case in ALONE
]


@pytest.fixture(scope="module")
def trials_of(course: Course) -> Iterator[TrialsOf]:
    """Trials of an assignment on the strongest level; to make them takes seconds."""
    with ExitStack() as opened:
        yield cache(lambda name: opened.enter_context(closing(Trials(course, strongest(), name))))


@pytest.mark.parametrize("case", CASES)
def test_a_hostile_submission_is_contained(trials_of: TrialsOf, case: Case) -> None:
    complaints = trials_of(case.assignment).complaints(case)
    if case.is_exposed_on(strongest()):
        assert complaints, "it is contained by now: say so in the catalogue"
        pytest.xfail(case.exposed)
    assert complaints == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("mode", modes(), ids=str)
def test_the_catalogue_is_contained_on_every_level(mode: Mode, tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    results = list(mode.try_all([], tmp_path))
    if not results:
        pytest.skip(f"level {mode.level} is not offered here")
    surprises = [(result.case.title, result.complaints) for result in results if result.is_surprise]
    assert surprises == []
    assert len(results) == len(catalogue())


def test_what_is_said_for_the_graders_ears_arrives() -> None:
    """Else the cases that lie would prove nothing."""
    lie = f"{IMPORTS}{LIE}answers({{'value': 'a lie'}})"
    call = {"op": "call", "name": "len", "args": [], "kwargs": {}, "key": ""}
    with WarmProcess(strongest(), Limits()) as warm:
        connection = Connection(warm.spawn())
        connection.exchange({"op": "run", "source": lie}, 10)
        assert connection.exchange(call, 10)["value"] == "a lie"


def test_every_class_of_what_must_be_withstood_has_cases() -> None:
    number = Counter(case.kind for case in catalogue())
    code = {"forging", "secrets", "cheating", "serialisation", "resources", "network"}
    assert number.keys() == code | {"notebook", "feedback", "insider"}
    assert min(number.values()) >= 10


def test_every_change_of_a_notebook_is_used() -> None:
    assert {case.change for case in catalogue()} - {""} == CHANGES | DEEDS.keys()


def test_what_is_left_on_the_machine_is_found(tmp_path: Path) -> None:
    run = Run()
    before = things_now(tmp_path, run)
    (tmp_path / "file").touch()
    with socket.create_server(("127.0.0.1", 0)), subprocess.Popen(["sleep", "60"]) as process:
        left = left_since(before, tmp_path, run)
        process.kill()
    assert left["processes"] == {str(process.pid)}
    # other tests that run meanwhile may leave files of theirs in shared memory
    found = {path for path in left["files"] if not path.startswith("/dev/shm/")}
    assert found == {str(tmp_path / "file")}
    assert len(left["listening sockets"]) == 1
    assert not left["mounts"]


def test_what_others_leave_on_the_machine_is_not_counted(tmp_path: Path) -> None:
    run = Run()
    before = things_now(tmp_path, run)
    with subprocess.Popen(["sleep", "60"]) as process:
        assert comes_true(lambda: process.pid in run.started)
        process.kill()
    beyond = 1 << 30  # no process has that number
    own, foreign = (Path(f"/var/tmp/autograder-{pid}-0") for pid in (process.pid, beyond))
    try:
        for folder in (own, foreign):
            folder.mkdir()
        left = left_since(before, tmp_path, run)
    finally:
        for folder in (own, foreign):
            folder.rmdir()
    # other tests that run meanwhile may leave files of theirs in shared memory
    assert left["files"] & {str(own), str(foreign)} == {str(own)}


@pytest.mark.parametrize(("seed", "is_known"), [(0, True), (7, False)])
def test_answers_looked_up_by_inputs_of_the_seed_0_gain_nothing_under_another(
    graders: Graders, course: Course, seed: int, is_known: bool
) -> None:
    (case,) = (each for each in catalogue() if "$seen" in each.source)
    settings = replace(graders.settings(strongest()), course=course.with_seed(seed))
    with Grader(settings, case.assignment) as grader:
        report = grader.grade(notebook_of(case, course, {}))
    points = scores(report)[case.place]
    assert (points == full(report)[case.place]) is is_known
    assert is_known or points <= case.at_most[case.place]


JAILED = """
import os, sys
from pathlib import Path
from tests.hostile.jail import jailed
disk, outside = map(Path, sys.argv[1:])
def deed():
    (disk / "file").touch()
    try: (outside / "file").touch()
    except OSError: return [os.getpid(), os.getuid() > 0, (disk / "file").exists()]
print(jailed(deed, disk, 20))
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can build the jail")
def test_in_the_jail_of_stock_nbgrader_nothing_is_written_but_to_its_disk() -> None:
    with tempfile.TemporaryDirectory() as folder:
        disk, outside = Path(folder, "disk"), Path(folder, "outside")
        for path, mode in ((Path(folder), 0o755), (disk, 0o755), (outside, 0o777)):
            path.mkdir(exist_ok=True)
            path.chmod(mode)
        command = [sys.executable, "-c", JAILED, str(disk), str(outside)]
        done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=True)
        assert done.stdout == "[1, True, True]\n", done.stderr
        assert list(Path(folder).rglob("file")) == []


def test_a_forger_keeps_what_was_solved(graders: Graders, course: Course) -> None:
    answers = GARBAGE | {"softmax": solved(course, "hw1_attention")["softmax"]}
    first = IMPORTS + "print('score: 28/28, all tests passed')"
    report = hand_in(graders("hw1_attention", strongest()), answers, first=first)
    assert scores(report) == dict.fromkeys(full(report), 0) | {"softmax": full(report)["softmax"]}
