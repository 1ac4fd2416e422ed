"""The system calls that Python 3.11 has no name for; each raises OSError when refused."""

from __future__ import annotations

import ctypes
import os
import platform

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18

_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}[platform.machine()]
_MOUNT_SETATTR, _AT_FDCWD, _AT_RECURSIVE = 442, -100, 0x8000
_MOUNT_ATTR_RDONLY_NOSUID_NODEV = 1 | 2 | 4
_MNT_DETACH = 2
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_DROP = 1, 4, 24
_PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS, _PR_CAP_AMBIENT = 36, 38, 47
_CAPABILITIES = 64  # more than any kernel has; the loop ends at the first that is unknown
_CAPABILITY_VERSION_3 = 0x20080522


def unshare(flags: int) -> None:
    """Move this process into new namespaces."""
    _check(_libc.unshare(flags), "unshare")


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """Mount a file system, or change a mount."""
    names = (name.encode() if name is not None else None for name in (source, target, kind))
    _check(_libc.mount(*names, ctypes.c_ulong(flags), data.encode()), f"mount on {target}")


def make_readonly(target: str, with_those_below: bool = True) -> None:
    """Make a mount read-only, without set-uid programs and devices (Linux 5.12)."""
    attributes = (ctypes.c_uint64 * 4)(_MOUNT_ATTR_RDONLY_NOSUID_NODEV, 0, 0, 0)
    flags = _AT_RECURSIVE if with_those_below else 0
    size = ctypes.sizeof(attributes)
    result = _libc.syscall(_MOUNT_SETATTR, _AT_FDCWD, target.encode(), flags, attributes, size)
    _check(result, f"mount_setattr of {target}")


def pivot_root(root: str) -> None:
    """Make `root` the root directory and let go of the old one."""
    os.chdir(root)
    _check(_libc.syscall(_PIVOT_ROOT, b".", b"."), "pivot_root")
    _check(_libc.umount2(b".", _MNT_DETACH), "umount")
    os.chdir("/")


def die_with_parent(signal: int) -> None:
    """Ask for `signal` when the parent ends. `setresuid` silently takes this back."""
    _prctl(_PR_SET_PDEATHSIG, signal)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent has ended."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def set_dumpable(allowed: bool) -> None:
    """Allow or forbid other processes of the same user to look into this one."""
    _prctl(_PR_SET_DUMPABLE, int(allowed))


def no_new_privileges() -> None:
    """Make set-uid programs powerless for this process and all that it starts."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def drop_capabilities() -> None:
    """Give up every capability, for good."""
    for capability in range(_CAPABILITIES):
        if _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) < 0:
            break  # unknown to this kernel, or we may not: there is nothing to drop then
    _libc.prctl(_PR_CAP_AMBIENT, 4, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    none = (ctypes.c_uint32 * 6)()
    _check(_libc.capset(header, none), "capset")


def _prctl(option: int, value: int) -> None:
    _check(_libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0), "prctl")


def _check(result: int, what: str) -> None:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
