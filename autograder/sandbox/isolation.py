"""The levels of isolation, and which of them this machine offers: found by trying each."""

from __future__ import annotations

from enum import StrEnum
from functools import cache

from autograder.errors import AutograderError, SandboxUnavailable
from autograder.sandbox.limits import Limits


class Isolation(StrEnum):
    """How a student's process is confined, the strongest first."""

    ROOTNS = "rootns"  # by root: namespaces, a private root directory, a user of its own
    USERNS = "userns"  # by a plain user: the same inside a user namespace
    LOCKDOWN = "lockdown"  # where namespaces are refused: file and system call filters
    UNSAFE = "unsafe"  # nothing but limits, and only when explicitly asked for


def strongest(allow_unsafe: bool = False) -> Isolation:
    """Return the strongest level that works here.

    Raises `SandboxUnavailable` if none does and `allow_unsafe` is not given.
    """
    reasons = []
    for level in (Isolation.ROOTNS, Isolation.USERNS, Isolation.LOCKDOWN):
        reason = why_not(level)
        if not reason:
            return level
        reasons.append(f"{level}: {reason}")
    if allow_unsafe:
        return Isolation.UNSAFE
    raise SandboxUnavailable(
        "This machine can't confine students' code: run the grader on Linux 5.13 or newer with "
        f"libseccomp2 installed, or in a container on it ({'; '.join(reasons)})."
    )


def works(level: Isolation) -> bool:
    """Tell whether a process can be confined on `level` here."""
    return not why_not(level)


@cache
def why_not(level: Isolation) -> str:
    """Return what is in the way of `level`, or nothing: tried by a process that tries to escape."""
    from autograder.sandbox.launch import WarmProcess  # here: it imports this module

    try:
        with WarmProcess(level, Limits(), preload=(), service="autograder.sandbox.probe") as warm:
            child = warm.spawn()
            child.socket.sendall(b"?")
            is_confined = child.socket.recv(16) == b"in"
    except AutograderError as error:
        return str(error).rstrip(".")
    return "" if is_confined else "it confines nothing"
