"""An answer that replies as the solution did is asked the same, and gets the same findings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from autograder.diagnosis.case import Finding
from autograder.grading.hidden_tests import HiddenTests
from autograder.report import Outcome
from autograder.sandbox import wire
from autograder.sandbox.host.in_process import InProcess
from autograder.testing.failures import StudentFailure
from tests.answering import exercise_of
from tests.courses import KIT, answered, solved
from tests.grading.test_hidden_tests import RIGHT, course_with

TESTS = '''
import random
import numpy as np
from autograder.testing import Model, expect, points

runs = []

@points(2)
def test_drawn_numbers_are_doubled(student, rng):
    """Drawn numbers are doubled."""
    runs.append("drawn")
    x = rng.normal(size=3)
    expect.close(student.double(x), 2 * x, "You don't double.")
    expect.close(student.double(10 * x), 20 * x, "You don't double large numbers.")

@points(1)
def test_chance(student):
    """Two of something is even."""
    runs.append("chance")
    expect.close(student.double(np.array([random.random()])) % 1, 0, "Never mind.", 1)

@points(1)
def test_chance_after_a_call(student):
    """Two of something is even, after a call too."""
    runs.append("chance after a call")
    student.double(np.ones(1))
    expect.close(student.double(np.array([random.random()])) % 1, 0, "Never mind.", 1)

@points(1)
def test_what_comes_back_may_be_written_into(student):
    """Ones are doubled, then threes."""
    out = student.double(np.ones(2))
    out -= 2
    expect.close(out, 0, "You don't double ones.")
    expect.close(student.double(np.full(2, 3.0)), 6, "You don't double threes.")

@points(1)
def test_a_function_of_ours_is_called(student):
    """A function is called."""
    runs.append("lent")
    expect.close(student.double(np.ones(1)), np.full(1, 2.0), "You don't double.")
    assert student.can_be_called(Model(lambda x: x))
'''
KIND = "def can_be_called(x): return callable(x)"


@dataclass
class Counted:
    """A channel that counts what is asked through it, and dies at a request if told so."""

    source: str
    asked: list[Mapping[str, Any]] = field(default_factory=list)
    dies_at: int = -1
    spent: float = 0.0

    def __post_init__(self) -> None:
        self.inner = InProcess([KIND, self.source])

    def ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        self.asked.append(request)
        if len(self.asked) - 1 == self.dies_at:
            raise StudentFailure("It is gone.")
        return self.inner.ask(request, seconds)


@pytest.fixture
def tests(tmp_path: Path) -> HiddenTests:
    tests = HiddenTests(course_with(tmp_path, TESTS), "toys")
    tests.learn(InProcess([RIGHT, KIND]), seed=7)
    return tests


@pytest.fixture
def runs(tests: HiddenTests) -> list[str]:
    """The names of the tests that have run since they were learned."""
    found: list[str] = tests._collected.items[0].function.__globals__["runs"]  # type: ignore[attr-defined]
    found.clear()
    return found


def examined(tests: HiddenTests, channel: Counted) -> tuple[Finding, ...]:
    return tests.examine("double", lambda: channel, seed=7)


def test_a_test_doesnt_run_for_replies_that_it_has_judged(
    tests: HiddenTests, runs: list[str]
) -> None:
    found = examined(tests, Counted(RIGHT))
    assert [each.verdict.outcome for each in found] == [Outcome.PASSED] * 5
    assert "drawn" not in runs


def test_what_asks_something_else_each_time_or_lends_a_model_always_runs(
    tests: HiddenTests, runs: list[str]
) -> None:
    examined(tests, Counted(RIGHT))
    assert runs == ["chance", "chance after a call", "lent"]


def test_with_another_seed_every_test_runs(tests: HiddenTests, runs: list[str]) -> None:
    tests.examine("double", lambda: Counted(RIGHT), seed=8)
    assert runs == ["drawn", "chance", "chance after a call", "lent"]


def test_a_reply_that_is_new_hands_over_to_the_test_and_nothing_is_asked_twice(
    tests: HiddenTests, runs: list[str]
) -> None:
    channel = Counted(
        "calls = []\ndef double(x): calls.append(x); return 2 * x if len(calls) == 1 else 0 * x"
    )
    found = examined(tests, channel)[0]
    assert (found.verdict.outcome, found.verdict.message) == (
        Outcome.FAILED,
        "You don't double large numbers.",
    )
    assert runs[0] == "drawn"
    assert len({request["key"] for request in channel.asked[:2]}) == 2
    assert len(found.exchanges) == 2


def test_a_test_hears_what_was_replied_and_not_what_it_made_of_the_same_reply_before(
    tests: HiddenTests,
) -> None:
    found = examined(tests, Counted("def double(x): return 0 * x if x[0] == 3 else 2 * x"))
    (written,) = (each for each in found if "written" in each.verdict.name)
    assert written.verdict.message == "You don't double threes."


@pytest.mark.parametrize("place", [0, 1])
def test_a_process_that_dies_meanwhile_fails_the_test(tests: HiddenTests, place: int) -> None:
    found = examined(tests, Counted(RIGHT, dies_at=place))[0]
    assert (found.verdict.outcome, found.verdict.message) == (Outcome.ERROR, "It is gone.")
    assert len(found.exchanges) == place + 1


@pytest.mark.parametrize(
    ("source", "ran"),
    [
        ("def double(x): return 2 * y", []),
        ("def double(x): return 2 * x + 1", ["drawn"]),
    ],
)
def test_up_to_the_first_that_fails_no_test_runs_for_an_exception_that_no_right_answer_raises(
    tests: HiddenTests, runs: list[str], source: str, ran: list[str]
) -> None:
    channel = Counted(source)
    (found,) = tests.examine("double", lambda: channel, seed=7, exitfirst=True)
    assert not found.passed
    assert runs == ran


@cache
def learned(assignment: str) -> HiddenTests:
    """The hidden tests of an assignment of the kit, with what they ask of its solution."""
    tests = HiddenTests(KIT, assignment)
    tests.learn(InProcess(solved(KIT, assignment).values()), KIT.seed)
    return tests


@cache
def fresh(assignment: str) -> HiddenTests:
    """The same hidden tests, which have learned nothing."""
    return HiddenTests(KIT, assignment)


def every_answer() -> Iterator[Any]:
    paths = [*KIT.answers.glob("*/*/right/*.py"), *KIT.answers.glob("*/*/wrong/*.py")]
    for number, path in enumerate(sorted(paths)):
        is_quick = exercise_of(path) == ("hw1_attention", "scaled_dot_product_attention")
        marks = () if is_quick and number % 4 == 0 else pytest.mark.exhaustive
        yield pytest.param(path, id="-".join([*path.parts[-3:-1], path.stem]), marks=marks)


# In a notebook, too, warnings stand beside the result; torch gives some once a process.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", list(every_answer()))
def test_a_learned_and_a_fresh_run_agree(path: Path) -> None:
    assignment, exercise = exercise_of(path)
    sources = answered(solved(KIT, assignment), exercise, path.read_text())

    def channel() -> InProcess:
        return InProcess(sources, may_raise=True)

    found, expected = (
        tests.examine(exercise, channel, KIT.seed, skip_slow=True)
        for tests in (learned(assignment), fresh(assignment))
    )
    assert [each.verdict for each in found] == [each.verdict for each in expected]
    assert [replies(each) for each in found] == [replies(each) for each in expected]


def replies(finding: Finding) -> list[bytes]:
    return [wire.pack({"reply": each.reply.get("value")}) for each in finding.exchanges]
