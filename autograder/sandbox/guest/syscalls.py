"""The system calls that homework needs. All others fail, including those of later kernels.

A student's process computes, starts threads, reads files and, on a disk of its own, writes them. It
can't start other processes, so none can escape the grader's notice; it can signal only itself, and
its only socket is the one that it was given. No call is made to tell it of other processes: what
the page cache holds, how busy the machine is, their clocks, their locks.
"""

from __future__ import annotations

import errno
import os
import socket
from itertools import product
from typing import Any

try:
    import pyseccomp
except (ImportError, RuntimeError):  # level `unsafe` works without it
    pyseccomp = None

Rules = Any  # a pyseccomp.SyscallFilter, or None

_FILES = """
    read readv pread64 preadv write writev pwrite64 pwritev lseek close close_range
    stat lstat fstat newfstatat statx access faccessat faccessat2
    readlink readlinkat getdents getdents64 getcwd chdir fchdir statfs fstatfs umask
    dup dup2 dup3 pipe pipe2 sendfile copy_file_range
"""
_CHANGES = """
    creat mkdir mkdirat rmdir rename renameat renameat2 unlink unlinkat link linkat symlink
    symlinkat ftruncate fallocate fsync fdatasync
""".split()  # noqa: SIM905 - as below
_MEMORY = "brk mmap munmap mremap mprotect msync membarrier get_mempolicy"
_THREADS = """
    futex futex_waitv set_robust_list set_tid_address rseq gettid sched_yield getcpu
    sched_get_priority_max sched_get_priority_min arch_prctl exit exit_group wait4 waitid
"""
_SIGNALS = """
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend
    sigaltstack restart_syscall pause alarm getitimer setitimer
    timer_create timer_settime timer_gettime timer_getoverrun timer_delete
"""
_TIME = "clock_nanosleep nanosleep gettimeofday time times getrandom"
_WAITING = """
    poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
    epoll_pwait2 eventfd eventfd2 timerfd_create timerfd_settime timerfd_gettime
"""
_CHANNEL = "recvfrom recvmsg shutdown getsockname getpeername"
_IDENTITY = """
    getpid getppid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp
    uname getrusage getrlimit setrlimit
"""
_ALLOWED = " ".join(
    (_FILES, _MEMORY, _THREADS, _SIGNALS, _TIME, _WAITING, _CHANNEL, _IDENTITY)
).split()
# Calls that code does attempt, and that should fail with "not permitted"; all others fail with
# "not implemented", for which libraries have fallbacks.
_REFUSED = """
    fork vfork execve execveat tkill socket connect bind ptrace
    process_vm_readv process_vm_writev mount unshare setns chroot setuid setresuid
    sched_setaffinity memfd_create shmget chmod fchmod fchmodat chown fchown fchownat
""".split()  # noqa: SIM905 - a line a name would fill two pages

_SIGNALLING = ("kill", "tgkill")  # allowed only on the process itself, which may abort
_ABOUT_ITSELF = ("sched_getaffinity", "sched_getparam", "sched_getscheduler", "getpgid", "getsid")
_CLONE_THREAD = 0x10000
_F_DUPFD_CLOEXEC = 1030
_FCNTL = (*range(5), _F_DUPFD_CLOEXEC)  # no F_SETOWN: it would send signals to others
# Others could see a lock on a file that they can read too. What a student may write is its own, so
# a lock is granted without being taken: F_SETLK, F_SETLKW, and those of open file descriptions.
_LOCKS = (6, 7, 37, 38)
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # ask about a terminal; set flags
_PRCTL = (3, 15, 16)  # PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME
_MADVISE = (*range(5), 8, 14, 15)  # on memory of its own; others empty the page cache
_OPTIONS = (socket.SO_TYPE, socket.SO_ERROR, socket.SO_DOMAIN, socket.SO_PROTOCOL)
_SOCKET_TYPE = 0xF
_CLOCKS = 0xF  # the common clocks; beyond are those of processes
# To open a file with one of these makes or empties it. Before Linux 6.2 Landlock doesn't look at
# that, and a file system on a network may empty it before Landlock is asked at all.
_O_TMPFILE = os.O_TMPFILE & ~os.O_DIRECTORY
CHANGING = (os.O_CREAT, os.O_TRUNC, _O_TMPFILE)


