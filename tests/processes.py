"""What runs on this machine, and whose it is."""

import ctypes
import os
from contextlib import suppress
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36


def descendants(pid: int) -> set[int]:
    """Return the processes that `pid` started, those that these started, and so on."""
    parents = {int(path.parent.name): _parent(path) for path in Path("/proc").glob("[0-9]*/stat")}
    found = {pid}
    while more := {child for child, of in parents.items() if of in found} - found:
        found |= more
    return found - {pid}


def is_running(pid: int) -> bool:
    """Tell whether there is such a process that hasn't ended."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]
    except OSError:
        return False


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends."""
    if ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError("this process can't adopt orphans")


def bury_orphans(child: int = 0) -> None:
    """Reap those adopted that have ended, but not `child`, the only one that this process has."""
    with suppress(ChildProcessError):  # there are none
        while (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) is not None:
            if ended.si_pid == child:
                return
            os.waitpid(ended.si_pid, 0)


def _parent(stat: Path) -> int:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except OSError:
        return -1
