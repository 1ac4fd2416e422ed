"""What Python 3.11 doesn't wrap of the kernel; each raises OSError when the kernel refuses it."""

import ctypes
import os
import resource
import signal
import time
from pathlib import Path

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV = 2, 4
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
CAP_DAC_READ_SEARCH = 2

_MOUNT_SETATTR, _AT_FDCWD, _AT_RECURSIVE = 442, -100, 0x8000
_MOUNT_ATTR_RDONLY_NOSUID_NODEV = 1 | 2 | 4
_MNT_DETACH = 2
_PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4  # regain access to /proc/self: a change of user makes its files root's
PR_SET_KEEPCAPS = 8  # keep the permitted capabilities across the next `setresuid`
PR_SET_NO_NEW_PRIVS = 38  # make set-uid bits ineffective for this process and its descendants
LANDLOCK_ABI = "AUTOGRADER_LANDLOCK_ABI"  # a variable that lowers it: tests try older kernels so
_LANDLOCK_CREATE_RULESET, _VERSION = 444, 1
_CAPABILITY_VERSION_3 = 0x20080522
_CPUCLOCK_PROF, _CPUCLOCK_SCHED = 0, 2  # of <linux/posix-timers.h>


def unshare(flags: int) -> None:
    """Move this process into new namespaces; a new pid namespace holds its future children."""
    _check(_libc.unshare(flags), "unshare")


def enter_namespace(fd: int) -> None:
    """Move this process into an open namespace; a pid namespace holds its future children."""
    _check(_libc.setns(fd, 0), "setns")


def mount(source: str | None, target: str, fs_type: str | None, flags: int, data: str = "") -> None:
    names = (name.encode() if name is not None else None for name in (source, target, fs_type))
    _check(_libc.mount(*names, ctypes.c_ulong(flags), data.encode()), f"mount on {target}")


def make_readonly(target: str, recursive: bool = True) -> None:
    """Make a mount read-only, without set-uid programs and devices (Linux 5.12)."""
    attributes = (ctypes.c_uint64 * 4)(_MOUNT_ATTR_RDONLY_NOSUID_NODEV, 0, 0, 0)
    flags = _AT_RECURSIVE if recursive else 0
    size = ctypes.sizeof(attributes)
    result = _libc.syscall(_MOUNT_SETATTR, _AT_FDCWD, target.encode(), flags, attributes, size)
    _check(result, f"mount_setattr of {target}")


def pivot_root(root: str, old: str) -> None:
    """Make `root` the root directory; the old one appears at `old`, a directory below `root`."""
    _check(_libc.pivot_root(root.encode(), old.encode()), "pivot_root")
    os.chdir("/")


def unmount(target: str) -> None:
    """Detach a mount and those below it; they disappear as soon as nobody uses them."""
    _check(_libc.umount2(target.encode(), _MNT_DETACH), f"umount of {target}")


def die_with_parent() -> None:
    """Die when the thread that started this process ends; `setresuid` silently resets that."""
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def prctl(option: int, value: int = 1) -> None:
    _check(_libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0), "prctl")


def limit_capabilities(*kept: int) -> None:
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; then those above 31
    _check(_libc.capget(header, sets), "capget")
    left = sets[1] & sum(1 << capability for capability in kept)
    sets = (ctypes.c_uint32 * 6)(left, left, 0)
    _check(_libc.capset(header, sets), "capset")


def landlock_abi() -> int:
    """Return the version of Landlock that this kernel has; 0 if it has none."""
    here = max(0, int(_libc.syscall(_LANDLOCK_CREATE_RULESET, None, 0, _VERSION)))
    return min(here, int(os.environ.get(LANDLOCK_ABI, here)))


def memory_in_use() -> tuple[int, int]:
    """Return the bytes of address space of this process, and those of them that are in memory."""
    mapped, resident, *_ = map(int, Path("/proc/self/statm").read_text().split())
    page = resource.getpagesize()
    return mapped * page, resident * page


def processor_time(pid: int, *, as_limited: bool = False) -> float:
    """Return the seconds of the processor of all threads, exactly, or as RLIMIT_CPU counts them."""
    kind = _CPUCLOCK_PROF if as_limited else _CPUCLOCK_SCHED
    return time.clock_gettime((~pid << 3) | kind)  # as clock_getcpuclockid(3) computes it


def queueing_time(schedstat: int) -> float:
    """Return the seconds that a thread wanted a core and got none, by its open file `schedstat`."""
    return int(os.pread(schedstat, 64, 0).split()[1]) / 1e9


def _check(result: int, what: str) -> None:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
