"""Jobs that take longest come first, and a job pays for those deaths alone that are its own."""

from __future__ import annotations

from pathlib import Path

from autograder.grading.worker import Graded, Job
from autograder.work.waiting import MAX_DEATHS, Waiting

SHORT, LONG, LATER = ([Job(f"{n}", name, Path()) for n in range(3)] for name in ("a", "b", "c"))


def test_jobs_on_one_assignment_keep_their_order() -> None:
    waiting = Waiting.of(SHORT)
    assert [waiting.take(number, 9) for number in range(4)] == [*SHORT, None]


def test_no_more_are_taken_than_there_is_room_for() -> None:
    assert Waiting.of(SHORT).take(2, 2) is None


def test_what_takes_longest_comes_first_as_soon_as_that_is_known() -> None:
    waiting = Waiting.of([*SHORT, *LONG])
    first = waiting.take(0, 1)
    assert first == SHORT[0]
    waiting.done(Graded(first, seconds=0.1))
    second = waiting.take(0, 1)
    assert second == LONG[0]  # of which nobody knows yet that it is short
    waiting.done(Graded(second, seconds=50))
    assert [waiting.take(0, 1) for _ in range(4)] == [*LONG[1:], *SHORT[1:]]


def test_an_assignment_of_which_nothing_is_known_comes_before_one_that_takes_long() -> None:
    waiting = Waiting.of([*LONG, *LATER])
    waiting.done(Graded(LONG[0], seconds=50))
    assert waiting.take(0, 1) == LATER[0]


def test_suspects_come_last_and_one_at_a_time() -> None:
    waiting = Waiting.of(SHORT)
    assert not waiting.suspect(LONG)
    assert [waiting.take(number, 9) for number in range(4)] == [*SHORT, None]
    assert waiting.take(0, 9) == LONG[0]
    assert waiting.take(1, 9) is None
    assert waiting.take(0, 9) == LONG[1]


def test_a_job_whose_workers_vanished_pays_only_if_it_ran_alone() -> None:
    waiting = Waiting.of([])
    job = LONG[0]
    for _ in range(2 * MAX_DEATHS):  # beside others
        assert not waiting.suspect([job])
    waiting = Waiting.of([])
    waiting.suspect([job])
    outcomes = []
    for _ in range(MAX_DEATHS):
        assert waiting.take(0, 9) == job
        outcomes.append(waiting.suspect([job]))
    assert outcomes == [False] * (MAX_DEATHS - 1) + [True]
    assert not waiting.has_jobs()


def test_a_job_that_was_alone_in_the_process_that_died_pays_at_once() -> None:
    waiting = Waiting.of([])
    outcomes = [waiting.suspect(LONG[:1], guilty=True) for _ in range(MAX_DEATHS)]
    assert outcomes == [False] * (MAX_DEATHS - 1) + [True]
