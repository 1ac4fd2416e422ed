"""The steps by which a level of isolation confines a process; this module has the base class.

The warm process calls `enter` before it imports anything and `drop_after_import` afterwards:
students' processes inherit the effects of both. Each of them is created by `fork`, then calls
`enter_child` to give up what is left, and finally `lock`, after which nothing can be changed.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass

from autograder.sandbox.limits import Limits


@dataclass
class Confinement:
    """Level `unsafe`: only a directory of its own and the limits that every process gets."""

    limits: Limits
    uid: int  # the user that students' processes run as
    hidden: tuple[str, ...]  # paths that would be readable otherwise
    files: str  # a directory of files for students, if any

    def enter(self) -> None:
        """Enter the namespaces, if any, of the warm process and all students' processes."""

    def drop_after_import(self) -> None:
        """Give up access that imports need and students' code doesn't."""

    def fork(self) -> int:
        """Fork a student's process, as `os.fork` does."""
        return os.fork()

    def enter_child(self) -> None:
        """Move the new process to its own directory; become the student's user."""
        os.chdir(tempfile.mkdtemp(prefix="autograder-unsafe-"))
        if self.files:
            shutil.copytree(self.files, ".", dirs_exist_ok=True)

    def lock(self) -> None:
        """Make the confinement final."""


def become(uid: int) -> None:
    """Change this process's user permanently."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
