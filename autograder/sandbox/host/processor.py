"""The processor time of a student's process, as the kernel counts it for the grader.

A process introduces itself by its first message, before it runs any of the student's code: the
kernel adds the sender's process id, as it is in our own pid namespace. Its clock counts all
threads, and stands still while others have the processor.
"""

from __future__ import annotations

import contextlib
import socket
import struct

from autograder.sandbox import kernel

_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid
_MAX_MESSAGE = 1000


class ProcessorClock:
    """Counts the processor time of the process `pid`; without one it stays at 0."""

    def __init__(self, pid: int | None = None) -> None:
        self._pid, self._seconds = pid, 0.0

    @property
    def seconds(self) -> float:
        """The seconds so far; of a process that has ended, as far as they were looked at."""
        if self._pid is not None:
            with contextlib.suppress(OSError):
                self._seconds = kernel.processor_time(self._pid)
        return self._seconds

    def stop(self) -> None:
        """Look a last time: once the process is reaped, another may get its number."""
        self._seconds, self._pid = self.seconds, None


def receive_introduction(channel: socket.socket) -> tuple[str, ProcessorClock]:
    """Return the first message on `channel` and the clock of the process that sent it."""
    channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    message, attached, _, _ = channel.recvmsg(_MAX_MESSAGE, socket.CMSG_SPACE(_CREDENTIALS.size))
    channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
    senders = [data for *_, kind, data in attached if kind == socket.SCM_CREDENTIALS]
    pids = [_CREDENTIALS.unpack(data)[0] for data in senders]
    return message.decode(errors="replace"), ProcessorClock(pids[0] if pids else None)
