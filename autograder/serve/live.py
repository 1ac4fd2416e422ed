"""Where everything that waits stands, told to all who watch: server-sent events."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import asdict

from starlette.concurrency import run_in_threadpool

from autograder.serve.line import Line, TryStanding

MAX_STREAMS = 8  # of one person, at once
_EVERY = 1.0  # seconds between two looks, which all who wait share
_LONGEST = 600.0  # seconds: then the browser asks again
_QUIET = 15.0  # seconds after which something is sent, lest a proxy thinks that nobody is there


class Board:
    """Where everything stands, looked up at most once in a while, however many ask."""

    def __init__(self, line: Line) -> None:
        self._line, self._lock = line, asyncio.Lock()
        self._found: dict[int, TryStanding] = {}
        self._at = 0.0
        self._watching: Counter[str] = Counter()

    async def standing(self, number: int) -> TryStanding | None:
        """Return where a try stands; None if nothing is being done about it any more."""
        async with self._lock:
            if time.monotonic() - self._at >= _EVERY:
                self._found = await run_in_threadpool(self._line.standings)
                self._at = time.monotonic()
        return self._found.get(number)

    async def events(self, number: int, person: str) -> AsyncIterator[str]:
        """Yield what changes about a try, until it is done; nothing where there is no room."""
        if not self.has_room(person):  # many asked at once, before any of them was counted
            return
        self._watching[person] += 1
        try:
            told, at, end = "", time.monotonic(), time.monotonic() + _LONGEST
            while time.monotonic() < end:
                standing = await self.standing(number)
                if standing is None:
                    yield event("done", "{}")
                    return
                said = json.dumps(asdict(standing))
                if said != told or time.monotonic() - at > _QUIET:
                    told, at = said, time.monotonic()
                    yield event("standing", said)
                await asyncio.sleep(_EVERY)
        finally:
            self._watching[person] -= 1

    def has_room(self, person: str) -> bool:
        return self._watching[person] < MAX_STREAMS


def event(name: str, data: str) -> str:
    return f"event: {name}\ndata: {data}\n\n"
