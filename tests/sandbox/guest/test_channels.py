"""Submissions graded at once can't tell each other anything by what the kernel counts for all."""

import os
from functools import partial
from pathlib import Path

import pytest

from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.limits import Isolation
from tests.sandbox.conftest import Intruder
from tests.waiting import comes_true

# x86-64's numbers, which libc has no function for; elsewhere they are other calls, or none.
PAGE_CACHE = {
    "preadv2, RWF_NOWAIT": "libc.syscall(327, fd, byref(vector), 1, 0, 0, 8)",
    "pwritev2": "libc.syscall(328, fd, byref(vector), 1, 0, 0, 0)",
    "mincore": "libc.mincore(libc.mmap(0, 4096, 1, 1, fd, 0), 4096, buffer)",
    "cachestat": "libc.syscall(451, fd, byref(vector), buffer, 0)",
    "posix_fadvise": "libc.syscall(221, fd, 0, 4096, 4)",
    "readahead": "libc.readahead(fd, 0, 4096)",
    "MADV_COLD": "libc.madvise(libc.mmap(0, 4096, 1, 1, fd, 0), 4096, 20)",
    "MADV_PAGEOUT": "libc.madvise(libc.mmap(0, 4096, 1, 1, fd, 0), 4096, 21)",
}
OF_OTHERS = {
    "sysinfo": "libc.sysinfo(buffer)",
    "the clock of another process": "libc.clock_gettime(~{pid} << 3 | 2, buffer)",
    "the same clock's precision": "libc.clock_getres(~{pid} << 3 | 2, buffer)",
    "the cores of another process": "libc.sched_getaffinity({pid}, 128, buffer)",
    "how another process is scheduled": "libc.sched_getscheduler({pid})",
    "the group of another process": "libc.getpgid({pid})",
    "the session of another process": "libc.getsid({pid})",
    "the priority of another process": "libc.getpriority(0, {pid})",
    "the rights of another process": "libc.capget((c_uint32 * 2)(0x20080522, {pid}), buffer)",
    "a handle on the grader, SO_PEERPIDFD": "libc.getsockopt(3, 1, 77, buffer, byref(c_int(4)))",
    "who the grader is, SO_PEERCRED": "libc.getsockopt(3, 1, 17, buffer, byref(c_int(12)))",
    "a filter on the channel": "libc.setsockopt(3, 1, 26, buffer, 16)",
    "a lock that somebody else may hold": "libc.fcntl(fd, 5, (c_uint64 * 4)())",
    "a lease": "libc.fcntl(fd, 1024, 0)",
    "a note of changes": "libc.fcntl(fd, 1026, 1)",
    "inotify": "libc.inotify_init1(0)",
}
ASK = """
import ctypes, os, sys
from ctypes import byref, c_int, c_uint32, c_uint64
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *[c_int] * 3, ctypes.c_long)
libc.mincore.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, c_int)
fd = os.open(os.__file__, os.O_RDONLY)
buffer = ctypes.create_string_buffer(4096)
vector = (c_uint64 * 2)(ctypes.addressof(buffer), 4096)
"""


CALLS = PAGE_CACHE | OF_OTHERS


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_nothing_tells_of_others(intruder: Intruder, call: str) -> None:
    asked = f"{ASK}\nresult = {call.format(pid=os.getpid())}\nanswer = [result, ctypes.get_errno()]"
    result, error = intruder.run(asked)
    assert result == -1
    assert error in (1, 38)  # refused, and not only because nothing was found


# A file that all may read.
LOCK = """
import fcntl, os
fd = os.open(os.__file__, os.O_RDONLY)
{}
"""


@pytest.mark.parametrize(
    "lock", ["fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)", "fcntl.lockf(fd, fcntl.LOCK_SH)"]
)
def test_a_lock_is_granted_and_nobody_else_sees_it(warm: WarmProcess, lock: str) -> None:
    with Intruder(warm.spawn()) as first, Intruder(warm.spawn()) as second:
        inode = first.run(LOCK.format(f"{lock}\nkept = os.dup(fd)\nanswer = os.fstat(fd).st_ino"))
        second.run(LOCK.format(lock))
        assert f":{inode} " not in Path("/proc/locks").read_text()


def test_a_database_of_ones_own_still_works(intruder: Intruder, level: Isolation) -> None:
    where = ":memory:" if level is Isolation.LOCKDOWN else "own.db"
    rows = intruder.run(
        f"""
        import sqlite3
        with sqlite3.connect({where!r}) as database:
            database.execute("create table scores (name, points)")
            database.execute("insert into scores values ('ada', 7)")
        answer = sqlite3.connect({where!r}).execute("pragma user_version").fetchall()
        answer += database.execute("select * from scores").fetchall()
        """
    )
    assert rows == [[0], ["ada", 7]]


def test_how_busy_the_machine_is_cannot_be_read(intruder: Intruder, level: Isolation) -> None:
    """Namespaces show what was there when the warm process began; Landlock, nothing."""
    for path in ("/proc/stat", "/proc/meminfo"):
        looked = f"answer = open({path!r}).read()"
        if level is Isolation.LOCKDOWN:
            assert "PermissionError" in intruder.error(looked), path
        else:
            before = intruder.run(looked)
            assert comes_true(partial(is_another, path, Path(path).read_text()))
            assert intruder.run(looked) == before, path
        assert "Error" in intruder.error(f"open({path!r}, 'r+')")


def is_another(path: str, content: str) -> bool:
    return Path(path).read_text() != content


def test_a_core_tells_what_it_is_and_not_what_it_does(intruder: Intruder) -> None:
    seen = intruder.run(
        """
        import glob, os
        paths = glob.glob("/sys/devices/system/cpu/**", recursive=True)
        files = [path for path in paths if os.path.isfile(path) and os.access(path, os.R_OK)]
        answer = [path.split("/")[5:] for path in files]
        """
    )
    assert {path[1] if path[1:] else path[0] for path in seen} <= {
        *("online", "possible", "present", "kernel_max", "topology", "cache")
    }
    for possible in Path("/sys/devices/system/cpu").glob("possible"):
        assert intruder.run(f"answer = open({str(possible)!r}).read()") == possible.read_text()
