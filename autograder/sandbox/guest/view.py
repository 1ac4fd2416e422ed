"""The view of the disk that a student's process has: libraries, interpreter, packages, read-only.

Everything else is hidden, including this package and the course, even if they are installed among
the packages. Two mechanisms provide this view: a root directory made of mounts, or Landlock rules.
"""

import ctypes
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import landlock

from autograder.sandbox import kernel
from autograder.sandbox.readable import aliases, is_inside, readable

# in the root directory that `enter_root` makes
HOME = "/student"
FILES = "/files"  # that an instructor gives to students
_PACKAGE = Path(__file__).resolve().parents[2]
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
# torch reads these to choose its kernels
_HARDWARE = ("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/sys/devices/system/cpu")
_BASE, _OLD = "/tmp", "/.old"  # noqa: S108 - any directory will do, in a namespace of our own
_QUIET = kernel.MS_NOSUID | kernel.MS_NODEV


def enter_root(hidden: Iterable[str], files: str) -> None:
    """Build a root directory in a new mount namespace and move into it permanently.

    Over `hidden` paths, and this package, something empty is mounted; `files` are for students.
    """
    covered = [name for path in (_PACKAGE, *map(Path, hidden)) for name in aliases(path)]
    sources, present = {path: os.path.realpath(path) for path in readable()}, _present()
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    _mount_tmpfs(_BASE, "size=1m,nr_inodes=4k,mode=755")
    Path(_BASE + _OLD).mkdir()
    kernel.pivot_root(_BASE, _BASE + _OLD)
    for path, source in sources.items():
        _show(path, source)
        kernel.make_readonly(path)
    for name in covered:
        if name.is_dir():
            _mount_tmpfs(str(name), "size=4k,mode=555")
        elif name.exists():
            kernel.mount(f"{_OLD}/dev/null", str(name), None, kernel.MS_BIND)
    for path in present:
        _show(path, path)
    if files:
        _show(FILES, files)
        kernel.make_readonly(FILES)
    Path(HOME).mkdir()
    if not Path(_BASE).exists():  # it exists if packages lie in it
        Path(_BASE).symlink_to(HOME)
    kernel.unmount(_OLD)
    Path(_OLD).rmdir()
    kernel.make_readonly("/", recursive=False)


def restrict_files(hidden: Iterable[str], files: str) -> None:
    """Restrict this process with Landlock: it may read the view, and write only to /dev/null."""
    covered = [_PACKAGE, *map(Path, hidden)]
    ctypes.set_errno(0)  # the landlock package takes an earlier error for its own
    rules = landlock.Ruleset()
    reading = landlock.FSAccess.READ_FILE | landlock.FSAccess.EXECUTE
    listing = landlock.FSAccess.READ_DIR
    for path in (*_all_but(covered, map(Path, readable())), *map(Path, _present())):
        rules.allow(path, rules=reading | listing if path.is_dir() else reading)
    for name in readable():
        if any(is_inside(str(path), name) for path in covered):  # imports list directories
            rules.allow(name, rules=listing)
    if files:
        rules.allow(files, rules=reading | listing)
    rules.allow("/dev/null", rules=landlock.FSAccess.READ_FILE | landlock.FSAccess.WRITE_FILE)
    rules.apply()


def mount_home(megabytes: int, uid: int, *, with_files: bool) -> None:
    """Mount a home directory for the student, in a new mount namespace.

    It is empty but for the files that the instructor gives, each mounted read-only.
    """
    _mount_tmpfs(HOME, f"size={megabytes}m,nr_inodes=4k,mode=700,uid={uid}")
    for source in Path(FILES).iterdir() if with_files else ():
        target = Path(HOME, source.name)
        if source.is_dir():
            target.mkdir()
        else:
            target.touch()
        kernel.mount(str(source), str(target), None, kernel.MS_BIND)
        kernel.make_readonly(str(target))


def _present() -> list[str]:
    return [path for path in (*_DEVICES, *_HARDWARE) if Path(path).exists()]


def _all_but(hidden: Iterable[Path], paths: Iterable[Path]) -> Iterator[Path]:
    """Yield `paths`, but replace a directory that holds something `hidden` by its other entries."""
    for path in paths:
        real = path.resolve()
        if any(real.is_relative_to(each) for each in hidden):
            continue
        if any(each.is_relative_to(real) for each in hidden):
            yield from _all_but(hidden, path.iterdir())
        else:
            yield path


def _show(path: str, source: str) -> None:
    """Mount `source` of the old root at `path` in the new one."""
    if Path(_OLD + source).is_dir():
        Path(path).mkdir(parents=True, exist_ok=True)
    else:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).touch()
    kernel.mount(_OLD + source, path, None, kernel.MS_BIND | kernel.MS_REC)


def _mount_tmpfs(target: str, options: str) -> None:
    kernel.mount("tmpfs", target, "tmpfs", _QUIET, options)
