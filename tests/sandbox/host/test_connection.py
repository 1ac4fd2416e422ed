"""A student's process is asked, and is none the worse for what can't be sent."""

import contextlib
import multiprocessing
import os
import time
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from autograder.sandbox import kernel, wire
from autograder.sandbox.host import child
from autograder.sandbox.host.child import ExitReason, NoReply
from autograder.sandbox.host.connection import Connection
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.host.probe import strongest
from autograder.sandbox.limits import Limits

pytestmark = pytest.mark.slow  # most wait for time limits to end

CELL = """
def size(x):
    return x.size
def wait():
    while True: pass
def ask(times):
    for _ in range(times):
        helper()
    return times
def compute(seconds):
    import time
    end = time.process_time() + seconds
    while time.process_time() < end: pass
    return seconds
def crowd(threads):
    import hashlib, threading
    def burn():
        while True: hashlib.sha256(bytes(1 << 24))
    for _ in range(threads): threading.Thread(target=burn, daemon=True).start()
    threading.Event().wait()
def sleep(seconds):
    import time
    time.sleep(seconds)
    return seconds
def leave(seconds):
    import os
    os._exit(sleep(seconds) and 0)
def wait_for_lock(seconds):
    import threading
    lock = threading.Lock()
    lock.acquire()
    return lock.acquire(timeout=seconds)
"""


def slowly(request: Any) -> Mapping[str, Any]:
    """Answer after a quarter of a second of computing."""
    started = time.process_time()
    while time.process_time() - started < 0.25:
        pass
    return {"value": 1}


@pytest.fixture(scope="module")
def warm() -> Iterator[WarmProcess]:
    """What every process here is forked from: to start one takes a second."""
    with WarmProcess(strongest(), Limits()) as warm:
        yield warm


@pytest.fixture
def connection(warm: WarmProcess) -> Iterator[Connection]:
    """A connection to a process in which `CELL` was run."""
    connection = Connection(warm.spawn())
    connection.exchange({"op": "run", "source": CELL}, 10)
    yield connection
    connection.child.kill()


@contextlib.contextmanager
def ends(*reasons: ExitReason) -> Iterator[None]:
    """Require that the process is ended for one of these reasons."""
    with pytest.raises(NoReply) as ended:
        yield
    assert ended.value.reason in reasons


def call(connection: Connection, name: str, *args: object, seconds: float = 10) -> object:
    request = {"op": "call", "name": name, "args": list(args), "kwargs": {}, "key": "k"}
    return connection.exchange(request, seconds)["value"]


@pytest.mark.parametrize("oversized", [np.zeros(9 << 20), "x" * 200_001], ids=["array", "text"])
def test_a_question_too_large_to_be_sent_costs_the_process_nothing(
    connection: Connection, oversized: object
) -> None:
    with pytest.raises(wire.WireError, match=r"can't be sent|too large to be sent"):
        call(connection, "size", oversized)
    assert call(connection, "size", np.zeros(3)) == 3


def test_one_that_does_not_answer_in_time_is_ended(connection: Connection) -> None:
    with ends(ExitReason.EXHAUSTED):
        call(connection, "wait", seconds=0.5)
    assert connection.child.socket.fileno() == -1


@pytest.fixture
def with_oracle(connection: Connection) -> Connection:
    """A connection to a process whose calls of `helper` a slow oracle answers."""
    connection.exchange({"op": "stand_in", "name": "helper", "is_module": False}, 10)
    connection.answer = slowly
    return connection


def test_the_time_that_the_grader_takes_to_answer_is_not_the_students(
    with_oracle: Connection,
) -> None:
    before = with_oracle.spent
    assert call(with_oracle, "ask", 3, seconds=0.5) == 3
    assert with_oracle.spent - before < 0.5


def test_who_asks_on_and_on_gains_no_time(with_oracle: Connection) -> None:
    with ends(ExitReason.EXHAUSTED, ExitReason.STALLED):
        call(with_oracle, "ask", 4000, seconds=0.5)


