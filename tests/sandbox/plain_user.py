"""Run a command as a plain user who can reach the interpreter and the course, wherever they lie.

    python -m tests.sandbox.plain_user COMMAND…

Only root can, in a mount namespace of its own: nothing changes for anybody else.
"""

import os
import sys
from pathlib import Path

from autograder.sandbox import kernel

UID = 54_321
COURSE = Path(__file__).resolve().parents[2]


def main() -> None:
    """Replace this process by the command."""
    kernel.unshare(kernel.CLONE_NEWNS)
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    make_reachable()
    os.setgroups([])
    os.setresgid(UID, UID, UID)
    os.setresuid(UID, UID, UID)
    os.chdir(COURSE)
    os.execv(sys.argv[1], sys.argv[1:])


def make_reachable() -> None:
    """Open the way to the interpreter and the course, in a mount namespace of one's own."""
    wanted = {path: os.open(path, os.O_PATH) for path in (Path(sys.base_prefix), COURSE)}
    for path, fd in wanted.items():
        for folder in reversed(path.parents):
            if folder.exists() and not folder.stat().st_mode & 0o001:
                kernel.mount("tmpfs", str(folder), "tmpfs", 0, "mode=755")
        if not path.exists():
            path.mkdir(parents=True)
            kernel.mount(f"/proc/self/fd/{fd}", str(path), None, kernel.MS_BIND)


if __name__ == "__main__":
    main()
