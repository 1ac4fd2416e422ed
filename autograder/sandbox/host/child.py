"""One student's process as the grader holds it: how it can end, and the seconds that it uses.

It introduces itself by its first message, to which the kernel adds its process id: by that its
processor time can be looked at. To sleep costs as much as to compute. Time in which it is ready to
run, or we are, and others have the cores counts at a quarter: a neighbour that slows a student down
fourfold costs nothing.
"""

import contextlib
import os
import socket
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from autograder.sandbox import kernel

_CREDENTIALS = struct.Struct("3i")  # pid, uid, gid
MAX_STATUS = 1000  # bytes of the first message
REPLY_SECONDS = 60.0  # on a machine that may be busy
WAITING = 4  # seconds that pass for one that counts
LEAST_PATIENCE = 20.0  # seconds that may be slept, or pass beyond those allowed, if these are few
_SHORTEST_LOOK = 0.005  # seconds between two looks at the clock


class ExitReason(StrEnum):
    TIME = "time"  # the kernel killed it for its processor time
    MEMORY = "memory"  # the kernel killed it for its memory, or it crashed for lack of memory
    CRASHED = "crashed"  # a signal ended it, such as SIGSEGV
    EXITED = "exited"  # it ended by itself
    KILLED = "killed"  # it was alive until we killed it, for no reason of the following
    EXHAUSTED = "exhausted"  # we killed it: it used the seconds that it was allowed
    ASLEEP = "asleep"  # we killed it: it slept for long
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
        self._schedstats: list[int] = []  # open files: its own, and that of this thread
        self._queued: float | None = None  # seconds of both, if the kernel tells
        self._exit_reason: ExitReason | None = None

    @property
    def seconds(self) -> float:
        """The processor time that all of its threads have used, as far as it was looked at."""
        if self._pid is not None:
            with contextlib.suppress(OSError):  # it has ended, and the warm process with it
                self._seconds = kernel.processor_time(self._pid)
        return self._seconds

    @property
    def busy(self) -> float:
        """Seconds in which it, or this thread, computed or queued for a core; else it slept.

        Where the kernel doesn't tell, it never sleeps.
        """
        if self._schedstats:
            with contextlib.suppress(OSError, IndexError):  # it has ended
                self._queued = sum(map(kernel.queueing_time, self._schedstats))
        if self._queued is None:
            return time.monotonic()
        return self.seconds + time.thread_time() + self._queued

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
        with contextlib.suppress(OSError):  # where the kernel doesn't keep or show them
            for thread in (str(self._pid), "thread-self"):
                self._schedstats.append(os.open(f"/proc/{thread}/schedstat", os.O_RDONLY))
        return message.decode(errors="replace")

    def kill(self) -> ExitReason:
        """Kill the process, if it hasn't ended yet; return how it ended, on repeated calls too."""
        if self._exit_reason is None:
            # once it is reaped, another may get its number
            _, self._seconds, self._pid = self.busy, self.seconds, None
            self._exit_reason = self._reap()
            self.socket.close()
            while self._schedstats:
                os.close(self._schedstats.pop())
        return self._exit_reason


def longest_sleep(allowed: float) -> float:
    return max(allowed, LEAST_PATIENCE)


def patience(allowed: float) -> float:
    """Return the seconds that may pass while a student's code computes for `allowed` seconds."""
    return max(WAITING * allowed, allowed + LEAST_PATIENCE)


@dataclass
class Clock:
    """Counts the student's seconds during one request, of which `allowed` may be used.

    What passes while the grader answers a question doesn't count, but the grader doesn't work on
    answers for longer than `allowed` in all: nobody gains time by asking on and on.
    """

    child: Child
    allowed: float
    _started: float = field(default_factory=time.monotonic)
    _used_before: float = field(init=False)
    _busy_before: float = field(init=False)
    _answering: float = 0.0  # processor time that the grader took to answer
    _stopped: float = 0.0  # seconds that passed meanwhile

    def __post_init__(self) -> None:
        self._used_before, self._busy_before = self.child.seconds, self.child.busy

    @property
    def spent(self) -> float:
        return max(self._computed + self._asleep, self._passed / WAITING)

    def next_look(self) -> float:
        """Return the seconds until the next look at this clock; raise `NoReply` if time is up."""
        computing, waiting = self.allowed - self._computed, patience(self.allowed) - self._passed
        most = longest_sleep(self.allowed)
        # it slept for no longer than what passed, which is known for nothing
        sleeping = most - (self._asleep if self._passed > most else self._passed)
        if computing <= 0:
            raise NoReply(ExitReason.EXHAUSTED, self.allowed)
        if sleeping <= 0:
            raise NoReply(ExitReason.ASLEEP, self.allowed)
        if waiting <= 0:
            raise NoReply(ExitReason.STALLED, self.allowed)
        fastest = computing / len(os.sched_getaffinity(0))  # with a thread on each core
        return max(_SHORTEST_LOOK, min(fastest, sleeping, waiting))

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        since, worked, busy = time.monotonic(), time.process_time(), self.child.busy
        try:
            yield
        finally:
            self._answering += time.process_time() - worked
            self._stopped += time.monotonic() - since
            self._busy_before += self.child.busy - busy

    @property
    def _computed(self) -> float:
        beyond = max(0.0, self._answering - self.allowed)
        return self.child.seconds - self._used_before + beyond

    @property
    def _asleep(self) -> float:
        """Seconds in which neither of us had, or wanted, a core."""
        return max(0.0, self._passed - (self.child.busy - self._busy_before))

    @property
    def _passed(self) -> float:
        return time.monotonic() - self._started - self._stopped
