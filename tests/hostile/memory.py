"""The most memory that a grader takes: the process itself, and those that it started for its work.

    python -m tests.hostile.memory PID

watches from outside and answers each line on its input by what was seen since the line before.
Students' processes don't count: they have limits of their own.
"""

import contextlib
import os
import select
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.processes import descendants

_EVERY = 0.1  # seconds between two looks; the kernel keeps the peak of what still runs
_NOT_THE_GRADERS = (b"autograder.sandbox.guest.warm", b"tests.hostile.memory")


@dataclass(frozen=True)
class Memory:
    """The most that was resident, in bytes, of the head and of any other of its processes."""

    head: int = 0
    others: int = 0

    @property
    def most(self) -> int:
        return max(self.head, self.others)


class MemoryWatch:
    """Watches a process and its descendants, until it is closed."""

    def __init__(self, pid: int) -> None:
        command = [sys.executable, "-m", "tests.hostile.memory", str(pid)]
        pipe = subprocess.PIPE
        self._program = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
        self.peak()  # it is at work

    def peak(self) -> Memory:
        """Return the most since the last time."""
        assert self._program.stdin is not None and self._program.stdout is not None
        self._program.stdin.write("\n")
        self._program.stdin.flush()
        head, others = map(int, self._program.stdout.readline().split())
        return Memory(head, others)

    def close(self) -> None:
        self._program.communicate("")


def main() -> None:
    pid, head, others = int(sys.argv[1]), 0, 0
    while True:
        asked, _, _ = select.select([sys.stdin], [], [], _EVERY)
        head = max(head, _peak_of(pid))
        started = descendants(pid) - {os.getpid()}
        others = max([others, *(_peak_of(each) for each in started if _is_the_graders(each))])
        if asked:
            if not sys.stdin.readline():
                return
            print(head, others, flush=True)
            head = others = 0
            for each in (pid, *started):
                with contextlib.suppress(OSError):  # another user's, or it has ended
                    Path(f"/proc/{each}/clear_refs").write_text("5")  # forget the peak


def _peak_of(pid: int) -> int:
    """Return the most that a process held, in bytes; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:"))


def _is_the_graders(pid: int) -> bool:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return not any(name in command for name in _NOT_THE_GRADERS)


if __name__ == "__main__":
    main()
