"""What a command takes: time, processor time and memory, of it and of all that it starts."""

import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.processes import adopt_orphans, descendants

_EVERY = 0.5  # seconds between two looks at the memory


@dataclass(frozen=True)
class Usage:
    wall: float  # seconds
    cpu: float  # seconds, of all processes together
    memory: int  # bytes, the most that all processes together held; shared pages count once


def run(command: Sequence[str], root: Path) -> Usage:
    """Run `command` in `root` and measure it; raise `CalledProcessError` if it fails."""
    adopt_orphans()
    others, looks, over = set(descendants(os.getpid())), [0], threading.Event()
    watch = threading.Thread(target=_watch_memory, args=(looks, over), daemon=True)
    before, started = _cpu_of_children(), time.perf_counter()
    watch.start()
    try:
        subprocess.run(command, cwd=root, env=environment(), capture_output=True, check=True)
    finally:
        over.set()
        watch.join()
    wall = time.perf_counter() - started
    while set(descendants(os.getpid())) - others:  # all that it started has to end
        os.wait()
    return Usage(wall, _cpu_of_children() - before, max(looks))


def environment() -> dict[str, str]:
    """Return this process's environment, where nbgrader finds its own programs."""
    bin_folder = str(Path(sys.executable).parent)
    return os.environ | {"PATH": os.pathsep.join([bin_folder, os.environ["PATH"]])}


def _watch_memory(looks: list[int], over: threading.Event) -> None:
    """Look now and then at the memory of all that descends from this process."""
    while not over.wait(_EVERY):
        looks.append(sum(map(memory_of, descendants(os.getpid()))))


def memory_of(pid: int) -> int:
    """Return the proportional share of a process in bytes; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
