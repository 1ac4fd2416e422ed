"""The system calls that homework needs. All others fail, including those of later kernels.

A student's process computes, starts threads, reads files and writes its own. It can't start other
processes, so none can escape the grader's notice; it can signal only itself, and its only socket
is the one that it was given.
"""

from __future__ import annotations

import errno
import os
import socket
from typing import Any

try:
    import pyseccomp
except (ImportError, RuntimeError):  # level `unsafe` works without it
    pyseccomp = None

Rules = Any  # a pyseccomp.SyscallFilter, or None

_FILES = """
    read readv pread64 preadv preadv2 write writev pwrite64 pwritev pwritev2 lseek close close_range
    open openat openat2 creat stat lstat fstat newfstatat statx access faccessat faccessat2
    readlink readlinkat getdents getdents64 getcwd chdir fchdir statfs fstatfs umask
    mkdir mkdirat rmdir rename renameat renameat2 unlink unlinkat link linkat symlink symlinkat
    dup dup2 dup3 pipe pipe2 ftruncate fallocate fadvise64 fsync fdatasync flock sendfile
    copy_file_range
"""
_MEMORY = "brk mmap munmap mremap mprotect madvise mincore msync membarrier get_mempolicy"
_THREADS = """
    futex futex_waitv set_robust_list set_tid_address rseq gettid sched_yield sched_getaffinity
    sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min getcpu
    arch_prctl exit exit_group wait4 waitid
"""
_SIGNALS = """
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend
    sigaltstack restart_syscall pause alarm getitimer setitimer
    timer_create timer_settime timer_gettime timer_getoverrun timer_delete
"""
_TIME = "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getrandom"
_WAITING = """
    poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
    epoll_pwait2 eventfd eventfd2 timerfd_create timerfd_settime timerfd_gettime
"""
_CHANNEL = "recvfrom recvmsg shutdown getsockopt setsockopt getsockname getpeername"
_IDENTITY = """
    getpid getppid getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp getpgid
    getsid uname sysinfo getrusage getrlimit setrlimit getpriority capget
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
_CLONE_THREAD = 0x10000
_F_DUPFD_CLOEXEC = 1030
_FCNTL = (*range(8), 36, 37, 38, _F_DUPFD_CLOEXEC)  # no F_SETOWN: it would send signals to others
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # ask about a terminal; set flags
_PRCTL = (3, 15, 16)  # PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME
_SOCKET_TYPE = 0xF


def rules() -> Rules:
    """Build the rules that all students' processes share. Raises OSError without libseccomp."""
    if pyseccomp is None:
        raise OSError("libseccomp can't be loaded: install the package libseccomp2")
    built = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.ENOSYS))
    for name in _ALLOWED:
        _add(built, pyseccomp.ALLOW, name)
    # a datagram socket, even one of a pair, could still send to other processes' sockets
    stream = pyseccomp.Arg(1, pyseccomp.MASKED_EQ, _SOCKET_TYPE, socket.SOCK_STREAM)
    without_address = pyseccomp.Arg(4, pyseccomp.EQ, 0)
    for name, *conditions in (
        ("clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, _CLONE_THREAD, _CLONE_THREAD)),
        ("socketpair", _is(0, socket.AF_UNIX), stream),
        ("sendto", without_address),
        ("prlimit64", _is(0, 0)),
        *(("fcntl", _is(1, command)) for command in _FCNTL),
        *(("ioctl", _is(1, request)) for request in _IOCTL),
        *(("prctl", _is(0, option)) for option in _PRCTL),
    ):
        _add(built, pyseccomp.ALLOW, name, *conditions)
    for name in _REFUSED:
        _add(built, pyseccomp.ERRNO(errno.EPERM), name)
    a_process = pyseccomp.Arg(0, pyseccomp.MASKED_EQ, _CLONE_THREAD, 0)
    _add(built, pyseccomp.ERRNO(errno.EPERM), "clone", a_process)
    return built


def confine(common: Rules) -> None:
    """From now on, permanently refuse this process all calls that the rules don't allow."""
    for name in _SIGNALLING:
        itself = pyseccomp.Arg(0, pyseccomp.EQ, os.getpid())
        another = pyseccomp.Arg(0, pyseccomp.NE, os.getpid())
        _add(common, pyseccomp.ALLOW, name, itself)
        _add(common, pyseccomp.ERRNO(errno.EPERM), name, another)
    common.load()


def _is(index: int, value: int) -> pyseccomp.Arg:
    """Compare the 32 bits that the kernel reads from an argument of type int."""
    return pyseccomp.Arg(index, pyseccomp.MASKED_EQ, 0xFFFFFFFF, value)


def _add(built: Rules, action: int, name: str, *conditions: pyseccomp.Arg) -> None:
    if pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name) >= 0:  # else: not on this machine
        built.add_rule(action, name, *conditions)
