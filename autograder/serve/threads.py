"""What goes on beside the pages, in threads, as long as the server is open."""

import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from autograder.errors import AutograderError

_AFTER_TROUBLE = 10.0  # seconds until something that failed as a whole is tried again


class Threads:
    """Works that are begun again whenever they end, until they are stopped; each has a thread."""

    def __init__(self, *works: Callable[[], None]) -> None:
        self.stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._keep_on, args=[work], daemon=True) for work in works
        ]

    @contextmanager
    def running(self) -> Iterator[None]:
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self.stopping.set()
            for thread in self._threads:
                thread.join()

    def _keep_on(self, work: Callable[[], None]) -> None:
        """Do something until the end; what fails as a whole is told, and tried again."""
        while not self.stopping.is_set():
            try:
                work()
            except AutograderError as error:
                print(f"autograder: {error}", file=sys.stderr)
            except Exception:
                traceback.print_exc()
            else:
                continue
            self.stopping.wait(_AFTER_TROUBLE)
