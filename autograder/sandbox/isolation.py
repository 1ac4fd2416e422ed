"""The levels of isolation, and which of them this machine offers: found by trying each."""

from __future__ import annotations

import os
from enum import StrEnum
from functools import cache

from autograder.errors import SandboxUnavailable


class Isolation(StrEnum):
    """How a student's process is confined, the strongest first."""

    ROOTNS = "rootns"  # by root: namespaces, a private root directory, a user of its own
    USERNS = "userns"  # by a plain user: the same inside a user namespace
    LOCKDOWN = "lockdown"  # where namespaces are refused: file and system call filters
    UNSAFE = "unsafe"  # nothing but limits, and only when explicitly asked for

    @property
    def has_namespaces(self) -> bool:
        """Whether the process sees a machine of its own."""
        return self in (Isolation.ROOTNS, Isolation.USERNS)


def strongest(allow_unsafe: bool = False) -> Isolation:
    """Return the strongest level that works here.

    Raises `SandboxUnavailable` if none does and `allow_unsafe` is not given.
    """
    for level in (Isolation.ROOTNS, Isolation.USERNS, Isolation.LOCKDOWN):
        if works(level):
            return level
    if allow_unsafe:
        return Isolation.UNSAFE
    raise SandboxUnavailable(
        "This machine can't confine student code (no namespaces, and no Landlock with libseccomp): "
        "run the grader on Linux 5.13 or newer with libseccomp2 installed, or in a container."
    )


@cache
def works(level: Isolation) -> bool:
    """Tell whether a process can be confined on `level`, by confining one that does nothing."""
    if (level is Isolation.ROOTNS) != (os.getuid() == 0) and level is not Isolation.LOCKDOWN:
        return False
    probe = os.fork()
    if probe == 0:
        os._exit(0 if _can_confine(level) else 1)
    return os.waitstatus_to_exitcode(os.waitpid(probe, 0)[1]) == 0


def _can_confine(level: Isolation) -> bool:
    try:
        from autograder.sandbox import kernel
        from autograder.sandbox.confinement import Confinement, fork_confined, reap
        from autograder.sandbox.limits import Limits

        kernel.adopt_orphans()
        reap(fork_confined(Confinement(level, Limits()), lambda: None))
    except BaseException:  # a fork must not run on in its parent's code, whatever happens
        return False
    return True
