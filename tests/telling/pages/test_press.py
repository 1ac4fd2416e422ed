"""Many pages are made side by side, and what one costs is not paid by another."""

import os
import signal
import time
from collections.abc import Iterable, Iterator
from functools import partial

import pytest

from autograder.telling.pages.press import Made, Presses
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


@pytest.fixture
def presses() -> Iterator[Presses]:
    with Presses(2) as presses:
        yield presses


def test_what_kills_its_worker_costs_no_other_page(presses: Presses) -> None:
    works = [(number, partial(deadly if number == 2 else quick)) for number in range(12)]
    made = dict(presses.make_all(works, int))
    assert list(made) == list(range(12))
    assert isinstance(made.pop(2), Unfinished)
    assert all(isinstance(each, Made) and "rendered" in each.text for each in made.values())


def workers(made: Iterable[tuple[int, Made | Unfinished]]) -> list[str]:
    """Return by which worker each page was made."""
    return [each.text.split()[-1] for _, each in made if isinstance(each, Made)]


def test_pages_are_made_side_by_side(presses: Presses) -> None:
    """While one worker is at a slow page, the other makes those behind it."""
    works = [(0, partial(slow)), *((n, partial(quick)) for n in (1, 2))]
    first, *others = workers(presses.make_all(works, int))
    assert len(others) == 2
    assert others[0] == others[1] != first


def test_who_made_pages_makes_further_ones(presses: Presses) -> None:
    first, again = (workers(presses.make_all([(0, partial(quick))], int)) for _ in range(2))
    assert first == again


def test_where_there_is_no_work_no_worker_starts() -> None:
    with Presses(2) as presses:
        assert list(presses.make_all([], None)) == []  # type: ignore[arg-type]  # nothing calls it