@pytest.fixture
def busy_core() -> Iterator[None]:
    """This process and what it starts have one core, and share it with eight that never rest."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    neighbours = [multiprocessing.get_context("fork").Process(target=burn) for _ in range(8)]
    for neighbour in neighbours:
        neighbour.start()
    yield
    for neighbour in neighbours:
        neighbour.kill()
        neighbour.join()
    os.sched_setaffinity(0, cores)


def burn() -> None:
    while True:
        pass


def test_what_neighbours_take_is_not_the_students(busy_core: None, connection: Connection) -> None:
    assert call(connection, "compute", 0.6, seconds=1) == 0.6


def test_all_threads_are_counted_while_none_returns(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "LEAST_PATIENCE", 600)  # however busy the machine is
    with ends(ExitReason.EXHAUSTED):
        call(connection, "crowd", 60, seconds=1)
    assert 0.9 < connection.spent < 5


def test_one_that_only_waits_ends_too_but_is_told_apart(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "LEAST_PATIENCE", 0.5)
    with ends(ExitReason.ASLEEP):
        call(connection, "sleep", 600, seconds=0.25)
    assert connection.spent >= 0.5


def test_to_sleep_costs_as_much_as_to_compute(connection: Connection) -> None:
    before = connection.spent
    assert call(connection, "sleep", 0.4, seconds=0.2) == 0.4
    assert connection.spent - before >= 0.3


def test_to_sleep_and_to_exit_costs_the_same(connection: Connection) -> None:
    before = connection.spent
    with ends(ExitReason.EXITED):
        call(connection, "leave", 0.4)
    assert connection.spent - before >= 0.3


def test_a_lock_is_waited_for_at_the_same_price(connection: Connection) -> None:
    before = connection.spent
    assert call(connection, "wait_for_lock", 0.4) is False
    assert connection.spent - before >= 0.3


def test_where_the_kernel_keeps_no_queues_waiting_counts_at_a_quarter(
    warm: WarmProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "queueing_time", lambda file: int(b"".split()[1]))
    monkeypatch.setattr(child, "LEAST_PATIENCE", 0.5)
    connection = Connection(warm.spawn())
    connection.exchange({"op": "run", "source": CELL}, 10)
    before = connection.spent
    assert call(connection, "sleep", 0.4, seconds=0.2) == 0.4
    assert 0.1 <= connection.spent - before < 0.3
    with ends(ExitReason.STALLED):
        call(connection, "sleep", 600, seconds=0.25)


def test_what_it_sleeps_while_the_grader_is_kept_waiting_is_not_the_students(
    busy_core: None, connection: Connection
) -> None:
    """The grader queues for its core as well: on a busy machine the student sleeps meanwhile."""
    before, started = connection.spent, time.monotonic()
    for _ in range(20):
        call(connection, "size", np.zeros(3))
    passed = time.monotonic() - started
    assert connection.spent - before < 0.02 + passed / 3


def test_the_kernel_ends_what_uses_the_processor_while_nobody_looks() -> None:
    with WarmProcess(strongest(), Limits()) as warm:
        connection = Connection(warm.spawn(-9))  # the kernel allows ten more: one
        with ends(ExitReason.TIME):
            connection.exchange({"op": "run", "source": "while True: pass"}, 60)


def test_no_more_is_kept_of_all_replies_than_there_is_room_for(connection: Connection) -> None:
    connection.room = 20 << 20
    for _ in range(2):
        call(connection, "size", np.zeros(1))
    connection.exchange({"op": "run", "source": "from numpy import zeros"}, 10)
    call(connection, "zeros", 1 << 20)
    call(connection, "zeros", 1 << 20)
    with ends(ExitReason.EXCESSIVE):
        call(connection, "zeros", 1 << 20)
    assert connection.child.socket.fileno() == -1


def test_a_question_has_no_field_but_itself(connection: Connection) -> None:
    """Whatever else it had would be kept for nothing."""
    send = 'import os, struct\nframe = b\'{"ask": {}, "more": 1}\'\n'
    send += "os.write(3, struct.pack('!II', len(frame), 0) + frame)"
    with ends(ExitReason.INVALID):
        connection.exchange({"op": "run", "source": send}, 10)
