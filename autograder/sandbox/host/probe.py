"""Which level of isolation this machine offers: found by trying each, strongest first."""

from __future__ import annotations

from functools import cache

from autograder.errors import AutograderError, SandboxUnavailable
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.isolation import Isolation
from autograder.sandbox.limits import Limits

_ESCAPES = "autograder.sandbox.guest.escapes"


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
    try:
        with WarmProcess(level, Limits(), preload=(), service=_ESCAPES) as warm:
            child = warm.spawn()
            child.socket.sendall(b"?")
            is_confined = child.socket.recv(16) == b"in"
    except AutograderError as error:
        return str(error).rstrip(".")
    return "" if is_confined else "it confines nothing"
