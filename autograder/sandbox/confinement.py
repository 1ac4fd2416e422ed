"""Confine a freshly forked process, step by step, before the student's code gets it.

With namespaces there are three processes: a first stage makes the namespaces and leaves; the
second is process 1 of the new pid namespace, whose end ends all others in it; the third is the
student's. Without namespaces the student's process is the first.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from autograder.sandbox import kernel, rootfs
from autograder.sandbox.isolation import Isolation
from autograder.sandbox.limits import Limits

try:
    from autograder.sandbox import filters
except (ImportError, RuntimeError, OSError):  # without libseccomp only `unsafe` works
    filters = None  # type: ignore[assignment]

_STUDENT = 1000  # the user that a student's process is inside a user namespace
_NAMESPACES = (
    kernel.CLONE_NEWNS
    | kernel.CLONE_NEWPID
    | kernel.CLONE_NEWNET
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWUTS
)


@dataclass(frozen=True)
class Confinement:
    """How a student's process is confined: `uid` is a user of its own, for level `rootns`."""

    level: Isolation
    limits: Limits
    uid: int | None = None
    cgroups: tuple[Path, ...] = ()
    mapped: int = 0  # bytes of address space in use before the student's code has any


def fork_confined(confinement: Confinement, work: Callable[[], None]) -> int:
    """Fork a process that confines itself and then does `work`; return its pid when it is ready.

    Raises OSError with the reason if it could not be confined.
    """
    confinement = replace(confinement, mapped=_mapped())
    told, tell = os.pipe()
    go, let_go = os.pipe()
    first = os.fork()
    if first == 0:
        os.close(told)
        os.close(let_go)
        _never_return(lambda: _first_stage(confinement, tell, go, work), tell)
    os.close(tell)
    os.close(go)
    try:
        if not confinement.level.has_namespaces:
            os.close(let_go)
            return _ready(first, told)
        second = int(os.read(told, 32) or 0)
        os.waitpid(first, 0)
        os.close(let_go)  # only now may the second stage ask to die with its parent: us
        return _ready(second, told) if second else _ready(first, told)
    finally:
        os.close(told)


def reap(pid: int) -> None:
    """Kill a confined process with all that it started, and bury it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)  # on level `unsafe`; elsewhere nothing else can be left
    os.kill(pid, signal.SIGKILL)  # ours until it is buried, even if it has ended by itself
    os.waitpid(pid, 0)


def _ready(pid: int, told: int) -> int:
    """Wait until the process says that it is confined (nothing more), or why it can't be."""
    trouble = b""
    while chunk := os.read(told, 4096):
        trouble += chunk
    if trouble or not pid:
        if pid:
            os.waitpid(pid, 0)
        raise OSError(trouble.decode(errors="replace") or "the process could not be confined")
    return pid


def _never_return(work: Callable[[], None], tell: int) -> NoReturn:
    """Do `work` and end this process; tell what went wrong if anything did."""
    try:
        work()
        os._exit(0)
    except BaseException as error:  # a fork must not run on in its parent's code
        try:
            os.write(tell, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(70)


def _first_stage(confinement: Confinement, tell: int, go: int, work: Callable[[], None]) -> None:
    for group in confinement.cgroups:
        (group / "cgroup.procs").write_text(str(os.getpid()))
    if not confinement.level.has_namespaces:
        _arm()
        _confine_process(confinement, tell, work)
        return
    if confinement.level is Isolation.USERNS:
        _enter_user_namespace()
    else:
        kernel.unshare(_NAMESPACES)
    second = os.fork()
    if second:
        os.write(tell, str(second).encode())
        os._exit(0)
    _never_return(lambda: _second_stage(confinement, tell, go, work), tell)


def _enter_user_namespace() -> None:
    uid, gid = os.getuid(), os.getgid()
    kernel.unshare(kernel.CLONE_NEWUSER | _NAMESPACES)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{_STUDENT} {uid} 1"),
        ("gid_map", f"{_STUDENT} {gid} 1"),
    ):
        Path("/proc/self", name).write_text(text)


def _second_stage(confinement: Confinement, tell: int, go: int, work: Callable[[], None]) -> None:
    os.read(go, 1)  # until our parent's parent has become our parent
    _arm()
    rootfs.build(confinement.limits.file_mb)
    if confinement.uid is not None:
        _become(confinement.uid)
        _arm()  # changing the user took it back
    kernel.drop_capabilities()
    kernel.set_dumpable(False)
    student = os.fork()
    if student == 0:
        _never_return(lambda: _confine_process(confinement, tell, work), tell)
    os.closerange(0, 1 << 16)
    while True:  # process 1 adopts every orphan; when it ends, all others are killed
        pid, status = os.wait()
        if pid == student:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


def _confine_process(confinement: Confinement, tell: int, work: Callable[[], None]) -> None:
    os.setsid()
    _arm()
    level = confinement.level
    _set_limits(confinement)
    if level is not Isolation.UNSAFE:
        if filters is None:
            raise OSError("libseccomp can't be loaded: install the package libseccomp2")
        if level is Isolation.LOCKDOWN:
            kernel.drop_capabilities()
            filters.files(rootfs.READABLE, rootfs.PACKAGE)
        kernel.no_new_privileges()
        filters.system_calls(alone=level is Isolation.LOCKDOWN).load()
    os.environ.clear()
    os.environ.update(
        HOME=str(Path.cwd()),
        PATH="/usr/bin:/bin",
        LANG="C.UTF-8",
        OMP_NUM_THREADS="1",
        PIP_NO_INDEX="1",
    )
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.close(tell)
    work()


def _arm() -> None:
    kernel.die_with_parent(signal.SIGKILL)


def _become(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def _set_limits(confinement: Confinement) -> None:
    limits = confinement.limits
    space = confinement.mapped + (limits.memory_mb << 20)  # torch alone maps gigabytes
    for kind, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, space),
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_FSIZE, limits.file_mb << 20),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        resource.setrlimit(kind, (value, value))


def _mapped() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
