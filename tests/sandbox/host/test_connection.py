"""A student's process is asked, and is none the worse for what can't be sent."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from autograder.sandbox import wire
from autograder.sandbox.host.connection import Connection
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.host.probe import strongest
from autograder.sandbox.limits import Limits
from autograder.testing.failures import StudentTimedOut

CELL = """
def size(x):
    return x.size
def wait():
    while True: pass
def ask(times):
    for _ in range(times):
        helper()
    return times
"""


class SlowOracle:
    """Takes a quarter of a second for each answer."""

    def answer(self, request: Any) -> Mapping[str, Any]:
        time.sleep(0.25)
        return {"value": 1}


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


@pytest.fixture
def with_oracle(connection: Connection) -> Connection:
    """A connection to a process whose calls of `helper` a slow oracle answers."""
    connection.ask({"op": "stand_in", "names": ["helper"]}, 10, "`helper`")
    connection.oracle = SlowOracle()
    return connection


def test_the_time_that_the_grader_takes_to_answer_is_not_the_students(
    with_oracle: Connection,
) -> None:
    before = with_oracle.spent
    assert call(with_oracle, "ask", 3, seconds=0.5) == 3
    assert with_oracle.spent - before < 0.5


def test_who_asks_on_and_on_gains_no_time(with_oracle: Connection) -> None:
    with pytest.raises(StudentTimedOut, match=r"`ask` took longer than 0\.5 s"):
        call(with_oracle, "ask", 4000, seconds=0.5)
