"""A thread that carries scores to platforms and members from them, as long as the server runs."""

import asyncio
import sys
import time
from datetime import datetime

from sqlalchemy import select

from autograder.gradebook.database import now
from autograder.serve.lti import passback, roster
from autograder.serve.lti.services import Services
from autograder.serve.store import Store
from autograder.serve.tables import TRIES
from autograder.serve.threads import Threads

ROUND = 5.0  # seconds between two looks at what was recorded here
SWEEP = 600.0  # and at all marks: others change them, at the desk and by commands
MEMBERS = 24 * 3600.0  # and at who is in the course


class Courier:
    def __init__(self, store: Store, services: Services) -> None:
        self._store, self._services = store, services
        self._looked = datetime.min
        self._next_sweep = self._next_members = time.monotonic()
        self.threads = Threads(self._round)

    def _round(self) -> None:
        asyncio.run(self.round())
        self.threads.stopping.wait(ROUND)

    async def round(self) -> None:
        """Note which scores changed since the last round, and deliver what is owed."""
        if time.monotonic() >= self._next_members:
            await self._fetch_members()
        self._owe()
        await passback.deliver(self._store, self._services)

    async def _fetch_members(self) -> None:
        self._next_members = time.monotonic() + SWEEP  # where a platform doesn't answer
        fetched = await roster.fetch(self._store, self._services)
        for found in fetched:
            for problem in filter(None, (found.problem, *found.enrolled.left_out)):
                print(f"autograder: LTI, members of {found.title}: {problem}", file=sys.stderr)
        if not any(found.problem for found in fetched):
            self._next_members = time.monotonic() + MEMBERS

    def _owe(self) -> None:
        """Note the scores on assignments whose marks may have changed."""
        began, is_sweep = now(), time.monotonic() >= self._next_sweep
        if is_sweep:
            assignments = self._store.course.released()
        else:
            wanted = select(TRIES.c.assignment).where(TRIES.c.finished >= self._looked).distinct()
            assignments = [row.assignment for row in self._store.rows(wanted)]
        passback.owe(self._store, assignments)
        self._looked = began
        if is_sweep:
            self._next_sweep = time.monotonic() + SWEEP
