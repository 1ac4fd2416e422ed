"""One student's process as the grader holds it, and how it can end.

It introduces itself by its first message, before it runs any of the student's code: the kernel adds
the sender's process id, as it is in our own pid namespace, so its processor time can be looked at.
The kernel has to be asked to before the message is sent, or it adds 0, which means ourselves.
"""

import contextlib
import socket
import struct
from collections.abc import Callable
from enum import StrEnum

from autograder.sandbox import kernel

_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid
MAX_STATUS = 1000  # bytes of the first message
REPLY_SECONDS = 60.0  # on a machine that may be busy


class ExitReason(StrEnum):
    TIME = "time"  # the kernel killed it for its processor time
    MEMORY = "memory"  # the kernel killed it for its memory, or it crashed for lack of memory
    CRASHED = "crashed"  # a signal ended it, such as SIGSEGV
    EXITED = "exited"  # it ended by itself
    KILLED = "killed"  # it was alive until we killed it, for no reason of the following
    EXHAUSTED = "exhausted"  # we killed it: it used the seconds that it was allowed
    STALLED = "stalled"  # we killed it: it didn't reply for long, with seconds of its own left
    EXCESSIVE = "excessive"  # we killed it: its replies are larger than what may be kept
    INVALID = "invalid"  # we killed it: what it sent was no reply


class NoReply(Exception):
    """A student's process, `allowed` to compute for so many seconds, ended without a reply."""

    def __init__(self, reason: ExitReason, allowed: float = 0.0) -> None:
        super().__init__(reason)
        self.reason, self.allowed = reason, allowed


def new_channel() -> tuple[socket.socket, socket.socket]:
    """Return two connected sockets: one for a `Child`, the other for its process."""
    ours, theirs = socket.socketpair()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    return ours, theirs


class Child:
    """One student's process; `socket`, made by `new_channel`, is connected to it."""

    def __init__(self, reap: Callable[[], ExitReason], channel: socket.socket) -> None:
        self.socket = channel
        self._reap = reap
        self._pid: int | None = None  # while it is known and nobody else's
        self._seconds = 0.0
        self._exit_reason: ExitReason | None = None

    @property
    def seconds(self) -> float:
        """The processor time that all of its threads have used, as far as it was looked at."""
        if self._pid is not None:
            with contextlib.suppress(OSError):  # it has ended, and the warm process with it
                self._seconds = kernel.processor_time(self._pid)
        return self._seconds

    def receive_status(self) -> str:
        """Return the process's first message: that it is confined, or why not."""
        self.socket.settimeout(REPLY_SECONDS)
        try:
            space = socket.CMSG_SPACE(_CREDENTIALS.size)
            message, attached, _, _ = self.socket.recvmsg(MAX_STATUS, space)
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
        except OSError as error:
            return str(error)
        senders = [data for *_, kind, data in attached if kind == socket.SCM_CREDENTIALS]
        pids = [_CREDENTIALS.unpack(data)[0] for data in senders]
        if message and not any(pids):
            return "the kernel doesn't tell which process it is"
        self._pid = pids[0] if pids else None
        return message.decode(errors="replace")

    def kill(self) -> ExitReason:
        """Kill the process, if it hasn't ended yet; return how it ended, on repeated calls too."""
        if self._exit_reason is None:
            # once it is reaped, another may get its number
            self._seconds, self._pid = self.seconds, None
            self._exit_reason = self._reap()
            self.socket.close()
        return self._exit_reason
