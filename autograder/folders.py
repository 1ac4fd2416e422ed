"""Folders that this program makes for a while and removes again; it removes no other.

Each holds a lock, which its maker keeps while it lives, and which names the folder: so what a
killed maker left is told from what somebody else keeps under a name like ours.
"""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PREFIX = "autograder-"
_LOCK = "lock"
MAX_LOCK = 4096  # bytes of what is read of one


@dataclass(frozen=True)
class OwnFolder:
    """A folder that is kept while this process and its forks live; others may work in `path`."""

    path: Path
    _lock: int

    def note_group(self, group: Path) -> None:
        """Note a control group that goes with the folder, if its maker is killed."""
        os.write(self._lock, f"{_identity(group)} {group}\n".encode())


@contextlib.contextmanager
def own_folder() -> Iterator[OwnFolder]:
    """Make a folder below TMPDIR, and remove it at the end; remove what killed makers left, too.

    Nobody else can list it, but other users can reach the `path` in it, if that lets them.
    """
    _remove_abandoned(Path(tempfile.gettempdir()))
    outer = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
    lock = os.open(outer / _LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    identity = _identity(outer)
    try:
        with contextlib.suppress(OSError):  # no locks there: then it is never taken for abandoned
            fcntl.flock(lock, fcntl.LOCK_EX)
            os.write(lock, f"{identity}\n".encode())
        outer.chmod(0o711)
        (outer / "work").mkdir(0o700)
        yield OwnFolder(outer / "work", lock)
    finally:
        with contextlib.suppress(OSError):
            if _identity(outer) == identity:
                remove_tree(outer, ignore_errors=True)
        os.close(lock)


def remove_tree(folder: Path, *, ignore_errors: bool = False) -> None:
    """Remove a folder and all in it; raise NotADirectoryError for a link, whatever it leads to."""
    if folder.is_symlink():
        raise NotADirectoryError(f"{folder} is a link")
    shutil.rmtree(folder, ignore_errors=ignore_errors)


def _remove_abandoned(parent: Path) -> None:
    for outer in parent.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError, ValueError):  # it isn't ours, or was removed meanwhile
            groups = _abandoned(outer)
            for identity, group in groups:
                if _identity(group) == identity:
                    group.rmdir()
            remove_tree(outer, ignore_errors=True)


def _abandoned(outer: Path) -> list[tuple[str, Path]]:
    """Return the control groups that a killed maker left with a folder; raise OSError if it isn't.

    A folder that its lock doesn't name raises ValueError.
    """
    folder = os.open(outer, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(folder).st_uid != os.geteuid():
            raise PermissionError(f"{outer} is somebody else's")
        lock = os.open(_LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # its maker has ended
            named, *groups = os.read(lock, MAX_LOCK).decode().splitlines()
        finally:
            os.close(lock)
    finally:
        os.close(folder)
    if named != _identity(outer):
        raise ValueError(f"{outer} has another's lock")
    return [(identity, Path(path)) for identity, path in (line.split(" ", 1) for line in groups)]


def _identity(path: Path) -> str:
    found = path.lstat()
    return f"{found.st_dev}:{found.st_ino}"
