"""A deadline for code of ours that might never return, such as a known mistake that loops."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise a TimeoutError in what takes longer; only the main thread can, others have no limit.

    A timer that somebody else has set is left alone, and then there is no limit either.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or any(signal.getitimer(signal.ITIMER_REAL)):
        yield
        return

    def stop(signum: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"took longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
