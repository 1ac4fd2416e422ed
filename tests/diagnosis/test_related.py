"""What came back is put beside what should have, whether or not an exercise has a bank."""

from collections.abc import Sequence

import numpy as np
import pytest

from autograder.diagnosis.relations.gathering import Observed
from autograder.report import Misconception
from autograder.testing import expect
from autograder.testing.student import Student
from tests.diagnosis.answers import Room

FOUND = Misconception(tag="relation-sign", message="The sign differs.")
MODULE = """
import torch
class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = torch.nn.Dropout(0.5)
    def forward(self, x):
        return {}
"""


class Listener:
    """Stands for the relations: it records what it is asked."""

    def __init__(self) -> None:
        self.tests: list[list[Observed]] = []
        self.passed: list[bool] = []

    def __call__(
        self, tests: Sequence[Sequence[Observed]], passed: Sequence[bool]
    ) -> Misconception:
        self.tests, self.passed = [list(test) for test in tests], list(passed)
        return FOUND


@pytest.fixture
def relations(monkeypatch: pytest.MonkeyPatch) -> Listener:
    recorder = Listener()
    monkeypatch.setattr("autograder.diagnosis.steps.relation_in", recorder)
    return recorder


def test_right_replies_stand_beside_the_students(room: Room, relations: Listener) -> None:
    def ask(student: Student) -> None:
        expect.close(student.double(np.ones(2)), 2, "You don't double.")

    def easy(student: Student) -> None:
        expect.close(student.double(np.zeros((3, 1))), 0, "You don't double.")

    room.give("def double(x):\n    return x + x\n")
    found = room.diagnosed("def double(x):\n    return -2 * x\n", ask, easy)
    assert found == (FOUND,)
    assert relations.passed == [False, True]
    ((observed,), _) = relations.tests
    assert np.array_equal(observed.exchange.reply["value"], [-2, -2])
    assert np.array_equal(observed.right["value"], [2, 2])
    assert not observed.is_random


def test_the_solution_is_right_where_there_is_no_bank(room: Room, relations: Listener) -> None:
    def ask(student: Student) -> None:
        expect.that(student.count(2) == [1, 2], "You don't count.")

    answer = "def count(times):\n    return [0] * times\n"
    assert room.diagnosed(answer, ask, exercise="Counter") == (FOUND,)
    assert relations.tests[0][0].right["value"] == [1, 2]


def test_the_mode_and_the_chance_of_each_call_are_told(room: Room, relations: Listener) -> None:
    import torch

    def ask(student: Student) -> None:
        module, x = student.Counter(), torch.ones(3)
        module(x)
        module.eval()
        module(x)
        module.train()
        expect.close(module(x), x, "It drops out.")

    room.give("")
    script = room.course.solutions / "toys.py"
    script.write_text(f'# %% solution="Counter"{MODULE.format("self.drop(x)")}')
    room.diagnosed(MODULE.format("0 * x"), ask, exercise="Counter")
    forward = [each for each in relations.tests[0] if each.exchange.request["op"] == "forward"]
    assert [each.is_random for each in forward] == [True, False, True]


def test_nothing_is_asked_where_all_that_can_be_replayed_passes(
    room: Room, relations: Listener
) -> None:
    def failing(student: Student) -> None:
        student.double(np.ones(2))
        expect.that(False, "Too slow.")

    room.give("def double(x):\n    return x + x\n")
    right = "def double(x):\n    return 2 * x\n"
    assert room.diagnosed(right, lambda s: s.double(np.ones(2)), slow=[failing]) == ()
    assert relations.tests == []
