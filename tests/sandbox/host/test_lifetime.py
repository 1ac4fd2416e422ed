"""Nothing outlives the grader, however that ends: no process, mount, control group, directory."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from autograder.errors import GraderFault, SandboxUnavailable
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.limits import Isolation
from tests.courses import ROOT
from tests.processes import descendants, is_running
from tests.sandbox.conftest import LIMITS, Intruder, warm_process
from tests.waiting import comes_true

pytestmark = pytest.mark.slow  # processes are started and killed, which takes seconds

GRADER = """
import sys, time
from tests.courses import ROOT
from tests.sandbox.conftest import Intruder, warm_process
warm = warm_process(sys.argv[1])
intruders = [Intruder(warm.spawn()) for _ in range(3)]
intruders[1].run("import os, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)")
intruders[2]._send("while True: pass")
print("ready", flush=True)
time.sleep(60)
"""


def traces(pid: int) -> list[Path]:
    """Return the directories that the grader `pid` made and did not remove."""
    places = [Path(tempfile.gettempdir()), *Path("/sys/fs/cgroup").glob("**/")]
    return [path for place in places for path in place.glob(f"autograder-{pid}-*")]


def test_after_the_end_nothing_is_left(level: Isolation) -> None:
    mounts, processes = Path("/proc/self/mountinfo").read_text(), descendants(os.getpid())
    others = set(traces(os.getpid()))
    with warm_process(level) as warm:
        Intruder(warm.spawn()).run("answer = 1")
        Intruder(warm.spawn()).reply("open('file', 'w').write('x')")
        assert descendants(os.getpid()) > processes
        assert set(traces(os.getpid())) > others
    assert descendants(os.getpid()) == processes
    assert set(traces(os.getpid())) == others
    assert Path("/proc/self/mountinfo").read_text() == mounts


def test_a_killed_student_leaves_nothing_running(warm: WarmProcess) -> None:
    warm.spawn().kill()  # it is ready then
    before = descendants(os.getpid())
    with Intruder(warm.spawn()) as intruder:
        assert len(descendants(os.getpid()) - before) == 1
        intruder.reply("import os, signal; os.setsid()")
    assert descendants(os.getpid()) == before


def test_when_the_grader_is_killed_all_else_ends_and_is_swept(level: Isolation) -> None:
    grader = subprocess.Popen(
        [sys.executable, "-c", GRADER, level],
        cwd=ROOT,
        stdout=subprocess.PIPE,
    )
    with grader:
        assert grader.stdout is not None
        assert grader.stdout.readline() == b"ready\n"
        running = descendants(grader.pid)
        assert len(running) >= 4
        assert traces(grader.pid)  # once it is killed, any other grader may sweep them
        grader.send_signal(signal.SIGKILL)
    assert comes_true(lambda: not any(map(is_running, running)))
    warm_process(level).close()
    assert not traces(grader.pid)


def test_when_the_warm_process_is_killed_another_takes_its_place(level: Isolation) -> None:
    with warm_process(level) as warm:
        orphan = Intruder(warm.spawn())
        running = descendants(warm.pid) | {warm.pid}
        os.kill(warm.pid, signal.SIGKILL)
        assert comes_true(lambda: not any(map(is_running, running)))
        orphan.kill()
        with Intruder(warm.spawn()) as intruder:
            assert intruder.run("answer = 1") == 1


def test_when_the_warm_process_is_killed_at_its_start_another_takes_its_place(
    level: Isolation,
) -> None:
    with warm_process(level) as warm:
        os.kill(warm.pid, signal.SIGKILL)
        with pytest.raises(GraderFault, match="doesn't answer"):
            warm.spawn()
        with Intruder(warm.spawn()) as intruder:
            assert intruder.run("answer = 1") == 1


def test_a_machine_with_very_many_cores_will_do(
    warm: WarmProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: set(range(1024)))
    with Intruder(warm.spawn()) as intruder:
        assert intruder.run("answer = 1") == 1


def test_what_cannot_be_started_is_told_in_a_sentence_and_leaves_nothing(level: Isolation) -> None:
    processes, others = descendants(os.getpid()), traces(os.getpid())
    with (
        WarmProcess(level, LIMITS, service="missing") as warm,
        pytest.raises(SandboxUnavailable, match="No module named 'missing'"),
    ):
        warm.spawn()
    assert descendants(os.getpid()) == processes
    assert traces(os.getpid()) == others


def test_an_interrupt_at_the_terminal_is_for_the_grader_alone(warm: WarmProcess) -> None:
    assert os.getpgid(warm.pid) != os.getpgid(0)
