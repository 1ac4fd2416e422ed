"""What a run leaves on the machine: processes, mounts, control groups, files, listening sockets.

Others may use the machine meanwhile, and leave things on it: they aren't counted.
"""

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from autograder.sandbox import kernel
from tests.processes import descendants

_EVERY = 0.1  # seconds between two looks at what runs
_LISTENING = "0A"  # in /proc/net/tcp
_ACCEPTS = 0x10000  # a flag in /proc/net/unix
HOW = {
    "processes": "all that this program started, orphans included: it adopts them",
    "mounts": "/proc/self/mountinfo, in a namespace that only root's run can change",
    "control groups": "/sys/fs/cgroup, those named by graders of this run that have ended",
    "files": "the run's own TMPDIR, without the empty folders that torch makes where it is "
    "imported; /tmp and /var/tmp for those named by graders of this run; /dev/shm",
    "listening sockets": "/proc/net: tcp, tcp6 and unix, those held by what this program started",
}


Things = dict[str, frozenset[str]]  # by kind


class Run(threading.Thread):
    """Keeps which processes this one has started: what they leave behind is this run's own."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.started, self.began = {os.getpid()}, time.time()
        self.start()

    def run(self) -> None:
        while True:
            self.started |= descendants(os.getpid())
            time.sleep(_EVERY)


def stand_apart() -> None:
    """Let root see no mount and no shared memory but what this run makes."""
    if os.getuid() == 0:
        kernel.unshare(kernel.CLONE_NEWNS)
        kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
        kernel.mount("tmpfs", "/dev/shm", "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=1777")


def things_now(scratch: Path, run: Run) -> Things:
    """Look around on the machine; `scratch` is where temporary files go."""
    mounts = Path("/proc/self/mountinfo").read_text().splitlines()
    found = (
        map(str, descendants(os.getpid())),
        mounts if os.getuid() == 0 else (),  # nobody else can make one
        _forgotten(Path("/sys/fs/cgroup"), "**/", run),
        _files(scratch, run),
        _listening(),
    )
    return {kind: frozenset(each) for kind, each in zip(HOW, found, strict=True)}


def left_since(before: Things, scratch: Path, run: Run) -> Things:
    """Return what there is now and was not before."""
    return {kind: things - before[kind] for kind, things in things_now(scratch, run).items()}


def _files(scratch: Path, run: Run) -> Iterator[str]:
    torchs = set(scratch.glob("torchinductor_*"))
    yield from (str(path) for path in scratch.rglob("*") if path not in torchs)
    for folder in ("/tmp", "/var/tmp"):
        yield from _forgotten(Path(folder), "", run)
    for path in Path("/dev/shm").iterdir():
        with contextlib.suppress(FileNotFoundError):  # another process's, which is gone
            if path.stat().st_uid == os.getuid():
                yield str(path)


def _forgotten(folder: Path, below: str, run: Run) -> Iterator[str]:
    """Yield the directories that graders of this run named and that outlived them."""
    for path in folder.glob(f"{below}autograder-*-*"):
        grader = path.name.split("-")[1]
        is_ours = grader in map(str, run.started) and not Path("/proc", grader).exists()
        if is_ours and path.lstat().st_ctime >= run.began:  # numbers of processes come again
            yield str(path)


def _listening() -> Iterator[str]:
    """Yield the sockets of ours that wait for a connection."""
    ours = _our_sockets()
    for name in ("tcp", "tcp6", "unix"):
        for fields in map(str.split, Path("/proc/net", name).read_text().splitlines()[1:]):
            is_tcp = name != "unix"
            waits = fields[3] == _LISTENING if is_tcp else int(fields[3], 16) & _ACCEPTS
            inode = fields[9 if is_tcp else 6]
            if waits and f"socket:[{inode}]" in ours:
                yield f"{name} {inode}"


def _our_sockets() -> set[str]:
    found = set()
    for pid in (os.getpid(), *descendants(os.getpid())):
        for fd in Path("/proc").glob(f"{pid}/fd/*"):
            with contextlib.suppress(OSError):  # it was closed meanwhile
                found.add(str(fd.readlink()))
    return found


def show_leftovers(left: Things, console: Console) -> None:
    """Print what was found after everything, and where it was looked for."""
    table = Table(title="Left on this machine", box=box.SIMPLE_HEAD, title_justify="left")
    for column in ("", "left", "looked for in"):
        table.add_column(column, overflow="fold")
    for kind, things in left.items():
        table.add_row(kind, "\n".join(sorted(things)) or "none", HOW[kind])
    console.print(table)
