"""One student's process, as the grader holds it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from enum import StrEnum

from autograder.sandbox.host.processor import ProcessorClock, receive_introduction

REPLY_SECONDS = 60.0  # on a machine that may be busy


class ExitReason(StrEnum):
    """How a student's process ended."""

    TIME = "time"  # the kernel killed it for its processor time
    MEMORY = "memory"  # the kernel killed it for its memory, or it crashed for lack of memory
    CRASHED = "crashed"  # a signal ended it, such as SIGSEGV
    EXITED = "exited"  # it ended by itself
    KILLED = "killed"  # it was alive until we killed it


class Child:
    """One student's process; `socket` is connected to it."""

    def __init__(self, reap: Callable[[], ExitReason], channel: socket.socket) -> None:
        self.socket = channel
        self._reap = reap
        self._processor = ProcessorClock()
        self._exit_reason: ExitReason | None = None

    @property
    def seconds(self) -> float:
        """The processor time that all of its threads have used so far."""
        return self._processor.seconds

    def receive_status(self) -> str:
        """Return the process's first message: that it is confined, or why not."""
        self.socket.settimeout(REPLY_SECONDS)
        try:
            message, self._processor = receive_introduction(self.socket)
        except OSError as error:
            return str(error)
        self.socket.settimeout(None)
        return message

    def kill(self) -> ExitReason:
        """Kill the process, if it hasn't ended yet; return how it ended, on repeated calls too."""
        if self._exit_reason is None:
            self._processor.stop()
            self._exit_reason = self._reap()
            self.socket.close()
        return self._exit_reason
