"""A deadline's rush: a class hands in at the server within minutes; it is killed now and then.

`python -m tests.benchmarks.rush --students 500 --minutes 10 --kills 10` serves a copy of this
course on loopback, and tells how fast hand-ins were acknowledged, how long the queue was, what
memory was held, and whether what was acknowledged is what was recorded. By turns, the server and a
process that works for it are killed.
"""

import argparse
import asyncio
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import httpx
from bs4 import BeautifulSoup

from autograder.course import Course
from autograder.course.roster import FILE, Person, write_roster
from autograder.gradebook.marks import read_marks
from autograder.serve.invites import invite_each
from autograder.serve.people import Identity
from autograder.serve.store import open_store
from autograder.serve.tables import TryState
from autograder.serve.tries import Tries, Try
from tests.benchmarks import classes
from tests.benchmarks.measure import environment, memory_of
from tests.courses import copy_of_kit
from tests.processes import descendants

_EVERY = 2.0  # seconds between two looks
_PATIENCE = 120.0  # seconds for which a browser asks again while nobody answers
_LONGEST = 3600.0  # seconds for which the queue may drain


@dataclass
class Rush:
    """What was seen; times in seconds, memory in bytes."""

    students: int
    acknowledged: dict[str, int] = field(default_factory=dict)  # numbers of tries, by student
    latencies: list[float] = field(default_factory=list)  # of hand-ins that were answered
    queue: list[int] = field(default_factory=list)  # how many waited, at each look
    memory: list[int] = field(default_factory=list)
    kills: Counter[str] = field(default_factory=Counter)
    wall: float = 0  # until all was recorded
    tries: list[Try] = field(default_factory=list)
    recorded: set[str] = field(default_factory=set)  # students, by the gradebook

    def lost(self) -> set[str]:
        """Return the students whose hand-in was acknowledged and isn't recorded."""
        done = {each.number for each in self.tries if each.state is TryState.RECORDED}
        mine = {student for student, number in self.acknowledged.items() if number not in done}
        return mine | (self.acknowledged.keys() - self.recorded)

    def twice(self) -> list[str]:
        """Return the students who have more than one try, though they handed in once."""
        return [who for who, number in Counter(t.student for t in self.tries).items() if number > 1]

    def __str__(self) -> str:
        percent = statistics.quantiles(self.latencies, n=100)
        megabytes = [each >> 20 for each in self.memory]
        first, second = megabytes[: len(megabytes) // 2], megabytes[len(megabytes) // 2 :]
        return (
            f"{len(self.acknowledged)} of {self.students} students acknowledged: median "
            f"{percent[49]:.2f} s, 95% within {percent[94]:.2f} s, all within "
            f"{max(self.latencies):.2f} s\n"
            f"at most {max(self.queue)} waited; all was recorded after {self.wall:.0f} s, "
            f"{60 * len(self.acknowledged) / self.wall:.0f} a minute\n"
            f"memory: at most {max(megabytes)} MB, on average {statistics.mean(first):.0f} MB in "
            f"the first half, {statistics.mean(second):.0f} MB in the second\n"
            f"killed: {dict(self.kills)}; lost: {len(self.lost())}; twice: {len(self.twice())}\n"
            + "\n".join(f"lost: {each}" for each in self.tries if each.student in self.lost())
        )


def rush(
    folder: Path, students: int, minutes: float, kills: int, assignment: str = "hw1_attention"
) -> Rush:
    """Play it with a course in `folder`."""
    course = _course(folder)
    people = [f"student{number:04}" for number in range(students)]
    write_roster(course.root / FILE, [Person(each) for each in people])
    texts = dict(zip(people, classes.submissions(assignment, "mixed", students), strict=True))
    with open_store(course) as store:
        who = [Identity(each) for each in people]
        links = {w.person: link for w, link in invite_each(store, who, timedelta(days=1))}
    seen = Rush(students)
    server = _Server(course.root)
    try:
        asyncio.run(_play(course, server, seen, links, texts, 60 * minutes, kills, assignment))
    finally:
        server.kill()
    with open_store(course) as store:
        seen.tries = Tries(store).on(assignment)
    seen.recorded = {marks.student for marks in read_marks(course, [assignment])}
    return seen


class _Server:
    """The server as a process, which is started again when it was killed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "autograder", "serve", "--port", str(_PORT)]
        self._process = subprocess.Popen(
            command, cwd=self._root, env=environment(), stdout=subprocess.DEVNULL
        )

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def restart_if_ended(self) -> None:
        """Do what systemd would."""
        if self._process.poll() is not None:
            self.start()

    def kill_a_worker(self) -> None:
        found = sorted(descendants(self._process.pid))
        if found:
            os.kill(random.choice(found), signal.SIGKILL)

    @property
    def memory(self) -> int:
        return sum(map(memory_of, {self._process.pid} | descendants(self._process.pid)))


_PORT = 8931


def _course(folder: Path) -> Course:
    course = copy_of_kit(folder)
    with (course.root / "course.toml").open("a") as file:
        file.write(f'\n[serve]\naddress = "http://127.0.0.1:{_PORT}"\n')
    return Course.load(course.root)


async def _play(
    course: Course,
    server: _Server,
    seen: Rush,
    links: dict[str, str],
    texts: dict[str, str],
    seconds: float,
    kills: int,
    assignment: str,
) -> None:
    started = time.monotonic()
    tasks = [
        asyncio.create_task(
            _student(seen, who, links[who], texts[who], random.uniform(0, seconds), assignment)
        )
        for who in links
    ]
    tasks.append(asyncio.create_task(_killer(server, seen, seconds, kills)))
    watch = asyncio.create_task(_watch(course, server, seen))
    await asyncio.gather(*tasks)
    with open_store(course) as store:
        while Tries(store).in_state(TryState.WAITING, TryState.GRADED):
            if time.monotonic() - started > _LONGEST:
                break
            await asyncio.sleep(1)
    seen.wall = time.monotonic() - started
    watch.cancel()


async def _student(seen: Rush, who: str, link: str, text: str, at: float, assignment: str) -> None:
    """Sign in, and hand in once; ask again while nobody answers, as a browser's user would."""
    await asyncio.sleep(at)
    deadline, signing_in = time.monotonic() + _PATIENCE, ""
    async with httpx.AsyncClient(follow_redirects=True, timeout=60) as http:
        page = httpx.URL(link).join(f"/homework/{assignment}")
        while time.monotonic() < deadline:
            try:
                if (await http.get(page)).status_code == 401:
                    if not signing_in:
                        invited = BeautifulSoup((await http.get(link)).text, "html.parser")
                        signing_in = str(invited.select("main form input")[0]["value"])
                    await http.post(link, data={"form": signing_in})
                form = BeautifulSoup((await http.get(page)).text, "html.parser")
                field_ = form.select_one("form.drop input[name=csrf]")
                if field_ is None:
                    raise httpx.HTTPError("not signed in yet")
                begun = time.monotonic()
                answer = await http.post(
                    page,
                    data={"csrf": str(field_["value"])},
                    files={"notebook": ("mine.ipynb", text.encode())},
                    follow_redirects=False,
                )
                if answer.status_code == 303:
                    seen.latencies.append(time.monotonic() - begun)
                    seen.acknowledged[who] = int(answer.headers["location"].rpartition("/")[2])
                    return
            except httpx.HTTPError:
                pass
            await asyncio.sleep(1)


async def _killer(server: _Server, seen: Rush, seconds: float, kills: int) -> None:
    for number in range(kills):
        await asyncio.sleep(seconds / (kills + 1))
        if number % 2:
            server.kill_a_worker()
            seen.kills["a worker"] += 1
        else:
            server.kill()
            server.start()
            seen.kills["the server"] += 1


async def _watch(course: Course, server: _Server, seen: Rush) -> None:
    with open_store(course) as store:
        while True:
            seen.queue.append(len(Tries(store).in_state(TryState.WAITING)))
            seen.memory.append(await asyncio.to_thread(lambda: server.memory))
            server.restart_if_ended()
            await asyncio.sleep(_EVERY)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--kills", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seen = rush(Path(folder), options.students, options.minutes, options.kills)
    print(seen)
    sys.exit(bool(seen.lost() or seen.twice() or len(seen.acknowledged) < seen.students))


if __name__ == "__main__":
    main()
