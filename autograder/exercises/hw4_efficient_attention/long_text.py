"""Texts so long that whatever grows with n² doesn't fit: not into memory, or not into the time.

LONG² bytes are 4 GiB, beyond the 2 GiB that a student's process may take, be they but a mask of
single bytes. What grows with n alone takes a few megabytes. Lengths are powers of two, so that
whole numbers stay exact in float32 when they are divided by n.

LONGER² scores, a block at a time, take minutes even at 5 ns each, about the fastest that one core
was seen to be; a loop over tokens, at 100 µs each, takes 26 s of the `PATIENCE`.
"""

from __future__ import annotations

LONG = 2**16  # tokens, for memory
LONGER = 2**18  # tokens, for time
PATIENCE = 150  # seconds for LONGER tokens
PERIOD = 8  # tokens after which a long text begins again


def memory_grew(hint: str) -> str:
    """Say to the student why memory ran out on a long text."""
    return (
        f"With {LONG:,} tokens your code ran out of memory. A single tensor with n² entries would "
        f"have {LONG**2:,} of them, too many even if each were one byte. {hint}"
    )
