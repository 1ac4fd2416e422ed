"""The levels of isolation."""

from __future__ import annotations

from enum import StrEnum


class Isolation(StrEnum):
    """The ways to confine a student's process, strongest first."""

    ROOTNS = "rootns"  # as root: namespaces, a private root directory, a separate user
    USERNS = "userns"  # as a plain user: the same inside a user namespace
    LOCKDOWN = "lockdown"  # without namespaces: filters on files and system calls
    UNSAFE = "unsafe"  # only resource limits; must be requested explicitly
