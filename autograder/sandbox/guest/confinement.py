"""What a level of isolation does to a process, step by step; here: the least, and what all share.

The warm process calls `enter` before it imports anything and `drop_after_import` when it has: all
students' processes inherit what these two do. Each of those is made by `fork`, calls `enter_child`
to give up what is left, and finally `lock`, after which nothing can be changed any more.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass

from autograder.sandbox.limits import Limits


@dataclass
class Confinement:
    """Level `unsafe`: no confinement but a directory and the limits that every process gets."""

    limits: Limits
    uid: int  # the user that students' processes are
    hidden: tuple[str, ...] = ()  # paths that could be read otherwise

    def enter(self) -> None:
        """Make the place where the warm process and all students' processes will live."""

    def drop_after_import(self) -> None:
        """Give up what was needed to import and no student needs."""

    def fork(self) -> int:
        """Fork a student's process, as `os.fork` does."""
        return os.fork()

    def enter_child(self) -> None:
        """Move to a directory of its own; become the student's user."""
        os.chdir(tempfile.mkdtemp(prefix="autograder-unsafe-"))

    def lock(self) -> None:
        """Refuse all further change."""


def become(uid: int) -> None:
    """Change this process's user for good."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
