"""Scores go to the platform, long after the browser is gone, and whatever ends in between."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from autograder.course.roster import FILE, read_roster
from autograder.gradebook.recording import record
from autograder.report import Outcome
from autograder.serve.lti import membership, passback
from autograder.serve.lti.tables import LINKS, MEMBERS, SCORES
from autograder.serve.store import now, open_store
from tests.serve.lti.platforms import ADA, BOB, GRACE, LINE_ITEM
from tests.serve.lti.worlds import World
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS

ID = "ada@example.edu"
PASSED, FAILED = Outcome.PASSED, Outcome.FAILED


@pytest.fixture
def launched(linked: World) -> World:
    """Ada came by the link, and left."""
    with linked.browser() as browser:
        linked.launch(browser, ADA)
    return linked


def hand_in(world: World, *outcomes: Outcome, student: str = ID) -> None:
    """Hand in, have it graded, and owe what came of it."""
    toys = ToyClass(world.course)
    toys.hand_in(student, RIGHT)
    assert record(world.course, [toys.report(student, *outcomes)]) == []
    passback.owe(world.store, [TOYS])


def deliver(world: World) -> int:
    return asyncio.run(passback.deliver(world.store, world.services))


def test_a_score_arrives_as_its_column_wants_it(launched: World) -> None:
    hand_in(launched, *9 * [PASSED])
    assert deliver(launched) == 1
    (score,) = launched.platform.scores
    assert score["userId"] == ADA.id
    assert score["activityProgress"] == "Submitted"  # a question waits for a person
    assert score["gradingProgress"] == "PendingManual"
    assert "scoreGiven" not in score
    assert launched.platform.faults == []


def test_nothing_is_told_twice(launched: World) -> None:
    hand_in(launched, *9 * [PASSED])
    assert deliver(launched) == 1
    assert passback.owe(launched.store, [TOYS]) == 0
    assert deliver(launched) == 0


def test_what_is_owed_survives_the_end_of_the_server(launched: World) -> None:
    hand_in(launched, *9 * [PASSED])
    with open_store(launched.course) as another:
        asyncio.run(passback.deliver(another, launched.services))
    assert len(launched.platform.scores) == 1


def test_a_platform_that_is_down_is_asked_again_later_each_time(
    launched: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    launched.platform.is_down = True
    hand_in(launched, *9 * [PASSED])
    waits, time = [], now()
    for _ in range(passback.MAX_FAILURES):
        monkeypatch.setattr(passback, "now", lambda: time)
        assert deliver(launched) == 0
        (row,) = launched.rows(SCORES)
        waits.append(row.next_try - time)
        assert deliver(launched) == 0  # it isn't due
        time = row.next_try
    assert waits[:3] == [timedelta(minutes=1), timedelta(minutes=2), timedelta(minutes=4)]
    assert waits[-1] == passback.LONGEST_WAIT
    assert "status 503" in row.problem
    launched.platform.is_down = False
    assert deliver(launched) == 0  # given up
    hand_in(launched, *8 * [PASSED], FAILED)
    assert deliver(launched) == 0 if launched.rows(SCORES)[0].delivered else True


def test_a_platform_without_a_column_gets_one(launched: World) -> None:
    launched.platform.line_item = None
