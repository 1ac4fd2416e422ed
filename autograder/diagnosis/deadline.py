"""A deadline for code of ours that might never return, such as a known mistake that loops."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise a TimeoutError in what computes longer, however busy the machine is.

    Only the main thread can do so, and a timer that somebody else has set is left alone: elsewhere
    there is no limit.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or any(signal.getitimer(signal.ITIMER_PROF)):
        yield
        return

    def stop(signum: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"computes for more than {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
