"""Students' processes under our control, on each level of isolation that this user can have."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import Any

import pytest

from autograder.sandbox.host.child import Child, ExitReason
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.limits import Isolation, Limits
from tests.conftest import offered

LIMITS = Limits(memory_mb=128, threads=16, file_mb=16)


class Intruder:
    """A student's process that tries what it should not."""

    def __init__(self, child: Child) -> None:
        self.child = child
        child.socket.settimeout(30)
        self._lines = child.socket.makefile("rb")

    def __enter__(self) -> Intruder:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def run(self, source: str) -> Any:
        """Run `source` in there; return what it called `answer`, or fail with what it raised."""
        reply = self.reply(source)
        assert "error" not in reply, reply["error"]
        return reply["answer"]

    def error(self, source: str) -> str:
        """Run `source`, which must raise; return what it raised."""
        reply = self.reply(source)
        assert "error" in reply, f"nothing stopped it: {reply}"
        return str(reply["error"])

    def ends(self, source: str) -> bool:
        """Run `source` and tell whether that was the process's end."""
        try:
            self._send(source)
            return not self._lines.readline()
        except ConnectionError:
            return True

    def kill(self) -> ExitReason:
        self._lines.close()
        return self.child.kill()

    def reply(self, source: str) -> dict[str, Any]:
        """Run `source` in there; return its `answer` or `error`."""
        self._send(source)
        line = self._lines.readline()
        assert line, "the process ended"
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _send(self, source: str) -> None:
        self.child.socket.sendall(json.dumps(textwrap.dedent(source)).encode() + b"\n")


def warm_process(level: Isolation, limits: Limits = LIMITS) -> WarmProcess:
    return WarmProcess(level, limits, preload=(), service="tests.sandbox.inside")


@pytest.fixture(scope="session", params=[Isolation.ROOTNS, Isolation.USERNS, Isolation.LOCKDOWN])
def level(request: pytest.FixtureRequest) -> Isolation:
    """Each level of isolation."""
    return offered(request.param)


@pytest.fixture(scope="session")
def warm(level: Isolation) -> Iterator[WarmProcess]:
    with warm_process(level) as warm:
        yield warm


@pytest.fixture
def intruder(warm: WarmProcess) -> Iterator[Intruder]:
    with Intruder(warm.spawn()) as intruder:
        yield intruder
