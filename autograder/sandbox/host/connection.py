"""Requests to a student's process: if no valid reply arrives in time, the process is killed."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from autograder.sandbox.host.callbacks import REFUSED, TOO_LARGE, call_back, models_in
from autograder.sandbox.host.child import Child, Clock, ExitReason, NoReply
from autograder.sandbox.host.replies import Packed, checked, frame_of, numbered
from autograder.sandbox.limits import MAX_KEPT
from autograder.sandbox.wire import Frame, WireError

_STEP = 1 << 20  # bytes that are received at once
_LEAST_READ = 1 << 16  # bytes, even if fewer are needed: most frames are smaller


@dataclass
class Connection:
    child: Child
    answer: Callable[[Any], Mapping[str, Any]] | None = None  # replies to calls of stand-ins
    room: int = MAX_KEPT  # bytes that its replies may yet take in memory
    spent: float = 0.0  # the student's seconds, as a `Clock` counts them
    _number: int = 0  # of the last request
    _arrived: bytearray = field(default_factory=bytearray)  # and wasn't read yet

    def exchange(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Return the reply to a request, for which the student's code may take `seconds`.

        If there is none, the process is killed: raises `NoReply`. While it computes, its questions
        are answered. Raises `WireError` if the request is too large to be sent; the process goes on
        in that case.
        """
        self._number += 1
        frame, clock = numbered(frame_of(request), self._number), Clock(self.child, seconds)
        channel = self.child.socket
        with self._kill_unless_done(clock):
            while True:
                for piece in frame.pieces():
                    left = memoryview(piece)
                    while left:
                        channel.settimeout(clock.next_look())
                        with contextlib.suppress(TimeoutError):
                            left = left[channel.send(left) :]
                arrived = Frame.read(partial(self._receive, clock), self._admit)
                if isinstance(request, Packed) and request.expects(self._number, arrived):
                    return request.reply
                message = arrived.message()
                if message.keys() != {"ask"} or not (self.answer or any(models_in(request))):
                    before = len(request.get("before", ()))
                    return checked(message, self._number, request["op"], before)
                with clock.stopped():
                    frame = self._answered(message["ask"], request)

    @contextlib.contextmanager
    def _kill_unless_done(self, clock: Clock) -> Iterator[None]:
        try:
            yield
        except NoReply:
            self.child.kill()
            raise
        except WireError:
            self.child.kill()
            raise NoReply(ExitReason.INVALID, clock.allowed) from None
        except (OSError, EOFError):
            raise NoReply(self.child.kill(), clock.allowed) from None
        finally:
            self.spent += clock.spent

    def _admit(self, memory: int) -> None:
        if memory > self.room:
            raise NoReply(ExitReason.EXCESSIVE)
        self.room -= memory

    def _receive(self, clock: Clock, size: int) -> bytearray:
        while (missing := size - len(self._arrived)) > 0:
            self.child.socket.settimeout(clock.next_look())
            with contextlib.suppress(TimeoutError):
                chunk = self.child.socket.recv(max(_LEAST_READ, min(missing, _STEP)))
                if not chunk:
                    raise EOFError
                self._arrived += chunk
        data, self._arrived = self._arrived, self._arrived[size:]
        del data[size:]
        return data

    def _answered(self, question: Any, request: Mapping[str, Any]) -> Frame:
        answer = call_back(models_in(request), question)
        if answer is None:
            answer = self.answer(question) if self.answer else REFUSED
        try:
            return Frame.of(answer)
        except WireError:
            return Frame.of(TOO_LARGE)
