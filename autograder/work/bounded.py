"""Call a function in a process that can be killed: bounds on its time, its memory and its result.

Work on something that a student wrote belongs in here, so that no input costs more than its bounds.
A call costs a fork, which grows with the memory that the caller has in use; it imports nothing.

What a caller may rely on, however the call ends:

- It returns within `Bounds.seconds` and a moment. By then the child is reaped, and killed is
  whatever it had started, unless that moved to another process group.
- The child runs `work` and nothing else of the caller's: no `finally`, no `atexit`, no buffer is
  flushed. It sees the caller's memory and open files; what it changes in that memory is lost.
- The child can't lengthen a file, so it writes only to pipes and sockets that are open already.
- The child dies when the calling thread does, even if that is killed.
"""

from __future__ import annotations

import contextlib
import enum
import gc
import math
import os
import resource
import select
import signal
import struct
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.forkserver import _forkserver
from typing import NoReturn

from autograder.sandbox import kernel

MAX_DETAIL = 20_000  # bytes of a traceback that are kept: its last
_HEADER = struct.Struct("!BQ")  # 0 for a result, else the number of a reason; bytes that follow
_CHUNK = 1 << 20


class Reason(enum.IntEnum):
    """Why a call has no result."""

    TIME = 1
    MEMORY = 2
    SIZE = 3  # the result is larger than the bound
    RAISED = 4  # `work` raised an exception, other than MemoryError
    DIED = 5  # by a signal, or the kernel's hand when memory ran out


_SAID = {
    Reason.TIME: "it took too long",
    Reason.MEMORY: "it needed too much memory",
    Reason.SIZE: "its result is too large",
    Reason.RAISED: "it failed",
    Reason.DIED: "its process died",
}


class Unfinished(Exception):
    """A call has no result: for which `reason`, and in `detail` a traceback or a signal if any."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail

    def __str__(self) -> str:
        return _SAID[self.reason]


@dataclass(frozen=True)
class Bounds:
    """What one call may use."""

    seconds: float
    cpu_seconds: float  # of each process; rounded up, since the kernel counts whole seconds
    memory_mb: int  # of address space, on top of what the caller has mapped
    max_bytes: int  # of the result


def begin_worker() -> None:
    """Prepare a worker of a forkserver: it ends with the server, and that with the main process.

    Such a worker has a single thread, so it may `call`.
    """
    kernel.die_with_parent()
    # Each worker inherits one end of a pipe that keeps the server alive. Only the main process may
    # hold it: otherwise server and workers would live on if the main process were killed.
    os.close(_forkserver._forkserver_alive_fd)  # type: ignore[attr-defined]


def call(work: Callable[[], bytes], bounds: Bounds) -> bytes:
    """Return what `work` returns in a forked process; raise `Unfinished` if it has no result.

    The process must have no second thread, since a fork would copy the locks that it holds:
    `RuntimeError` if it has one. A worker of a forkserver hasn't. (Threads of a numerical library
    aren't Python's, and the library sees to them.)
    """
    if threading.active_count() > 1:
        raise RuntimeError("A process with several threads can't fork safely.")
    deadline = time.monotonic() + bounds.seconds
    child, reader = _start(work, bounds)
    try:
        kind, content = _answer(reader, deadline, bounds.max_bytes)
    except EOFError:
        kind, content = Reason.DIED, b""
    finally:
        os.close(reader)
        status = _end(child)
    if not kind:
        return content
    reason, detail = Reason(kind), content.decode(errors="replace")
    if reason is Reason.DIED:
        reason, detail = _cause(status)
    raise Unfinished(reason, detail)


def _start(work: Callable[[], bytes], bounds: Bounds) -> tuple[int, int]:
    """Return the child's process id, and where its answer can be read."""
    parent, (reader, writer) = os.getpid(), os.pipe()
    try:
        child = os.fork()
    except OSError:
        os.close(reader)
        os.close(writer)
        raise
    if child == 0:
        _run(work, bounds, parent, writer)
    os.close(writer)
    with contextlib.suppress(OSError):  # the child does it too: the first one wins
        os.setpgid(child, child)
    return child, reader


def _run(work: Callable[[], bytes], bounds: Bounds, parent: int, writer: int) -> NoReturn:
    """Be the child: answer, and end."""
    try:
        _confine(bounds, parent)
        _write(writer, *_outcome(work, bounds.max_bytes))
    finally:
        os._exit(0)


def _confine(bounds: Bounds, parent: int) -> None:
    gc.freeze()  # a collection would copy every page with an object of the caller's on it
    os.setpgid(0, 0)
    kernel.die_with_parent()
    if os.getppid() != parent:  # it had ended before, so nothing would kill this process
        os._exit(0)
    for number in (signal.SIGINT, signal.SIGTERM):  # the caller's handlers are the caller's
        signal.signal(number, signal.SIG_DFL)
    mapped, _ = kernel.memory_in_use()
    cpu = math.ceil(bounds.cpu_seconds)
    _limit(resource.RLIMIT_AS, mapped + (bounds.memory_mb << 20))
    _limit(resource.RLIMIT_CPU, cpu, cpu + 1)  # first SIGXCPU, then SIGKILL
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_CORE, 0)


def _limit(what: int, soft: int, hard: int | None = None) -> None:
    """Lower a limit; one that is lower already stays."""
    old_soft, old_hard = resource.getrlimit(what)
    hard = _lower(soft if hard is None else hard, old_hard)
    resource.setrlimit(what, (min(_lower(soft, old_soft), hard), hard))


def _lower(new: int, old: int) -> int:
    return new if old == resource.RLIM_INFINITY else min(new, old)


def _outcome(work: Callable[[], bytes], max_bytes: int) -> tuple[int, bytes]:
    try:
        result = work()
    except MemoryError:
        return Reason.MEMORY, b""
    except BaseException:
        said = traceback.format_exc().encode(errors="replace")
        return Reason.RAISED, said[-MAX_DETAIL:]
    return (0, result) if len(result) <= max_bytes else (Reason.SIZE, b"")


def _write(writer: int, kind: int, content: bytes) -> None:
    left = memoryview(_HEADER.pack(kind, len(content)) + content)
    while left:
        left = left[os.write(writer, left) :]


def _answer(reader: int, deadline: float, max_bytes: int) -> tuple[int, bytes]:
    """Return the kind of the child's answer, and what it says; raise EOFError if there is none."""
    got = bytearray()
    for chunk in _chunks(reader, deadline):
        got += chunk
        if len(got) < _HEADER.size:
            continue
        kind, size = _HEADER.unpack_from(got)
        if size > max(max_bytes, MAX_DETAIL):
            return Reason.SIZE, b""
        if len(got) >= _HEADER.size + size:
            return kind, bytes(got[_HEADER.size :])
    return Reason.TIME, b""


def _chunks(reader: int, deadline: float) -> Iterator[bytes]:
    """Yield what arrives until the deadline; raise EOFError if nothing more can."""
    poll = select.poll()
    poll.register(reader, select.POLLIN)
    while (left := deadline - time.monotonic()) > 0:
        if poll.poll(math.ceil(left * 1000)):
            chunk = os.read(reader, _CHUNK)
            if not chunk:
                raise EOFError
            yield chunk


def _end(child: int) -> int:
    """Kill the group that the child leads until it is reaped; return the child's status."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def _cause(status: int) -> tuple[Reason, str]:
    """Say why a child ended without an answer."""
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGXCPU:
        return Reason.TIME, ""
    return Reason.DIED, signal.Signals(-code).name if code < 0 else f"exit status {code}"
