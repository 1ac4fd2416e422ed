"""The confinement of each level of isolation."""

from __future__ import annotations

from autograder.sandbox.guest.confinement import Confinement
from autograder.sandbox.isolation import Isolation


def confinement_at(level: Isolation) -> type[Confinement]:
    """Return the confinement of `level`. Raises OSError if a library for it is missing."""
    if level is Isolation.UNSAFE:
        return Confinement
    # here: these need libseccomp, and level `unsafe` must work without it
    from autograder.sandbox.guest.lockdown import Lockdown
    from autograder.sandbox.guest.namespaces import Namespaces, UserNamespaces

    match level:
        case Isolation.ROOTNS:
            return Namespaces
        case Isolation.USERNS:
            return UserNamespaces
        case Isolation.LOCKDOWN:
            return Lockdown
