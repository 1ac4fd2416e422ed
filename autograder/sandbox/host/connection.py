"""Requests to a student's process: if no valid reply arrives in time, the process is killed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from autograder.sandbox import wire
from autograder.sandbox.host.callbacks import Oracle, call_back
from autograder.sandbox.host.child import Child, ExitReason
from autograder.sandbox.host.clock import Clock, Exhausted, Stalled, patience
from autograder.sandbox.host.packed import Packed, frame_of, numbered
from autograder.sandbox.host.replies import checked
from autograder.testing.failures import (
    TOO_MUCH_MEMORY,
    TOO_MUCH_TIME,
    StudentDied,
    StudentFailure,
    StudentOutOfMemory,
    StudentStalled,
    StudentTimedOut,
)
from autograder.testing.model import REFUSED, TOO_LARGE, Model, models_in

MAX_KEPT = 256 << 20  # bytes of replies, of which tests and diagnosis may need all at once
_STEP = 1 << 20  # bytes that are sent or received at once
_LEAST_READ = 1 << 16  # bytes, even if fewer are needed: most frames are smaller
_Done = TypeVar("_Done")


class _TooMuch(Exception):
    """A reply is larger than what may yet be kept."""


@dataclass
class Connection:
    """A connection to a student's process. Nothing that arrives from it is trusted."""

    child: Child
    oracle: Oracle | None = None
    room: int = MAX_KEPT  # bytes that its replies may yet take in memory
    spent: float = 0.0  # the student's seconds, as a `Clock` counts them
    _number: int = 0  # of the last request
    _arrived: bytearray = field(default_factory=bytearray)  # and wasn't read yet

    def ask(self, request: Mapping[str, Any], seconds: float, subject: str) -> dict[str, Any]:
        """Return the reply; if there is none, kill the process and raise a `StudentFailure`.

        `subject` begins the sentence that the student reads then, such as "`mean`". Raises
        `WireError` if the request is too large to be sent; the process goes on in that case.
        """
        self._number += 1
        frame = numbered(frame_of(request), self._number)
        clock = Clock(self.child, seconds)
        try:
            return self._exchange(request, frame, clock)
        except Exhausted:
            self.child.kill()
            raise StudentTimedOut(
                f"{subject} computed for longer than {seconds:.3g} s. "
                "Is there a loop that never ends?"
            ) from None
        except Stalled:
            self.child.kill()
            raise StudentStalled(
                f"{subject} did not return within {patience(seconds):.3g} s, although it computed "
                f"for less than {seconds:.3g} s. Does it wait for something: `sleep`, or a lock?"
            ) from None
        except _TooMuch:
            self.child.kill()
            raise StudentFailure(
                f"{subject} returned more than {MAX_KEPT >> 20} MB in all, which is too much to "
                "compare. Which of its results is larger than it should be?"
            ) from None
        except (OSError, EOFError):
            raise _failure(self.child.kill(), subject) from None
        except wire.WireError:
            self.child.kill()
            raise StudentDied(f"{subject} sent an invalid reply to the grader.") from None
        finally:
            self.spent += clock.spent

    def _exchange(
        self, request: Mapping[str, Any], frame: wire.Frame, clock: Clock
    ) -> dict[str, Any]:
        self._send(frame, clock)
        answer = self._receive(clock)
        if isinstance(request, Packed) and request.expects(self._number, answer):
            return request.reply
        reply = answer.message()
        if reply.keys() == {"ask"}:
            reply = self._after_questions(reply, list(models_in(request)), clock)
        return checked(reply, self._number, request["op"], len(request.get("before", ())))

    def _after_questions(
        self, reply: dict[str, Any], models: Sequence[Model], clock: Clock
    ) -> dict[str, Any]:
        """Answer questions about what was lent, and about stand-ins, until there is a reply."""
        while reply.keys() == {"ask"} and (models or self.oracle):
            with clock.stopped():
                answer = _packed(self._answer(models, reply["ask"]))
            self._send(answer, clock)
            reply = self._receive(clock).message()
        return reply

    def _answer(self, models: Sequence[Model], request: Any) -> Mapping[str, Any]:
        answer = call_back(models, request)
        if answer is None:
            answer = self.oracle.answer(request) if self.oracle else REFUSED
        return answer

    def _send(self, frame: wire.Frame, clock: Clock) -> None:
        for piece in frame.pieces():
            left = memoryview(piece)
            while left:
                part = left[:_STEP]
                left = left[self._step(partial(self.child.socket.send, part), clock) :]

    def _receive(self, clock: Clock) -> wire.Frame:
        def receive(size: int) -> bytearray:
            while (missing := size - len(self._arrived)) > 0:
                size_read = max(_LEAST_READ, min(missing, _STEP))
                chunk = self._step(partial(self.child.socket.recv, size_read), clock)
                if not chunk:
                    raise EOFError
                self._arrived += chunk
            data, self._arrived = self._arrived, self._arrived[size:]
            del data[size:]
            return data

        return wire.Frame.read(receive, self._admit)

    def _admit(self, size: int) -> None:
        if size > self.room:
            raise _TooMuch
        self.room -= size

    def _step(self, transfer: Callable[[], _Done], clock: Clock) -> _Done:
        """Transfer a part as soon as possible; look at the clock before it, and now and then."""
        while True:
            self.child.socket.settimeout(clock.next_look())
            try:
                return transfer()
            except TimeoutError:
                continue


def _packed(answer: Mapping[str, Any]) -> wire.Frame:
    try:
        return wire.Frame.of(answer)
    except wire.WireError:
        return wire.Frame.of(TOO_LARGE)


def _failure(reason: ExitReason, subject: str) -> StudentFailure:
    match reason:
        case ExitReason.MEMORY:
            return StudentOutOfMemory(f"{subject} {TOO_MUCH_MEMORY}")
        case ExitReason.TIME:
            return StudentTimedOut(f"{subject} {TOO_MUCH_TIME}")
        case ExitReason.EXITED:
            why = "ended the Python process. Does it call `exit`, or close files?"
        case ExitReason.CRASHED:
            why = "crashed the Python process. Is there a recursion that never ends?"
        case ExitReason.KILLED:
            why = "closed its connection to the grader. Does it close files?"
    return StudentDied(f"{subject} {why}")
