"""Scores go to the platform, long after the browser is gone, and whatever ends in between."""

import asyncio
from datetime import timedelta
from unittest.mock import Mock

import pytest

from autograder.errors import GraderFault
from autograder.gradebook.database import now
from autograder.report import Outcome
from autograder.serve import store
from autograder.serve.lti import passback
from autograder.serve.lti.courier import Courier
from autograder.serve.store import open_store
from autograder.serve.tables import LINKS, SCORES
from tests.gradebook.books import give, grade
from tests.postgresql import in_either_database
from tests.serve.lti.platforms import ADA, BOB, LINE_ITEM
from tests.serve.lti.worlds import World
from tests.toy_class import ToyClass
from tests.toys import TOYS, with_settings

ID, BOBS_ID = "ada@example.edu", "bob@example.edu"
PASSED, FAILED = Outcome.PASSED, Outcome.FAILED
LATE = "late = { per_day = 0.1 }\n[assignments.toys]\ndue = 2026-02-01T12:00:00Z\n"


@pytest.fixture
def launched(linked: World) -> World:
    """Ada came by the link, and left."""
    with linked.browser() as browser:
        linked.launch(browser, ADA)
    return linked


def hand_in(world: World, *outcomes: Outcome, student: str = ID) -> None:
    grade(ToyClass(world.course), student, *outcomes, why="Because.")


def owe(world: World) -> int:
    """Note what is owed now, and return how many scores that are."""
    passback.owe(world.store, [TOYS])
    return len([row for row in world.rows(SCORES) if not row.delivered])


def deliver(world: World) -> int:
    return sum(asyncio.run(passback.deliver(world.store, world.services)))


@in_either_database
def test_a_score_arrives_as_soon_as_all_is_graded(launched: World) -> None:
    hand_in(launched, *6 * [PASSED], *3 * [FAILED])
    assert (owe(launched), deliver(launched)) == (1, 1)
    give(launched.course, ID, "why", 1.5)
    assert (owe(launched), deliver(launched)) == (1, 1)
    before, after = launched.platform.scores
    assert before["userId"] == after["userId"] == ADA.id
    progress = ("activityProgress", "gradingProgress")
    assert [before[name] for name in progress] == ["Submitted", "PendingManual"]
    assert [after[name] for name in progress] == ["Completed", "FullyGraded"]
    assert "scoreGiven" not in before
    assert (after["scoreGiven"], after["scoreMaximum"]) == (7.5, 11)
    assert launched.platform.faults == []


def test_what_is_late_says_since_when_and_what_that_costs(launched: World) -> None:
    with_settings(launched.course.root, LATE)
    hand_in(launched, *9 * [PASSED])
    folder = launched.course.submission_path(ID, TOYS).parent
    (folder / "timestamp.txt").write_text("2026-02-02 18:00:00 UTC")
    hand_in(launched, *9 * [PASSED])
    give(launched.course, ID, "why", 1)
    assert (owe(launched), deliver(launched)) == (1, 1)
    (score,) = launched.platform.scores
    assert score["submission"] == {"submittedAt": "2026-02-02T18:00:00+00:00"}
    assert (score["scoreGiven"], score["comment"]) == (8, "2 days late: 2 points less.")


def test_what_is_held_back_is_not_told(launched: World) -> None:
    later = "[assignments.toys]\nfeedback_from = 2099-01-01T00:00:00Z\n"
    with_settings(launched.course.root, later)
    hand_in(launched, *9 * [PASSED])
    give(launched.course, ID, "why", 2)
    assert (owe(launched), deliver(launched)) == (1, 1)
    (score,) = launched.platform.scores
    assert score["gradingProgress"] == "Pending"
    assert "scoreGiven" not in score


def test_a_token_whose_life_isnt_told_is_used_once(launched: World) -> None:
    launched.platform.tells_life = False
    hand_in(launched, *9 * [PASSED])
    assert (owe(launched), deliver(launched)) == (1, 1)


def test_nothing_is_told_twice(launched: World) -> None:
    hand_in(launched, *9 * [PASSED])
    assert (owe(launched), deliver(launched)) == (1, 1)
    assert (owe(launched), deliver(launched)) == (0, 0)


def test_a_column_takes_the_scores_of_those_alone_who_are_in_its_course(launched: World) -> None:
    hand_in(launched, *9 * [PASSED])
    hand_in(launched, *9 * [PASSED], student="somebody")
    assert (owe(launched), deliver(launched)) == (1, 1)


