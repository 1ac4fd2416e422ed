"""A student's process is asked, and is none the worse for what can't be sent."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from autograder.sandbox import wire
from autograder.sandbox.host.connection import Connection
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.host.probe import strongest
from autograder.sandbox.limits import Limits
from autograder.testing.failures import StudentTimedOut

CELL = "def size(x):\n    return x.size\ndef wait():\n    while True: pass"


@pytest.fixture
def connection() -> Iterator[Connection]:
    """A connection to a process in which `CELL` was run."""
    with WarmProcess(strongest(), Limits()) as warm:
        connection = Connection(warm.spawn())
        connection.ask({"op": "run", "source": CELL}, 10, "The cell")
        yield connection


def call(connection: Connection, name: str, *args: object, seconds: float = 10) -> object:
    request = {"op": "call", "name": name, "args": list(args), "kwargs": {}, "key": "k"}
    return connection.ask(request, seconds, f"`{name}`")["value"]


@pytest.mark.parametrize("oversized", [np.zeros(9 << 20), "x" * 200_001], ids=["array", "text"])
def test_a_question_too_large_to_be_sent_costs_the_process_nothing(
    connection: Connection, oversized: object
) -> None:
    with pytest.raises(wire.WireError, match=r"can't be sent|too large to be sent"):
        call(connection, "size", oversized)
    assert call(connection, "size", np.zeros(3)) == 3


def test_one_that_does_not_answer_in_time_is_ended(connection: Connection) -> None:
    with pytest.raises(StudentTimedOut, match=r"`wait` took longer than 0\.5 s"):
        call(connection, "wait", seconds=0.5)
    assert connection.child.socket.fileno() == -1
