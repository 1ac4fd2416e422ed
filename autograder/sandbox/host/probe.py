"""Find the level of isolation that this machine offers, by trying each, strongest first."""

from functools import cache

from autograder.errors import AutograderError, SandboxUnavailable
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.limits import Isolation, Limits

_ESCAPES = "autograder.sandbox.guest.escapes"


def strongest(allow_unsafe: bool = False) -> Isolation:
    """Return the strongest level that works here; else raise `SandboxUnavailable`."""
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


@cache
def why_not(level: Isolation) -> str:
    """Return why `level` doesn't work here, or an empty string if a test process can't escape."""
    try:
        with WarmProcess(level, Limits(), preload=(), service=_ESCAPES) as warm:
            child = warm.spawn()
            child.socket.sendall(b"?")
            is_confined = child.socket.recv(16) == b"in"
    except AutograderError as error:
        return str(error).rstrip(".")
    return "" if is_confined else "a process could escape from it"
