"""The confinement of each level of isolation."""

from __future__ import annotations

from autograder.sandbox.guest.confinement import Confinement
from autograder.sandbox.isolation import Isolation
from autograder.sandbox.limits import Limits


def confinement(
    level: Isolation, limits: Limits, uid: int, hidden: tuple[str, ...] = (), files: str = ""
) -> Confinement:
    """Return the confinement of `level`. Raises OSError if a library for it is missing."""
    if level is Isolation.UNSAFE:
        return Confinement(limits, uid, hidden, files)
    # here: these need libseccomp, and level `unsafe` must work without it
    from autograder.sandbox.guest.lockdown import Lockdown
    from autograder.sandbox.guest.namespaces import Namespaces, UserNamespaces

    match level:
        case Isolation.ROOTNS:
            return Namespaces(limits, uid, hidden, files)
        case Isolation.USERNS:
            return UserNamespaces(limits, uid, hidden, files)
        case Isolation.LOCKDOWN:
            return Lockdown(limits, uid, hidden, files)
