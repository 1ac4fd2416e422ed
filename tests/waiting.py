"""Wait for what happens elsewhere."""

import time
from collections.abc import Callable


def comes_true(fact: Callable[[], bool], seconds: float = 5) -> bool:
    """Wait for `fact`; tell whether it came true in time."""
    deadline = time.monotonic() + seconds
    while not fact():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
