"""A kernel limit on the memory of students' processes, where we may create control groups.

The limit on a process's address space applies first: it raises MemoryError where the memory is
requested. This limit adds memory outside the address space: files in memory, copied pages.
"""

import errno
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

from autograder.sandbox.host.program import left_in, new_name

_ROOT = Path("/sys/fs/cgroup")
_SLACK_MB = 32  # for the pages that a fork copies, page tables, and the like


# The files of each version of the interface: the limit, that on swap, and what was killed.
_V1 = ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control")
_V2 = ("memory.max", "memory.swap.max", "memory.events")


class MemoryGroup:
    """A control group that the processes forked by one warm process join one after the other."""

    def __init__(self, folder: Path, files: tuple[str, str, str], limit_mb: int) -> None:
        limit = (limit_mb + _SLACK_MB) << 20
        memory, swap, self._events = (folder / name for name in files)
        self._folder = folder
        folder.mkdir()
        memory.write_text(str(limit))
        if swap.exists():  # in version 1 it limits memory and swap together
            swap.write_text(str(limit if files == _V1 else 0))
        # a process that writes "0" to this file joins the group
        self.members = os.open(folder / "cgroup.procs", os.O_WRONLY)

    @property
    def kills(self) -> int:
        found = re.search(r"^oom_kill (\d+)$", self._events.read_text(), re.MULTILINE)
        return int(found[1]) if found else 0

    def close(self) -> None:
        os.close(self.members)
        _remove(self._folder)


def memory_group(limit_mb: int) -> MemoryGroup | None:
    """Create a group; return None if we may not."""
    for folder, files in _parents():
        for left in left_in(folder):
            _remove(left)
        own = folder / new_name()
        try:
            return MemoryGroup(own, files, limit_mb)
        except OSError:
            _remove(own)
    return None


def _parents() -> Iterator[tuple[Path, tuple[str, str, str]]]:
    """Yield the groups below which ours could be created: this process's own, or one above it."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "memory":
            yield _ROOT / "memory" / path.lstrip("/"), _V1
        elif not controllers:
            own = _ROOT / path.lstrip("/")
            for folder in (own, *own.parents):
                control = folder / "cgroup.subtree_control"
                if control.is_file() and "memory" in control.read_text().split():
                    yield folder, _V2


def _remove(folder: Path) -> None:
    for _ in range(20):
        try:
            folder.rmdir()
            return
        except OSError as error:
            if error.errno != errno.EBUSY:  # else its last process is still being reaped
                return
            time.sleep(0.005)
