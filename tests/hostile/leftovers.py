"""What is left on the machine: processes, mounts, control groups, files, listening sockets."""

import os
from collections.abc import Iterator
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from tests.processes import descendants

_LISTENING = "0A"  # in /proc/net/tcp
_ACCEPTS = 0x10000  # a flag in /proc/net/unix
HOW = {
    "processes": "all that this program started, orphans included: it adopts them",
    "mounts": "/proc/self/mountinfo",
    "control groups": "/sys/fs/cgroup, those named by graders that have ended",
    "files": "the run's own TMPDIR, without the empty folders that torch makes where it is "
    "imported; /tmp, /var/tmp and /dev/shm for those named by ended graders",
    "listening sockets": "/proc/net: tcp, tcp6 and unix, but those held by other programs",
}


Things = dict[str, frozenset[str]]  # by kind


def things_now(scratch: Path) -> Things:
    """Look around on the machine; `scratch` is where temporary files go."""
    found = (
        map(str, descendants(os.getpid())),
        Path("/proc/self/mountinfo").read_text().splitlines(),
        _forgotten(Path("/sys/fs/cgroup"), "**/"),
        _files(scratch),
        _listening(),
    )
    return {kind: frozenset(each) for kind, each in zip(HOW, found, strict=True)}


def left_since(before: Things, scratch: Path) -> Things:
    """Return what there is now and was not before."""
    return {kind: things - before[kind] for kind, things in things_now(scratch).items()}


def _files(scratch: Path) -> Iterator[str]:
    torchs = set(scratch.glob("torchinductor_*"))
    yield from (str(path) for path in scratch.rglob("*") if path not in torchs)
    for folder in ("/tmp", "/var/tmp"):
        yield from _forgotten(Path(folder), "")
    yield from map(str, Path("/dev/shm").iterdir())


def _forgotten(folder: Path, below: str) -> Iterator[str]:
    """Yield the directories that graders named and that outlived them."""
    for path in folder.glob(f"{below}autograder-*-*"):
        if not Path("/proc", path.name.split("-")[1]).exists():
            yield str(path)


def _listening() -> Iterator[str]:
    """Yield the sockets that wait for a connection, and belong to us or to nobody to be seen."""
    others = _sockets_of_others()
    for name in ("tcp", "tcp6", "unix"):
        for fields in map(str.split, Path("/proc/net", name).read_text().splitlines()[1:]):
            is_tcp = name != "unix"
            waits = fields[3] == _LISTENING if is_tcp else int(fields[3], 16) & _ACCEPTS
            inode = fields[9 if is_tcp else 6]
            if waits and f"socket:[{inode}]" not in others:
                yield f"{name} {inode}"


def _sockets_of_others() -> set[str]:
    ours = {os.getpid(), *descendants(os.getpid())}
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if int(process.name) not in ours:
                found |= {str(fd.readlink()) for fd in (process / "fd").iterdir()}
        except OSError:  # it ended meanwhile, or is another user's
            continue
    return found


def show_leftovers(left: Things, console: Console) -> None:
    """Print what was found after everything, and where it was looked for."""
    table = Table(title="Left on this machine", box=box.SIMPLE_HEAD, title_justify="left")
    for column in ("", "left", "looked for in"):
        table.add_column(column, overflow="fold")
    for kind, things in left.items():
        table.add_row(kind, "\n".join(sorted(things)) or "none", HOW[kind])
    console.print(table)
