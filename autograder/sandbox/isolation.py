"""The levels of isolation."""

from __future__ import annotations

from enum import StrEnum


class Isolation(StrEnum):
    """How a student's process is confined, the strongest first."""

    ROOTNS = "rootns"  # by root: namespaces, a private root directory, a user of its own
    USERNS = "userns"  # by a plain user: the same inside a user namespace
    LOCKDOWN = "lockdown"  # where namespaces are refused: file and system call filters
    UNSAFE = "unsafe"  # nothing but limits, and only when explicitly asked for
