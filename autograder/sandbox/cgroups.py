"""Control groups: the kernel's count of a student's memory and processes, where we may use them."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

from autograder.sandbox.limits import Limits

_ROOT = Path("/sys/fs/cgroup")
_NAME = "autograder-{grader}-{slot}"


class Cgroups:
    """The groups of one warm process; every student's process of it joins them in turn.

    Where none can be made there are none: the limits of the process itself then stand alone.
    """

    def __init__(self, slot: int, limits: Limits) -> None:
        name = _NAME.format(grader=os.getpid(), slot=slot)
        memory = {"memory.limit_in_bytes": limits.memory_mb << 20}
        unified = {"memory.max": limits.memory_mb << 20, "pids.max": limits.processes}
        wanted = [
            (_own_folder("memory"), memory),
            (_own_folder("pids"), {"pids.max": limits.processes}),
            (_own_folder(""), unified),
        ]
        self.folders = tuple(
            folder / name for folder, values in wanted if folder and _make(folder / name, values)
        )
        self._kills = self._count_kills()

    def killed(self) -> bool:
        """Tell whether the kernel killed a process for its memory since the last time asked."""
        before, self._kills = self._kills, self._count_kills()
        return self._kills > before

    def close(self) -> None:
        """Remove the groups, which must be empty by now."""
        for folder in self.folders:
            _remove(folder)

    def _count_kills(self) -> int:
        counts = [_read(folder / name) for folder in self.folders for name in _COUNTS]
        return sum(int(n) for text in counts for n in re.findall(r"^oom_kill (\d+)$", text, re.M))


_COUNTS = ("memory.oom_control", "memory.events")


def sweep() -> None:
    """Remove the groups that graders left behind that were killed."""
    for controller in ("memory", "pids", ""):
        folder = _own_folder(controller)
        for group in folder.glob(_NAME.format(grader="*", slot="*")) if folder else ():
            if not Path("/proc", group.name.split("-")[1]).exists():
                _remove(group)


def _own_folder(controller: str) -> Path | None:
    """Return where this process's group of a controller lies (the empty one: version 2's)."""
    for names, path in _memberships():
        if controller in names.split(","):
            folder = _ROOT / controller / path.lstrip("/")
            return folder if (folder / "cgroup.procs").is_file() else None
    return None


def _memberships() -> Iterator[tuple[str, str]]:
    for line in _read(Path("/proc/self/cgroup")).splitlines():
        _, names, path = line.split(":", 2)
        yield names, path


def _make(folder: Path, values: dict[str, int]) -> bool:
    try:
        folder.mkdir()
        for name, value in values.items():
            (folder / name).write_text(str(value))
    except OSError:
        _remove(folder)
        return False
    return True


def _remove(folder: Path) -> None:
    for _ in range(100):
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:  # its last process is still being buried
            time.sleep(0.01)
        else:
            return


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
