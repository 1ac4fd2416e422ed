"""Start a warm process as a fresh program that inherits nothing from the grader.

It gets a directory for what libraries write, and, where we may create one, a control group that
limits memory outside the address space too.
"""

import contextlib
import errno
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from autograder.folders import own_folder
from autograder.sandbox import kernel
from autograder.sandbox.limits import WITHOUT

ROOT = str(Path(__file__).resolve().parents[3])
_PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from autograder.sandbox.guest.warm import main; main(int(sys.argv[2]))"
)
_END_SECONDS = 5.0
# For numerical libraries: submissions run in parallel instead, and sums keep a fixed order.
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}
_GROUPS = Path("/sys/fs/cgroup")
_SLACK_MB = 32  # for the pages that a fork copies, page tables, and the like
# The files of each version of the interface: the limit, that on swap, and what was killed.
_V1 = ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control")
_V2 = ("memory.max", "memory.swap.max", "memory.events")


def start(control: socket.socket, scratch: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-s", "-P", "-W", "ignore", "-c", _PROGRAM, ROOT, str(control.fileno())],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env=_environment(scratch),
        cwd="/",
        pass_fds=[control.fileno()],
        start_new_session=True,  # Ctrl-C in the terminal reaches only the grader
        umask=0o022,  # students' processes, which have another user, read what it makes for them
    )


def end(process: subprocess.Popen[bytes], control: socket.socket) -> None:
    """Let the warm process end by itself; kill it if it doesn't."""
    control.close()
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _environment(scratch: str) -> dict[str, str]:
    try:  # matplotlib's font list takes seconds to build
        fonts = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "autograder")
        fonts.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # not writable, or no home directory
        fonts = Path(scratch)
    old_kernel = {kernel.LANDLOCK_ABI: abi} if (abi := os.environ.get(kernel.LANDLOCK_ABI)) else {}
    return {
        **WITHOUT,
        **old_kernel,
        **dict.fromkeys(("HOME", "TMPDIR", "IPYTHONDIR"), scratch),
        **ONE_THREAD,
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",  # the same submission gets the same report
        "MALLOC_ARENA_MAX": "1",  # each arena would take 64 MB of a student's address space
        "MPLBACKEND": "agg",
        "MPLCONFIGDIR": str(fonts),
    }


@contextlib.contextmanager
def copies(files: Mapping[str, Path]) -> Iterator[str]:
    """Copy files, by their paths, to a directory of their own that every user may read."""
    with own_folder() as folder:
        for name, source in files.items():
            target = folder.path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            target.chmod(0o444)
        for path in (folder.path, *folder.path.rglob("*/")):
            path.chmod(0o755)
        yield str(folder.path)


def uid_for(pid: int) -> int:
    """Return a user id for students' processes: far from people's, and another for each `pid`."""
    *_, last = Path("/proc/self/uid_map").read_text().splitlines()
    first, _, number = map(int, last.split())
    beyond = min(first + number, 2**31)
    return beyond - 1 - pid % max(1, beyond // 2)


class MemoryGroup:
    """A control group that the processes forked by one warm process join one after the other."""

    def __init__(self, folder: Path, files: tuple[str, str, str], limit_mb: int) -> None:
        limit = (limit_mb + _SLACK_MB) << 20
        memory, swap, self._events = (folder / name for name in files)
        self.folder = folder
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
        _remove(self.folder)


def memory_group(limit_mb: int) -> MemoryGroup | None:
    """Create a group; return None if we may not."""
    for folder, files in _parents():
        own = folder / f"autograder-{os.getpid()}-{secrets.token_hex(8)}"
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
            yield _GROUPS / "memory" / path.lstrip("/"), _V1
        elif not controllers:
            own = _GROUPS / path.lstrip("/")
            for folder in (own, *own.parents):
                control = folder / "cgroup.subtree_control"
                if control.is_file() and "memory" in control.read_text().split():
                    yield folder, _V2


def _remove(group: Path) -> None:
    for _ in range(200):
        try:
            group.rmdir()
            return
        except OSError as error:
            if error.errno != errno.EBUSY:  # else its last process is still being reaped
                return
            time.sleep(0.005)
