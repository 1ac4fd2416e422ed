"""Locks on parts of a course. Each says who holds it, so that a command that waits can tell.

The system frees a lock as soon as its holder ends, even if it is killed. Some network file systems
lock for one machine alone; so a note beside the lock names the holder, and only one machine can
make it. A note that another machine has left may be a dead holder's: nobody here can know, so a
person is told which file to delete.
"""

import json
import os
import shlex
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from getpass import getuser
from pathlib import Path
from typing import Self

from filelock import FileLock, Timeout

from autograder.course.course import Course
from autograder.course.saving import save_first
from autograder.errors import shown

_PATIENCE = 1.0  # seconds for which a run waits silently, and between two looks
_MAX_COMMAND = 200  # characters
_BOOT = Path("/proc/sys/kernel/random/boot_id")  # the same in all containers of a machine


@dataclass(frozen=True)
class Holder:
    """Who holds a lock: a process, and where it runs."""

    host: str
    boot: str
    pid: int
    user: str
    since: str
    command: str

    @classmethod
    def here(cls) -> Self:
        program = Path(sys.argv[0]).name.replace("__main__.py", "autograder")
        return cls(
            host=socket.gethostname(),
            boot=_boot(),
            pid=os.getpid(),
            user=user_name(),
            since=f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC",
            command=shlex.join([program, *sys.argv[1:]])[:_MAX_COMMAND],
        )

    @property
    def is_elsewhere(self) -> bool:
        """Tell whether it runs on another machine, so that nobody here can see whether it lives."""
        return self.boot != _boot() and self.host != socket.gethostname()

    def __str__(self) -> str:
        return shown(
            f"{self.user} with `{self.command}`, process {self.pid} on {self.host}, "
            f"since {self.since}"
        )


def user_name() -> str:
    """Return the name that the system has for the user who runs this."""
    try:
        return getuser()
    except (KeyError, OSError):  # the system knows no name of this user
        return f"user {os.getuid()}"


def submissions_lock(course: Course) -> AbstractContextManager[None]:
    """Let only one process at a time change who is in the course, and what they handed in."""
    doing = "another run is changing this course's submissions or its roster"
    return course_lock(course, "submissions", doing)


@contextmanager
def course_lock(course: Course, name: str, doing: str) -> Iterator[None]:
    """Let only one process at a time do something; say who does if this one has to wait."""
    course.work.mkdir(exist_ok=True)
    lock, note = FileLock(course.work / f"{name}.lock"), course.work / f"{name}.holder"
    told = ""
    while not _taken(lock, note):
        if (said := f"Waiting: {doing}{_by_whom(note)}.") != told:
            print(said, file=sys.stderr)
            told = said
    try:
        yield
    finally:
        note.unlink(missing_ok=True)
        lock.release()


def _by_whom(note: Path) -> str:
    holder = _noted(note)
    if holder is None:
        return ""
    if not holder.is_elsewhere:
        return f" ({holder})"
    return (
        f" ({holder}). If that process doesn't run any more, delete {shown(str(note))}, or run "
        "anything of the kind there"
    )


def _taken(lock: FileLock, note: Path) -> bool:
    """Take a lock, of the system and by a note beside it; tell whether nobody else has it."""
    try:
        lock.acquire(timeout=_PATIENCE)
    except Timeout:
        return False
    try:
        while not save_first(json.dumps(asdict(Holder.here())).encode(), note):
            holder = _noted(note)
            if holder is not None and holder.is_elsewhere:
                lock.release()
                time.sleep(_PATIENCE)
                return False
            note.unlink(missing_ok=True)  # of one that was killed: the system gave us its lock
    except BaseException:
        lock.release()
        raise
    return True


def _noted(note: Path) -> Holder | None:
    """Return the holder that a note names; None if there is no note, or it is damaged."""
    try:
        return Holder(**json.loads(note.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _boot() -> str:
    with suppress(OSError):
        return _BOOT.read_text().strip()
    return ""
