"""The processor time of a student's process, as the kernel counts it for the grader.

A process introduces itself by its first message, before it runs any of the student's code: the
kernel adds the sender's process id, as it is in our own pid namespace. Its clock counts all
threads, and stands still while others have the processor.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import time

_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid
_PROCESS_CLOCK = 2  # CPUCLOCK_SCHED of <linux/posix-timers.h>
_MAX_MESSAGE = 1000


class ProcessorClock:
    """Counts the processor time of the process `pid`; without one it stays at 0."""

    def __init__(self, pid: int | None = None) -> None:
        # as clock_getcpuclockid(3) computes it, which Python doesn't have
        self._clock = None if pid is None else (~pid << 3) | _PROCESS_CLOCK
        self._seconds = 0.0

    @property
    def seconds(self) -> float:
        """The seconds so far; of a process that has ended, as far as they were looked at."""
        if self._clock is not None:
            with contextlib.suppress(OSError):
                self._seconds = time.clock_gettime(self._clock)
        return self._seconds

    def stop(self) -> None:
        """Look a last time: once the process is reaped, another may get its number."""
        self._seconds, self._clock = self.seconds, None


def receive_introduction(channel: socket.socket) -> tuple[str, ProcessorClock]:
    """Return the first message on `channel` and the clock of the process that sent it."""
    channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    message, attached, _, _ = channel.recvmsg(_MAX_MESSAGE, socket.CMSG_SPACE(_CREDENTIALS.size))
    channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)
    senders = [data for *_, kind, data in attached if kind == socket.SCM_CREDENTIALS]
    pids = [_CREDENTIALS.unpack(data)[0] for data in senders]
    return message.decode(errors="replace"), ProcessorClock(pids[0] if pids else None)
