"""What a level of isolation does to a process, step by step; here: the least, and what all share.

The warm process calls `found` before it imports anything and `close_off` when it has: what these
two do, all students' processes inherit. Each of those is made by `fork`, and calls `settle` to give
up what is left, and last `seal`, after which nothing can be given up any more.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass

from autograder.sandbox.isolation import Isolation
from autograder.sandbox.limits import Limits


@dataclass
class Confinement:
    """Level `unsafe`: no confinement but a directory and the limits that every process gets."""

    limits: Limits
    uid: int  # the user that students' processes are

    def found(self) -> None:
        """Make the place where the warm process and all students' processes will live."""

    def close_off(self) -> None:
        """Give up what was needed to import and no student needs."""

    def fork(self) -> int:
        """Fork a student's process, as `os.fork` does."""
        return os.fork()

    def settle(self) -> None:
        """Move to a directory of its own; become the student's user."""
        os.chdir(tempfile.mkdtemp(prefix="autograder-unsafe-"))

    def seal(self) -> None:
        """Refuse all further change."""


def confinement(level: Isolation, limits: Limits, uid: int) -> Confinement:
    """Return what brings a process to `level`. Raises OSError if a library for it is missing."""
    if level is Isolation.UNSAFE:
        return Confinement(limits, uid)
    # here: these need libseccomp, and level `unsafe` is for where there is none
    from autograder.sandbox.lockdown import Lockdown
    from autograder.sandbox.namespaces import Namespaces, UserNamespaces

    match level:
        case Isolation.ROOTNS:
            return Namespaces(limits, uid)
        case Isolation.USERNS:
            return UserNamespaces(limits, uid)
        case Isolation.LOCKDOWN:
            return Lockdown(limits, uid)


def become(uid: int) -> None:
    """Change this process's user for good."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
