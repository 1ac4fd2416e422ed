"""A call in a process of its own ends in time, leaves nothing behind, and says how it ended.

The calls are made by a worker of a forkserver, since pytest's own process may have threads.
"""

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest

from autograder.work import bounded
from autograder.work.bounded import MAX_DETAIL, Bounds, Reason, Unfinished
from tests.courses import KIT
from tests.processes import descendants, is_running
from tests.waiting import comes_true

BOUNDS = Bounds(seconds=20, cpu_seconds=10, memory_mb=200, max_bytes=1 << 20)
SHORT = Bounds(seconds=0.3, cpu_seconds=10, memory_mb=200, max_bytes=1 << 20)
Work = Callable[[], bytes]


@pytest.fixture(scope="module")
def caller() -> Iterator[Executor]:
    """A process with a single thread."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("forkserver")) as executor:
        yield executor


def called(work: Work, bounds: Bounds) -> bytes | tuple[Reason, str]:
    """Call, and make sure that nothing is left of it."""
    before = open_files()
    try:
        return bounded.call(work, bounds)
    except Unfinished as error:
        return error.reason, error.detail
    finally:
        assert open_files() == before
        with pytest.raises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)


def open_files() -> set[str]:
    return {file.name for file in Path("/proc/self/fd").iterdir()}


def outcome(caller: Executor, work: Work, bounds: Bounds = BOUNDS) -> bytes | tuple[Reason, str]:
    return caller.submit(called, work, bounds).result(60)


def reason(caller: Executor, work: Work, bounds: Bounds = BOUNDS) -> Reason:
    """Why there is no result."""
    ended = outcome(caller, work, bounds)
    assert isinstance(ended, tuple)
    return ended[0]


def as_many(number: int) -> bytes:
    return bytes(number)


@pytest.mark.parametrize("number", [0, 1, 1 << 20])
def test_the_result_comes_back_up_to_its_bound(caller: Executor, number: int) -> None:
    assert outcome(caller, partial(as_many, number)) == bytes(number)


def test_a_result_beyond_its_bound_does_not_cross(caller: Executor) -> None:
    assert reason(caller, partial(as_many, (1 << 20) + 1)) is Reason.SIZE


def loop_for_ever() -> NoReturn:
    while True:
        pass


def sleep_for_ever() -> NoReturn:
    while True:
        time.sleep(1000)


def ignore_everything() -> NoReturn:
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        with contextlib.suppress(OSError):
            signal.signal(number, signal.SIG_IGN)
    loop_for_ever()


@pytest.mark.parametrize("work", [sleep_for_ever, ignore_everything])
def test_what_does_not_end_is_ended(caller: Executor, work: Work) -> None:
    assert reason(caller, work, SHORT) is Reason.TIME


@pytest.mark.slow
def test_time_of_the_processor_is_bounded_by_itself(caller: Executor) -> None:
    bounds = Bounds(seconds=60, cpu_seconds=0.5, memory_mb=200, max_bytes=0)
    assert reason(caller, loop_for_ever, bounds) is Reason.TIME


def keep_taking() -> NoReturn:
    taken = []
    while True:
        taken.append(bytearray(1 << 20))


def test_memory_is_bounded(caller: Executor) -> None:
    assert reason(caller, keep_taking) is Reason.MEMORY


def fail() -> NoReturn:
    raise ValueError("x" * 2 * MAX_DETAIL + " it was this")


def test_an_exception_comes_back_as_text_of_bounded_length(caller: Executor) -> None:
    ended = outcome(caller, fail)
    assert isinstance(ended, tuple)
    assert ended[0] is Reason.RAISED
    assert ended[1].endswith("it was this\n")
    assert len(ended[1]) <= MAX_DETAIL


@pytest.mark.parametrize("stop", [SystemExit, KeyboardInterrupt, GeneratorExit])
def test_no_exception_gets_out_of_the_child(caller: Executor, stop: type[BaseException]) -> None:
    assert reason(caller, partial(throw, stop)) is Reason.RAISED


def throw(stop: type[BaseException]) -> NoReturn:
    raise stop


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT])
def test_a_death_says_by_which_signal(caller: Executor, number: signal.Signals) -> None:
    assert outcome(caller, partial(die, number)) == (Reason.DIED, number.name)


def die(number: int) -> NoReturn:
    os.kill(os.getpid(), number)
    loop_for_ever()


def test_a_child_that_ends_without_an_answer_has_died(caller: Executor) -> None:
    assert outcome(caller, partial(os._exit, 3)) == (Reason.DIED, "exit status 3")


def test_no_file_grows(caller: Executor, tmp_path: Path) -> None:
    file = tmp_path / "file"
    assert reason(caller, partial(write_to, file)) is Reason.RAISED
    assert file.read_bytes() == b""


def write_to(file: Path) -> bytes:
    file.write_bytes(b"x")
    return b""


def test_what_the_child_started_ends_with_it(caller: Executor) -> None:
    ended = outcome(caller, start_another)
    assert isinstance(ended, bytes)
    assert comes_true(lambda: not is_running(int(ended)))


def start_another() -> bytes:
    """Return the number of a process that goes on."""
    pid = os.fork()
    if pid == 0:
        sleep_for_ever()
    return str(pid).encode()


def test_several_threads_are_refused(caller: Executor) -> None:
    assert caller.submit(call_beside_a_thread).result()


def call_beside_a_thread() -> bool:
    enough = threading.Event()
    thread = threading.Thread(target=enough.wait)
    thread.start()
    try:
        bounded.call(bytes, BOUNDS)
    except RuntimeError:
        return True
    finally:
        enough.set()
        thread.join()
    return False


PROGRAM = """
import signal, time
from autograder.work import bounded
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
bounded.call(lambda: time.sleep(1000), bounded.Bounds(1000, 10, 100, 1))
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_the_child_ends_when_its_caller_does(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], cwd=KIT.root, stderr=subprocess.DEVNULL
    ) as program:
        try:
            assert comes_true(lambda: bool(descendants(program.pid)), 20)
            (child,) = descendants(program.pid)
            program.send_signal(number)
            assert comes_true(lambda: not is_running(child))
        finally:
            program.kill()