def test_what_is_owed_survives_the_end_of_the_server(launched: World) -> None:
    hand_in(launched, *9 * [PASSED])
    owe(launched)
    with open_store(launched.course) as another:
        assert asyncio.run(passback.deliver(another, launched.services)) == [True]
    assert len(launched.platform.scores) == 1


def test_what_a_killed_server_had_taken_is_delivered_once_its_time_is_over(
    launched: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(launched, *9 * [PASSED])
    owe(launched)
    assert len(passback._take(launched.store)) == 1
    assert deliver(launched) == 0
    later = now() + passback.LEASE
    monkeypatch.setattr(passback, "now", lambda: later)
    assert deliver(launched) == 1


@pytest.mark.slow
def test_a_platform_that_is_down_is_asked_again_later_each_time(
    launched: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    launched.platform.is_down = True
    hand_in(launched, *9 * [PASSED])
    owe(launched)
    time, waits = [now()], []
    monkeypatch.setattr(passback, "now", lambda: time[-1])
    for _ in range(passback.MAX_FAILURES):
        assert asyncio.run(passback.deliver(launched.store, launched.services)) == [False]
        (row,) = launched.rows(SCORES)
        waits.append(row.next_try - time[-1])
        assert "status 503" in row.problem
        assert deliver(launched) == 0  # it isn't due, so nobody is asked
        time.append(row.next_try)
    assert waits[:3] == [timedelta(minutes=1), timedelta(minutes=2), timedelta(minutes=4)]
    assert waits[-1] == passback.LONGEST_WAIT
    launched.platform.is_down = False
    assert deliver(launched) == 0  # given up, as long as it is the same
    give(launched.course, ID, "why", 2)
    assert (owe(launched), deliver(launched)) == (1, 1)


def test_a_score_that_changes_while_it_is_delivered_is_owed(launched: World) -> None:
    hand_in(launched, *9 * [PASSED])
    owe(launched)
    (old,) = passback._take(launched.store)
    give(launched.course, ID, "why", 2)
    owe(launched)
    passback._arrived(launched.store, old)
    assert deliver(launched) == 1
    assert launched.platform.scores[-1]["scoreGiven"] == 11


def test_where_the_platform_has_no_column_one_is_made(linked: World) -> None:
    linked.platform.line_item = None
    with linked.browser() as browser:
        linked.launch(browser, ADA)
        linked.launch(browser, BOB)
    for student in (ID, BOBS_ID):
        hand_in(linked, *9 * [PASSED], student=student)
        give(linked.course, student, "why", 1)
    assert (owe(linked), deliver(linked)) == (2, 2)
    said = {"label": TOYS, "scoreMaximum": 11, "resourceId": TOYS, "resourceLinkId": "link-1"}
    assert linked.platform.columns == [said]
    assert linked.rows(LINKS)[0].line_item == LINE_ITEM
    assert linked.platform.faults == []


def test_one_token_is_enough_for_many_scores(linked: World) -> None:
    with linked.browser() as browser:
        linked.launch(browser, ADA)
        linked.launch(browser, BOB)
    hand_in(linked, *9 * [PASSED])
    hand_in(linked, *9 * [PASSED], student=BOBS_ID)
    owe(linked)
    services = linked.services
    asyncio.run(passback.deliver(linked.store, services))
    give(linked.course, ID, "why", 1)
    owe(linked)
    asyncio.run(passback.deliver(linked.store, services))
    assert len(linked.platform.scores) == 3
    assert sum(address.endswith("/token") for address in linked.hosts.asked) <= 2


def test_a_round_of_the_courier_does_all_of_it(launched: World) -> None:
    hand_in(launched, *9 * [PASSED])
    courier = Courier(launched.store, launched.services)
    asyncio.run(courier.round())
    assert len(launched.platform.scores) == 1
    assert launched.platform.faults == []


def test_a_round_that_fails_is_made_up_for_by_the_next(
    launched: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(launched, *9 * [PASSED])
    courier = Courier(launched.store, launched.services)
    with monkeypatch.context() as patch, pytest.raises(GraderFault):
        patch.setattr(passback, "scores_on", Mock(side_effect=GraderFault("It is locked.")))
        asyncio.run(courier.round())
    asyncio.run(courier.round())
    assert len(launched.platform.scores) == 1


def test_what_is_known_of_a_student_is_told_and_forgotten(launched: World) -> None:
    hand_in(launched, *9 * [PASSED])
    owe(launched)
    known = store.known_about(launched.course, ID)
    assert {"autograder_lti_members", "autograder_lti_scores"} <= known.keys()
    store.forget(launched.course, ID)
    assert store.known_about(launched.course, ID) == {}
    assert deliver(launched) == 0
