"""Call a function in a process that can be killed: bounds on its time, its memory and its result.

Whatever happens, a call returns within `Bounds.seconds` and a moment; by then the child and all in
its process group are killed. The child runs `work` alone: no `finally`, no `atexit`. It sees the
caller's memory and open files, but lengthens no file unless the bounds allow it, and dies when the
calling thread does.
"""

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
from collections.abc import Callable
from dataclasses import dataclass

from autograder.sandbox import kernel

MAX_DETAIL = 20_000  # bytes of a traceback that are kept: its last
_HEADER = struct.Struct("!BQ")  # 0 for a result, else the number of a reason; bytes that follow
_CHUNK = 1 << 20


class Reason(enum.IntEnum):
    TIME = 1
    MEMORY = 2
    SIZE = 3  # the result is larger than the bound
    RAISED = 4  # `work` raised an exception, other than MemoryError
    DIED = 5  # by a signal, or the kernel's hand when memory ran out


@dataclass(eq=False)  # errors are hashable
class Unfinished(Exception):
    """A call has no result: for which `reason`, and in `detail` a traceback or a signal if any."""

    reason: Reason
    detail: str = ""

    def __str__(self) -> str:
        return {
            Reason.TIME: "it took too long",
            Reason.MEMORY: "it needed too much memory",
            Reason.SIZE: "its result is too large",
            Reason.RAISED: "it failed",
            Reason.DIED: "its process died",
        }[self.reason]


@dataclass(frozen=True)
class Bounds:
    seconds: float
    cpu_seconds: float  # of each process; rounded up, since the kernel counts whole seconds
    memory_mb: int  # of address space, on top of what the caller has mapped
    max_bytes: int  # of the result
    file_mb: int = 0  # of each file that it writes


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
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # the group that it leads until it is reaped
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if not kind:
        return content
    reason, detail = Reason(kind), content.decode(errors="replace")
    if reason is Reason.DIED and code == -signal.SIGXCPU:
        reason = Reason.TIME
    elif reason is Reason.DIED:
        detail = signal.Signals(-code).name if code < 0 else f"exit status {code}"
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
        try:
            _confine(bounds, parent)
            left = memoryview(_outcome(work, bounds.max_bytes))
            while left:
                left = left[os.write(writer, left) :]
        finally:
            os._exit(0)
    os.close(writer)
    with contextlib.suppress(OSError):  # the child does it too: the first one wins
        os.setpgid(child, child)
    return child, reader


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
    _limit(resource.RLIMIT_FSIZE, bounds.file_mb << 20)
    _limit(resource.RLIMIT_CORE, 0)


def _limit(what: int, soft: int, hard: int | None = None) -> None:
    """Lower a limit, as far as it isn't lower already."""
    _, most = resource.getrlimit(what)
    values = (soft, soft if hard is None else hard)
    soft, hard = values if most == resource.RLIM_INFINITY else (min(v, most) for v in values)
    resource.setrlimit(what, (soft, hard))


def _outcome(work: Callable[[], bytes], max_bytes: int) -> bytes:
    try:
        kind, content = 0, work()
        if len(content) > max_bytes:
            kind, content = Reason.SIZE, b""
    except MemoryError:
        kind, content = Reason.MEMORY, b""
    except BaseException:
        kind, content = Reason.RAISED, traceback.format_exc().encode(errors="replace")[-MAX_DETAIL:]
    return _HEADER.pack(kind, len(content)) + content


def _answer(reader: int, deadline: float, max_bytes: int) -> tuple[int, bytes]:
    """Return the kind of the child's answer, and what it says; raise EOFError if there is none."""
    poll, got = select.poll(), bytearray()
    poll.register(reader, select.POLLIN)
    while (left := deadline - time.monotonic()) > 0:
        if not poll.poll(math.ceil(left * 1000)):
            continue
        chunk = os.read(reader, _CHUNK)
        if not chunk:
            raise EOFError
        got += chunk
        if len(got) < _HEADER.size:
            continue
        kind, size = _HEADER.unpack_from(got)
        if size > max(max_bytes, MAX_DETAIL):
            return Reason.SIZE, b""
        if len(got) >= _HEADER.size + size:
            return kind, bytes(got[_HEADER.size :])
    return Reason.TIME, b""
