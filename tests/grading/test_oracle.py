"""The grader answers some questions of a student's process, and nothing else can be got of it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
import torch

from autograder.course import Course
from autograder.grading import follow_through
from autograder.grading.follow_through import Oracle
from autograder.report import Report
from autograder.sandbox import wire
from autograder.sandbox.guest.runner import module_of
from autograder.sandbox.host.in_process import InProcess
from autograder.sandbox.host.probe import strongest
from tests.graders import LIMITS, Graders, full, hand_in, scores

SOLUTION = """
import numpy as np
import torch

class Early(torch.nn.Linear):
    pass

class Late(torch.nn.Linear):
    pass

def table(rows, columns):
    return np.ones((rows, columns))

def forever():
    while True:
        pass

def picky(x):
    raise KeyError("how the solution is written")

class Stack:
    pass
"""


def oracle_of(*names: str) -> Oracle:
    return Oracle(InProcess([SOLUTION]), names)


def test_objects_that_are_no_modules_are_not_answered_for() -> None:
    oracle = oracle_of()
    assert [name for name in ("Early", "table", "Stack") if oracle.can_answer(name)] == [
        "Early",
        "table",
    ]


def call(oracle: Oracle, name: str, *args: Any, key: str = "k") -> Mapping[str, Any]:
    request = {"op": "call", "name": name, "args": list(args), "kwargs": {}, "key": key}
    return oracle.answer(request)


def forward(oracle: Oracle, target: object, x: torch.Tensor) -> Mapping[str, Any]:
    return oracle.answer({"op": "forward", "target": target, "args": [x], "kwargs": {}})


def test_a_module_that_it_made_can_be_run() -> None:
    oracle = oracle_of("Early")
    made = call(oracle, "Early", 3, 2)["value"]
    assert forward(oracle, made, torch.ones(4, 3))["value"].shape == (4, 2)


def test_what_the_solution_says_of_wrong_arguments_stays_with_the_grader() -> None:
    oracle = oracle_of("picky", "table")
    assert call(oracle, "picky", 1) == call(oracle, "table", "a word", 2) == follow_through.FAILED


def test_a_stand_in_for_a_module_can_be_trained() -> None:
    """Its parameters, and what comes before it, get the gradients that the module itself gives."""
    oracle = oracle_of("Early")
    made = call(oracle, "Early", 3, 2)["value"]
    stand_in = module_of(made, lambda question: oracle.answer(dict(question)).get("value"))
    own, x = torch.nn.Linear(3, 2), torch.ones(4, 3, requires_grad=True)
    own.load_state_dict(stand_in.state_dict())
    wanted = torch.autograd.grad((own(x) ** 2).sum(), [*own.parameters(), x])
    assert torch.equal(stand_in(x), own(x))
    found = torch.autograd.grad((stand_in(x) ** 2).sum(), [*stand_in.parameters(), x])
    assert all(torch.allclose(*pair) for pair in zip(found, wanted, strict=True))


@pytest.mark.parametrize(("made_by", "called"), [("Early", "Early"), ("<lambda>", "Module")])
def test_a_stand_in_has_the_class_name_that_students_know(made_by: str, called: str) -> None:
    """They read it in messages of Python's, as in "'Early' object has no attribute …"."""
    stand_in = module_of(wire.Handle("made", made_by), lambda _: {})
    assert type(stand_in).__name__ == called


def test_a_stand_in_computes_with_the_parameters_it_has_by_then() -> None:
    oracle = oracle_of("Early")
    made = call(oracle, "Early", 3, 2)["value"]
    stand_in = module_of(made, lambda question: oracle.answer(dict(question)).get("value"))
    stand_in(torch.ones(1, 3))
    with torch.no_grad():
        for value in stand_in.parameters():
            value.fill_(1.0)
    assert torch.equal(stand_in(torch.ones(1, 3)), torch.full((1, 2), 4.0))


