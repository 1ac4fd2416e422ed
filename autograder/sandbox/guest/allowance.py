"""Resource limits that the kernel enforces on a process, on every level of isolation."""

from __future__ import annotations

import resource
from dataclasses import dataclass
from pathlib import Path

from autograder.sandbox import kernel
from autograder.sandbox.limits import Limits


@dataclass(frozen=True)
class Allowance:
    """The resources of a student's process: its limits on top of what is in use at the fork."""

    limits: Limits
    mapped: int  # bytes of address space: torch alone maps gigabytes
    resident: int  # bytes in memory
    tasks: int  # threads of the same user, which the kernel counts too

    @classmethod
    def beyond_present_use(cls, limits: Limits, uid: int) -> Allowance:
        """Measure the memory of this process and the number of threads of `uid`."""
        mapped, resident = kernel.memory_in_use()
        return cls(limits, mapped, resident, sum(map(_count_threads, _processes_of(uid))))

    def apply(self, seconds: int) -> None:
        """Limit this process permanently, to `seconds` of processor time among other things."""
        limits = self.limits
        for resource_type, value in (
            (resource.RLIMIT_AS, self.mapped + (limits.memory_mb << 20)),
            (resource.RLIMIT_NPROC, self.tasks + limits.threads),
            (resource.RLIMIT_NOFILE, limits.open_files),
            (resource.RLIMIT_FSIZE, limits.file_mb << 20),
            (resource.RLIMIT_CPU, seconds),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_MEMLOCK, 0),
            (resource.RLIMIT_MSGQUEUE, 0),
        ):
            resource.setrlimit(resource_type, (value, value))


def _processes_of(uid: int) -> list[Path]:
    return [entry for entry in Path("/proc").glob("[0-9]*") if _owner(entry) == uid]


def _owner(process: Path) -> int:
    try:
        return process.stat().st_uid
    except FileNotFoundError:  # it has just ended
        return -1


def _count_threads(process: Path) -> int:
    try:
        return len(list((process / "task").iterdir()))
    except OSError:  # it has just ended
        return 0
