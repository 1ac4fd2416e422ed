"""A text so long that nothing with an entry for each pair of its tokens fits into memory.

50 000² bytes are 2.3 GiB, beyond the 2 GiB that a student's process may take, be they but a mask of
single bytes. What grows with n alone takes a few megabytes.
"""

from __future__ import annotations

LONG = 50_000  # tokens


def memory_grew(hint: str) -> str:
    """Say to the student why memory ran out on a long text."""
    return (
        f"With {LONG:,} tokens your code ran out of memory: what it holds grows with n². That "
        f"would be {LONG**2:,} entries, too many even if each were a single byte. {hint}"
    )