def rules(*, may_change: bool) -> Rules:
    """Build the rules that all students' processes share; `may_change` files, if they have any.

    Raises OSError without libseccomp.
    """
    if pyseccomp is None:
        raise OSError("libseccomp can't be loaded: install the package libseccomp2")
    built = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.ENOSYS))
    for name in _ALLOWED:
        _add(built, pyseccomp.ALLOW, name)
    _limit_opening(built, may_change=may_change)
    # a datagram socket, even one of a pair, could still send to other processes' sockets
    stream = _masked(1, _SOCKET_TYPE, socket.SOCK_STREAM)
    without_address = pyseccomp.Arg(4, pyseccomp.EQ, 0)
    for name, *conditions in (
        ("clone", _masked(0, _CLONE_THREAD, _CLONE_THREAD)),
        ("socketpair", _is(0, socket.AF_UNIX), stream),
        ("sendto", without_address),
        ("prlimit64", _is(0, 0)),
        *(("fcntl", _is(1, command)) for command in _FCNTL),
        *(("ioctl", _is(1, request)) for request in _IOCTL),
        *(("prctl", _is(0, option)) for option in _PRCTL),
        *(("madvise", _is(2, advice)) for advice in _MADVISE),
        *(("getsockopt", _is(1, socket.SOL_SOCKET), _is(2, option)) for option in _OPTIONS),
        *((name, _masked(0, ~_CLOCKS, 0)) for name in ("clock_gettime", "clock_getres")),
    ):
        _add(built, pyseccomp.ALLOW, name, *conditions)
    for name, *conditions in ("flock",), *(("fcntl", _is(1, command)) for command in _LOCKS):
        _add(built, pyseccomp.ERRNO(0), name, *conditions)
    for name in _REFUSED:
        _add(built, pyseccomp.ERRNO(errno.EPERM), name)
    _add(built, pyseccomp.ERRNO(errno.EPERM), "clone", _masked(0, _CLONE_THREAD, 0))
    return built


def confine(common: Rules) -> None:
    """From now on, permanently refuse this process all calls that the rules don't allow."""
    for name in _SIGNALLING:
        itself = pyseccomp.Arg(0, pyseccomp.EQ, os.getpid())
        another = pyseccomp.Arg(0, pyseccomp.NE, os.getpid())
        _add(common, pyseccomp.ALLOW, name, itself)
        _add(common, pyseccomp.ERRNO(errno.EPERM), name, another)
    for name, pid in product(_ABOUT_ITSELF, (0, os.getpid())):
        _add(common, pyseccomp.ALLOW, name, _is(0, pid))
    common.load()


def _limit_opening(built: Rules, *, may_change: bool) -> None:
    refused = pyseccomp.ERRNO(errno.EACCES)
    for name in _CHANGES:
        _add(built, pyseccomp.ALLOW if may_change else refused, name)
    for name, flags in ("open", 1), ("openat", 2):  # those of `openat2` can't be looked at
        if may_change:
            _add(built, pyseccomp.ALLOW, name)
            continue
        for access in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR):
            _add(built, pyseccomp.ALLOW, name, _masked(flags, sum(CHANGING) | os.O_ACCMODE, access))
        for flag in CHANGING:
            _add(built, refused, name, _masked(flags, flag, flag))
        # neither to read nor to write, which Landlock doesn't ask about
        _add(built, refused, name, _masked(flags, os.O_ACCMODE, os.O_ACCMODE))


def _is(index: int, value: int) -> pyseccomp.Arg:
    return _masked(index, -1, value)


def _masked(index: int, mask: int, value: int) -> pyseccomp.Arg:
    """Compare some of the 32 bits that the kernel reads from an argument of type int."""
    return pyseccomp.Arg(index, pyseccomp.MASKED_EQ, mask & 0xFFFFFFFF, value)


def _add(built: Rules, action: int, name: str, *conditions: pyseccomp.Arg) -> None:
    if pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name) >= 0:  # else: not on this machine
        built.add_rule(action, name, *conditions)
