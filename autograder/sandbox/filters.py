"""Refuse what no homework needs: system calls by seccomp, files by Landlock."""

from __future__ import annotations

import ctypes
import errno
import os
import socket
from collections.abc import Iterable, Iterator
from pathlib import Path

import landlock
import pyseccomp

# What changes mounts, looks into other processes, loads code into the kernel, or takes memory
# that no limit counts (memfd, System V); and sockets: what is needed of them is socketpair.
_REFUSED = """
    mount umount2 pivot_root move_mount fsopen fsconfig fsmount fspick open_tree
    mount_setattr chroot unshare setns ptrace process_vm_readv process_vm_writev
    process_madvise kcmp pidfd_getfd bpf perf_event_open userfaultfd keyctl add_key
    request_key io_uring_setup io_uring_enter io_uring_register kexec_load kexec_file_load
    init_module finit_module delete_module reboot swapon swapoff acct quotactl quotactl_fd
    open_by_handle_at name_to_handle_at iopl ioperm modify_ldt syslog settimeofday
    clock_settime clock_adjtime adjtimex sethostname setdomainname personality vhangup
    memfd_secret memfd_create shmget msgget semget mq_open move_pages mbind migrate_pages
    set_mempolicy fanotify_init vmsplice mlock mlock2 mlockall socket
""".split()  # noqa: SIM905 - a line a name would fill two pages
_NEW_NAMESPACES = (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000)
_DEVICES_AND_FACTS = (
    *("/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat"),
)
_CLONE_THREAD = 0x10000
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C  # these type into a terminal


def system_calls(alone: bool) -> pyseccomp.SyscallFilter:
    """Return the filter; `load()` it in the process to be confined.

    `alone`: where no namespace hides the other processes and would end its own, it starts none
    and signals none but itself.
    """
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    refuse = pyseccomp.ERRNO(errno.EPERM)
    for name in _REFUSED:
        _add(rules, refuse, name)
    # glibc falls back to clone, whose flags can be looked at, where clone3 doesn't exist
    _add(rules, pyseccomp.ERRNO(errno.ENOSYS), "clone3")
    for flag in _NEW_NAMESPACES:
        _add(rules, refuse, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, flag, flag))
    for request in (_TIOCSTI, _TIOCLINUX):
        low_bits = pyseccomp.Arg(1, pyseccomp.MASKED_EQ, 0xFFFFFFFF, request)
        _add(rules, refuse, "ioctl", low_bits)
    _add(rules, refuse, "socketpair", pyseccomp.Arg(0, pyseccomp.NE, socket.AF_UNIX))
    for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        # a datagram pair could still send to the socket of somebody else
        _add(rules, refuse, "socketpair", pyseccomp.Arg(1, pyseccomp.MASKED_EQ, 0xF, kind))
    if alone:
        _add(rules, refuse, "fork")
        _add(rules, refuse, "vfork")
        _add(rules, refuse, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, _CLONE_THREAD, 0))
        another = pyseccomp.Arg(0, pyseccomp.NE, os.getpid())
        for name in ("kill", "tgkill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
            _add(rules, refuse, name, another)
        _add(rules, refuse, "prlimit64", pyseccomp.Arg(0, pyseccomp.NE, 0))
        for name in ("pidfd_open", "pidfd_send_signal", "setpriority", "sched_setaffinity"):
            _add(rules, refuse, name)
    return rules


def files(readable: Iterable[str], package: Path) -> None:
    """Let this process read below `readable` but not in `package`, and write nothing at all."""
    ctypes.set_errno(0)  # landlock takes an error of earlier for its own
    rules = landlock.Ruleset()
    reading = landlock.FSAccess.READ_FILE | landlock.FSAccess.EXECUTE
    for path in _without(readable, package):
        inside = landlock.FSAccess.READ_DIR if Path(path).is_dir() else landlock.FSAccess(0)
        rules.allow(path, rules=reading | inside)
    for path in _DEVICES_AND_FACTS:
        rules.allow(path, rules=landlock.FSAccess.READ_FILE)
    rules.allow("/dev/null", rules=landlock.FSAccess.READ_FILE | landlock.FSAccess.WRITE_FILE)
    rules.apply()


def _without(readable: Iterable[str], package: Path) -> Iterator[str]:
    """Yield `readable`; a directory that `package` lies in is replaced by all else in it."""
    for path in readable:
        if package == Path(path):
            continue
        if package.is_relative_to(path):
            yield from _without([str(entry) for entry in Path(path).iterdir()], package)
        elif Path(path).exists():
            yield path


def _add(rules: pyseccomp.SyscallFilter, action: int, name: str, *args: pyseccomp.Arg) -> None:
    if pyseccomp.resolve_syscall(pyseccomp.system_arch(), name) >= 0:  # else: not on this machine
        rules.add_rule(action, name, *args)
