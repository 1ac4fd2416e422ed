"""Many pages are made side by side, and what one costs is not paid by another."""

import os
import signal
import time
from functools import partial

from autograder.telling.pages.press import Made, make_all
from autograder.work.bounded import Unfinished


def quick(plain: bool) -> str:
    return f"{'plain' if plain else 'rendered'} by {os.getppid()}"


def slow(plain: bool) -> str:
    time.sleep(1)
    return quick(plain)


def deadly(plain: bool) -> str:
    """Kill the worker that forked the process in which this runs."""
    os.kill(os.getppid(), signal.SIGKILL)
    return quick(plain)


def test_what_kills_its_worker_costs_no_other_page() -> None:
    works = [(number, partial(deadly if number == 2 else quick)) for number in range(12)]
    made = dict(make_all(works, 2, int))
    assert list(made) == list(range(12))
    assert isinstance(made.pop(2), Unfinished)
    assert all(isinstance(each, Made) and "rendered" in each.text for each in made.values())


def test_pages_are_made_side_by_side() -> None:
    """While one worker is at a slow page, the other makes those behind it."""
    made = [
        each
        for _, each in make_all(
            [(0, partial(slow)), *((n, partial(quick)) for n in (1, 2))], 2, int
        )
    ]
    workers = [each.text.split()[-1] for each in made if isinstance(each, Made)]
    assert len(workers) == 3
    assert workers[1] == workers[2] != workers[0]


def test_where_there_is_no_work_no_worker_starts() -> None:
    assert list(make_all([], 2, None)) == []  # type: ignore[arg-type]  # nothing calls it
