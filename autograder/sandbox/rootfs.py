"""A root directory of the student's own: system and interpreter to read, little to write."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from autograder.sandbox import kernel

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
_FILES = ("/etc/ld.so.cache", "/etc/localtime")
_DEVICES = ("null", "zero", "full", "random", "urandom")
# torch looks for these, and complains on stderr if they are gone
_FACTS = ("/proc/cpuinfo", "/proc/meminfo", "/proc/stat")
PACKAGE = Path(__file__).resolve().parents[1]  # ours: nobody's business in there
_ROOT = "/tmp"  # noqa: S108 - any directory will do: it is covered in a namespace of its own
_QUIET = kernel.MS_NOSUID | kernel.MS_NODEV


def _readable() -> tuple[str, ...]:
    """Return what student code may read: no path lies inside another."""
    interpreter = {sys.prefix, sys.base_prefix}
    interpreter |= {path for path in sys.path if "site-packages" in path and Path(path).is_dir()}
    paths = sorted({*_SYSTEM, *interpreter, *_FILES})
    present = [path for path in paths if os.path.lexists(path)]
    return tuple(
        path
        for path in present
        if not any(path != other and Path(path).is_relative_to(other) for other in present)
    )


READABLE = _readable()


def build(writable_mb: int) -> None:
    """Build the root in a new mount namespace and move into it; home is `/student`."""
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    _tmpfs(_ROOT, "size=1m,nr_inodes=4k,mode=755")
    for path in READABLE:
        _bind_readonly(path)
    if Path(_ROOT + str(PACKAGE)).is_dir():
        _tmpfs(_ROOT + str(PACKAGE), "size=4k,nr_inodes=4,mode=555")
    for name in _DEVICES:
        _bind(f"/dev/{name}")
    for folder in ("/tmp", "/student", "/dev/shm"):  # noqa: S108 - of a root of its own
        Path(_ROOT + folder).mkdir(parents=True)
        _tmpfs(_ROOT + folder, f"size={writable_mb}m,nr_inodes=4k,mode=1777")
    _proc()
    kernel.pivot_root(_ROOT)
    kernel.make_readonly("/", with_those_below=False)
    os.chdir("/student")


def _tmpfs(target: str, options: str) -> None:
    kernel.mount("tmpfs", target, "tmpfs", _QUIET, options)


def _bind(path: str) -> str:
    """Show a file or directory of the real root at the same place in the new one."""
    target = Path(_ROOT + path)
    if Path(path).is_dir():
        target.mkdir(parents=True, exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    kernel.mount(path, str(target), None, kernel.MS_BIND | kernel.MS_REC)
    return str(target)


def _bind_readonly(path: str) -> None:
    if Path(path).is_symlink():  # /bin → usr/bin
        Path(_ROOT + path).symlink_to(Path(path).readlink())
        return
    kernel.make_readonly(_bind(path))


def _proc() -> None:
    """Mount a /proc that shows the new pid namespace alone; where that is refused, nearly none."""
    target = Path(_ROOT + "/proc")
    target.mkdir()
    try:
        kernel.mount("proc", str(target), "proc", _QUIET | kernel.MS_NOEXEC)
    except OSError:
        _tmpfs(str(target), "size=64k,mode=555")
        for fact in _FACTS:
            _bind(fact)
