"""Run something that nobody guards, where it can't do harm: for stock nbgrader, by root alone.

Namespaces of its own, everything read-only but a small disk in memory, a plain user, limits on
memory, processes, files and time. It is no sandbox to grade in: what it holds is started afresh.
"""

import fcntl
import json
import os
import resource
import select
import signal
import socket
import struct
import tempfile
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from autograder.sandbox import kernel
from autograder.sandbox.guest.confinement import become
from autograder.sandbox.host.program import memory_group
from tests.sandbox.plain_user import make_reachable

UID = 54_322
_MEMORY_MB, _PROCESSES, _FILE_MB, _DISK = 3000, 300, 400, "size=1g,nr_inodes=40k,mode=777"
_ALL = (
    kernel.CLONE_NEWNS
    | kernel.CLONE_NEWPID
    | kernel.CLONE_NEWNET
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWUTS
)
_SIOCSIFFLAGS, _IFF_UP = 0x8914, 0x1


def jailed(deed: Callable[[], Any], disk: Path, seconds: float) -> Any:
    """Return what `deed` returns, plain data, or None if it does not within `seconds`.

    It finds an empty disk at `disk`, the only place to write to, and is process 1 of its own.
    """
    reading, writing = os.pipe()
    group = memory_group(_MEMORY_MB)
    if group is None:
        raise OSError("no control group bounds the memory here")
    outer = os.fork()
    if not outer:
        try:
            os.write(group.members, b"0")
            os.setsid()
            kernel.unshare(_ALL)
            _let_first_be(partial(_be_first, deed, disk, writing))
        except BaseException:
            traceback.print_exc()
        finally:  # a fork must not run on in its parent's code
            os._exit(0)
    os.close(writing)
    try:
        return _result(reading, seconds)
    finally:
        os.killpg(outer, signal.SIGKILL)  # process 1 is in the group, and all others go with it
        os.waitpid(outer, 0)
        os.close(reading)
        group.close()


def _result(reading: int, seconds: float) -> Any:
    with os.fdopen(os.dup(reading), "rb") as pipe:
        ready, _, _ = select.select([pipe], [], [], seconds)
        line = pipe.readline() if ready else b""
    return json.loads(line) if line else None


def _let_first_be(first: Callable[[], None]) -> None:
    if child := os.fork():
        os.waitpid(child, 0)
    else:
        first()


def _be_first(deed: Callable[[], Any], disk: Path, writing: int) -> None:
    kernel.die_with_parent()
    _close_in(disk)
    _limit()
    become(UID)
    tempfile.tempdir = str(disk)
    os.environ.update(HOME=str(disk), TMPDIR=str(disk), IPYTHONDIR=str(disk / "ipython"))
    os.chdir(disk)
    os.write(writing, json.dumps(deed()).encode() + b"\n")


def _close_in(disk: Path) -> None:
    """Make everything read-only but the disk and shared memory; have /proc show this alone."""
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    make_reachable()
    for mount in Path("/proc/self/mounts").read_text().splitlines():
        where = mount.split()[1]
        if not where.startswith(("/dev", "/proc")):  # /dev/null has to stay a device
            kernel.make_readonly(where, recursive=False)
    for place in (disk, Path("/dev/shm")):
        kernel.mount("tmpfs", str(place), "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, _DISK)
    kernel.mount("proc", "/proc", "proc", kernel.MS_NOSUID | kernel.MS_NODEV)
    with socket.socket() as any_socket:  # kernels are spoken to by the loopback network
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))


def _limit() -> None:
    for kind, value in (
        (resource.RLIMIT_NPROC, _PROCESSES),
        (resource.RLIMIT_FSIZE, _FILE_MB << 20),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (value, value))
