"""Requests to a student's process: if no valid reply arrives in time, the process is killed."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.sandbox import wire
from autograder.sandbox.host.callbacks import Oracle, call_back
from autograder.sandbox.host.launch import Child, ExitReason
from autograder.sandbox.host.replies import checked
from autograder.testing.failures import (
    TOO_MUCH_MEMORY,
    StudentDied,
    StudentFailure,
    StudentOutOfMemory,
    StudentTimedOut,
)
from autograder.testing.model import REFUSED, TOO_LARGE, Model, models_in


@dataclass
class Connection:
    """A connection to a student's process. Nothing that arrives from it is trusted."""

    child: Child
    oracle: Oracle | None = None
    spent: float = 0.0  # the student's seconds: without those that the grader took to answer
    _number: int = 0  # of the last request

    def ask(self, request: Mapping[str, Any], seconds: float, subject: str) -> dict[str, Any]:
        """Return the reply; if there is none, kill the process and raise a `StudentFailure`.

        `subject` begins the sentence that the student reads then, such as "`mean`". Raises
        `WireError` if the request is too large to be sent; the process goes on in that case.
        """
        self._number += 1
        frame = wire.pack({**request, "number": self._number})
        clock = _Clock(seconds)
        try:
            reply = self._exchange(frame, list(models_in(request)), clock)
            return checked(reply, self._number, request["op"])
        except TimeoutError:
            self.child.kill()
            raise StudentTimedOut(
                f"{subject} took longer than {seconds:.3g} s. Look for a loop that never ends."
            ) from None
        except (OSError, EOFError):
            raise _failure(self.child.kill(), subject) from None
        except wire.WireError:
            self.child.kill()
            raise StudentDied(f"{subject} sent an invalid reply to the grader.") from None
        finally:
            self.spent += clock.spent

    def _exchange(self, frame: bytes, models: Sequence[Model], clock: _Clock) -> dict[str, Any]:
        self._send(frame, clock)
        reply = self._receive(clock)
        while "ask" in reply and (models or self.oracle):
            with clock.stopped():
                answer = _packed(self._answer(models, reply["ask"]))
            self._send(answer, clock)
            reply = self._receive(clock)
        return reply

    def _answer(self, models: Sequence[Model], request: Any) -> Mapping[str, Any]:
        answer = call_back(models, request)
        if answer is None:
            answer = self.oracle.answer(request) if self.oracle else REFUSED
        return answer

    def _send(self, frame: bytes, clock: _Clock) -> None:
        self._set_timeout(clock)
        self.child.socket.sendall(frame)

    def _receive(self, clock: _Clock) -> dict[str, Any]:
        def receive(size: int) -> bytes:
            data = bytearray()
            while len(data) < size:
                self._set_timeout(clock)
                chunk = self.child.socket.recv(min(size - len(data), 1 << 20))
                if not chunk:
                    raise EOFError
                data += chunk
            return bytes(data)

        return wire.read_frame(receive)

    def _set_timeout(self, clock: _Clock) -> None:
        """Give the next step the time that is left: a reply sent byte by byte gains none."""
        left = clock.left
        if left <= 0:
            raise TimeoutError
        self.child.socket.settimeout(left)


@dataclass
class _Clock:
    """Counts the student's seconds during one request, of which `allowed` may pass.

    It stands still while the grader answers a question, but not for longer than `allowed` in all:
    nobody gains time by asking on and on.
    """

    allowed: float
    _started: float = field(default_factory=time.monotonic)
    _stopped: float = 0.0  # seconds in all

    @property
    def spent(self) -> float:
        """The student's seconds so far."""
        return time.monotonic() - self._started - min(self._stopped, self.allowed)

    @property
    def left(self) -> float:
        """The student's seconds that are left."""
        return self.allowed - self.spent

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Let the grader work without counting its time."""
        since = time.monotonic()
        try:
            yield
        finally:
            self._stopped += time.monotonic() - since


def _packed(answer: Mapping[str, Any]) -> bytes:
    try:
        return wire.pack(answer)
    except wire.WireError:
        return wire.pack(TOO_LARGE)


def _failure(reason: ExitReason, subject: str) -> StudentFailure:
    match reason:
        case ExitReason.MEMORY:
            return StudentOutOfMemory(f"{subject} {TOO_MUCH_MEMORY}")
        case ExitReason.EXITED:
            why = "ended the Python process. Look for a call to `exit`, or code that closes files"
        case ExitReason.CRASHED:
            why = "crashed the Python process. Look for a recursion that never ends"
        case ExitReason.KILLED:
            why = "closed its connection to the grader. Look for code that closes files"
    return StudentDied(f"{subject} {why}.")
