"""Work on students' texts in a process that can be killed, a submission at a time.

A worker has imported all that pages need, and forks for each page: no page can do anything to the
next, nor to the process that asks.
"""

import json
import pickle
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from autograder.work import bounded
from autograder.work.bounded import Bounds, Reason, Unfinished
from autograder.work.processes import processes

T = TypeVar("T")
Work = partial[str]  # called with whether it has to be plain behind its arguments
BOUNDS = Bounds(seconds=20, cpu_seconds=6, memory_mb=1024, max_bytes=32 << 20)
TOGETHER = 20  # texts that are read at once
MAX_AHEAD = 4  # pages per worker that are begun: enough to keep it busy, few enough for memory


@dataclass(frozen=True)
class Made:
    """Text that was made of a submission; `why` it is plainer than it should be, if it is."""

    text: str
    why: str


def plain_because(page: str, why: str) -> str:
    """Say that `page`, such as "ada's page on hw1", is plainer than it should be."""
    return (
        f"{page} shows plain text, because it couldn't be rendered ({why}): look at what the "
        "student wrote."
    )


class Press:
    """A worker that starts when it is first needed, and ends with this process if not before.

    Threads that share one take turns: what kills the worker takes nobody else's page along.
    """

    def __init__(self) -> None:
        self._worker: Executor | None = None
        self._turn = threading.RLock()

    def warm(self, work: Callable[[], object]) -> None:
        """Let the worker do something that all its pages share, and nothing of a student's."""
        with self._turn:
            self._started().submit(work)

    def make(self, work: Work) -> Made:
        """Return what `work` makes, as plain as it must be; raise `Unfinished` if nothing."""
        try:
            return Made(self.run(partial(work, False)), why="")
        except Unfinished as error:
            return Made(self.run(partial(work, True)), why=str(error))

    def run(self, work: partial[T]) -> T:
        """Return what `work` returns, in a process within `BOUNDS`; raise `Unfinished` if nothing.

        JSON has to hold it. The worker imports what is called. Its child alone unpickles what a
        student wrote.
        """
        call = partial(_made, work.func, pickle.dumps(work.args))
        with self._turn:
            try:
                made: T = json.loads(self._started().submit(bounded.call, call, BOUNDS).result())
            except (BrokenExecutor, EOFError, OSError):  # or what it would be forked from has died
                self.close()
                raise Unfinished(Reason.DIED) from None
        return made

    def run_each(self, work: partial[T], items: Sequence[object]) -> Iterator[T | Unfinished]:
        """Yield what `work` returns of each item; some share a process and its bounds.

        Where one of them fails, each half has a process of its own, down to the one that does.
        """
        left = [items[start : start + TOGETHER] for start in range(0, len(items), TOGETHER)]
        while left:
            some = left.pop(0)
            try:
                yield from self.run(partial(_each, work, some))
            except Unfinished as error:
                if len(some) == 1:
                    yield error
                else:
                    half = len(some) // 2
                    left[:0] = some[:half], some[half:]

    def close(self) -> None:
        with self._turn:
            if self._worker is not None:
                self._worker.shutdown(cancel_futures=True)
                self._worker = None

    def _started(self) -> Executor:
        if self._worker is None:
            self._worker = processes(1, [__name__, "autograder.telling.pages.student_page"])
        return self._worker


def _each(work: partial[T], items: Iterable[object]) -> list[T]:
    return [work(item) for item in items]


def _made(function: Callable[..., object], args: bytes) -> bytes:
    made = function(*pickle.loads(args))  # noqa: S301 - pickled by our own process
    return json.dumps(made, ensure_ascii=False).encode(errors="replace")


class Presses(AbstractContextManager["Presses"]):
    """Presses that work side by side; each starts when it is needed, and all end with the block."""

    def __init__(self, number: int) -> None:
        self._number, self._threads = number, ThreadPoolExecutor(number)
        # One for each thread, the last used behind, with what it did to be warm.
        self._free: list[tuple[Press, object]] = [(Press(), None) for _ in range(number)]

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(cancel_futures=True)
        for press, _by in self._free:
            press.close()

    def make_all(
        self, works: Iterable[tuple[T, Work]], warm: Callable[[], object]
    ) -> Iterator[tuple[T, Made | Unfinished]]:
        """Yield what became of each of `works`, in their order, with what stands beside it.

        Each press does what is to be `warm` first.
        """
        waiting: deque[tuple[T, Future[Made | Unfinished]]] = deque()
        for beside, work in works:
            waiting.append((beside, self._threads.submit(self._make, work, warm)))
            if len(waiting) > MAX_AHEAD * self._number:
                first, future = waiting.popleft()
                yield first, future.result()
        yield from ((beside, future.result()) for beside, future in waiting)

    def _make(self, work: Work, warm: Callable[[], object]) -> Made | Unfinished:
        press, is_warm_by = self._free.pop()
        try:
            if is_warm_by is not warm:
                press.warm(warm)
            return press.make(work)
        except Unfinished as error:
            return error
        finally:
            self._free.append((press, warm))


PRESS = Press()  # of this process