@pytest.mark.parametrize("target", [wire.Handle("late", "Late"), wire.Handle("", ""), "late", None])
def test_a_module_that_others_made_is_out_of_reach(target: object) -> None:
    """Such as one that hidden tests made of the solution of the very exercise that is graded."""
    oracle = oracle_of("Early")
    request = {"op": "call", "name": "Late", "args": [3, 2], "kwargs": {}, "key": "late"}
    oracle.channel.ask(request)
    assert "doesn't answer" in forward(oracle, target, torch.ones(4, 3))["error"]["message"]
    others: dict[str, dict[str, Any]] = {
        "state": {},
        "mode": {"train": True},
        "load": {"state": {}},
    }
    for op, rest in others.items():
        said = oracle.answer({"op": op, "target": target, **rest})
        assert "doesn't answer" in said["error"]["message"]


def test_no_answer_takes_more_memory_than_the_grader_can_spare() -> None:
    oracle = oracle_of("Early", "table")
    assert "error" in call(oracle, "table", [4096] * 3, 4096)
    assert call(oracle, "table", 2, 3)["value"].shape == (2, 3)


def test_no_answer_takes_longer_than_the_grader_can_spare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow_through, "MAX_SECONDS", 0.2)
    oracle = oracle_of("forever", "table")
    assert call(oracle, "forever") == follow_through.FAILED
    assert call(oracle, "table", 2, 3)["value"].shape == (2, 3)


@pytest.mark.slow
def test_all_answers_together_take_no_more_memory_than_the_grader_can_spare(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(follow_through, "MAX_ORACLE_MEMORY", 1 << 28)  # a quarter of it
    oracle = oracle_of("Early")
    replies = (call(oracle, "Early", 4096, 4096, key=str(number)) for number in range(100))
    assert any("error" in reply for reply in replies)
    assert "error" not in call(oracle_of("Early"), "Early", 4096, 4096)


# A function that uses softmax, finds the line to the grader, and asks for what it is to compute.
GREEDY = """
import sys
def scaled_dot_product_attention(Q, K, V):
    frame = sys._getframe()
    while "call_back" not in frame.f_locals:
        frame = frame.f_back
    ask, args = frame.f_locals["call_back"], [Q, K, V]
    wanted = "scaled_dot_product_attention" or softmax
    {deed}
"""
REQUEST = "{'op': 'call', 'name': wanted, 'args': args, 'kwargs': {}, 'key': 'x'}"
ATTENTION = "scaled_dot_product_attention"


def graded(graders: Graders, deed: str) -> Report:
    answers = {"softmax": "def softmax(x):\n    return x", ATTENTION: GREEDY.format(deed=deed)}
    return hand_in(graders("hw1_attention", strongest()), answers)


@pytest.mark.slow
def test_what_is_graded_is_not_answered(graders: Graders) -> None:
    assert graded(graders, f"return ask({REQUEST})").score == 0


def test_what_was_graded_before_is_answered(graders: Graders) -> None:
    """Or else the test above would prove nothing."""
    deed = f"wanted, args = 'softmax', [Q @ K.T / np.sqrt(K.shape[1])]; weights = ask({REQUEST})"
    report = graded(graders, f"{deed}\n    return weights, weights @ V")
    assert scores(report)[ATTENTION] == full(report)[ATTENTION]


@pytest.fixture(scope="module")
def hasty(course: Course) -> Iterator[Graders]:
    """Graders that wait for no call for long."""
    graders = Graders(course, replace(LIMITS, call_seconds=0.1))
    yield graders
    graders.close()


@pytest.mark.slow
@pytest.mark.parametrize("wanted", ["softmax", ATTENTION])
def test_to_ask_without_end_takes_no_longer_than_a_call_may(hasty: Graders, wanted: str) -> None:
    """It ends in time: else this test would not end."""
    endless = f"wanted, args = {wanted!r}, [Q]\n    while True:\n        try: ask({REQUEST})\n"
    assert graded(hasty, f"{endless}        except RuntimeError: pass").score == 0
