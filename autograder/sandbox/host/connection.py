"""Questions to a student's process: each is answered in time, or else the process is ended."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.sandbox import wire
from autograder.sandbox.host.callbacks import Oracle, call_back
from autograder.sandbox.host.launch import Child, ExitReason
from autograder.testing.failures import (
    StudentDied,
    StudentFailure,
    StudentOutOfMemory,
    StudentTimedOut,
)
from autograder.testing.model import REFUSED, Model, models_in


@dataclass
class Connection:
    """A student's process and how to talk to it. Nothing that it says is believed."""

    child: Child
    oracle: Oracle | None = None
    _asked: int = 0

    def ask(self, request: Mapping[str, Any], seconds: float, subject: str) -> dict[str, Any]:
        """Return the reply; if none comes, end the process and raise why.

        `subject` is what the student is told to have failed then: "`softmax`". Raises `WireError`
        if the request is too large to be sent; the process is none the worse for that.
        """
        self._asked += 1
        frame = wire.pack({**request, "number": self._asked})
        try:
            return self._exchange(frame, list(models_in(request)), time.monotonic() + seconds)
        except TimeoutError:
            self.child.kill()
            raise StudentTimedOut(
                f"{subject} took longer than {seconds:.3g} s. Look for a loop that never ends."
            ) from None
        except (OSError, EOFError):
            raise _explained(self.child.kill(), subject) from None
        except wire.WireError:
            self.child.kill()
            raise StudentDied(f"{subject} wrote to the grader what is no answer.") from None

    def _exchange(self, frame: bytes, models: Sequence[Model], deadline: float) -> dict[str, Any]:
        self._send(frame, deadline)
        reply = self._receive(deadline)
        while "ask" in reply and (models or self.oracle):
            self._send(_packed(self._answer(models, reply["ask"])), deadline)
            reply = self._receive(deadline)
        if reply.pop("number", None) != self._asked:
            raise wire.WireError("this answers another question")
        if not isinstance(reply.get("error", {}), dict):
            raise wire.WireError("this is no error")
        return reply

    def _answer(self, models: Sequence[Model], request: Any) -> Mapping[str, Any]:
        answer = call_back(models, request)
        if answer is None:
            answer = self.oracle.answer(request) if self.oracle else REFUSED
        return answer

    def _send(self, frame: bytes, deadline: float) -> None:
        self._allow_until(deadline)
        self.child.socket.sendall(frame)

    def _receive(self, deadline: float) -> dict[str, Any]:
        def receive(size: int) -> bytes:
            data = bytearray()
            while len(data) < size:
                self._allow_until(deadline)
                chunk = self.child.socket.recv(min(size - len(data), 1 << 20))
                if not chunk:
                    raise EOFError
                data += chunk
            return bytes(data)

        return wire.read_frame(receive)

    def _allow_until(self, deadline: float) -> None:
        """Let the next step last to the deadline: whoever answers byte by byte gains no time."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self.child.socket.settimeout(left)


def _packed(answer: Mapping[str, Any]) -> bytes:
    try:
        return wire.pack(answer)
    except wire.WireError:
        return wire.pack({"error": {"message": "this is too much for the grader"}})


def _explained(reason: ExitReason, subject: str) -> StudentFailure:
    match reason:
        case ExitReason.MEMORY:
            return StudentOutOfMemory(
                f"{subject} asked for more memory than there is. Look for an array that grows."
            )
        case ExitReason.EXITED:
            why = "ended the whole Python process. Look for a call of `exit`"
        case ExitReason.CRASHED:
            why = "crashed the whole Python process. Look for a recursion that never ends"
        case ExitReason.KILLED:
            why = "cut the line to the grader. Look for files that are closed"
    return StudentDied(f"{subject} {why}.")
