"""A mistake in an earlier exercise costs its marks once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
import torch

from autograder.course import Course
from autograder.grading.follow_through import Oracle
from autograder.grading.grader import Grader
from autograder.grading.settings import Settings
from autograder.report import Report
from autograder.sandbox.host.in_process import InProcess
from autograder.sandbox.host.probe import strongest
from tests.courses import solved
from tests.notebooks import filled

WRONG_SOFTMAX = "def softmax(x):\n    return np.exp(x) / np.exp(x).sum()"
WRONG_ENCODING = (
    "def positional_encoding(seq_len, d_model):\n    return torch.ones(seq_len, d_model)"
)
MODULE = """
import torch
class Double(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.inner = torch.nn.Linear(n, n)
    def forward(self, x):
        return 2 * self.inner(x)
def double(x):
    return 2 * x
"""


class TestOracle:
    oracle = Oracle(InProcess([MODULE]), ("double",))

    def ask(self, **request: object) -> Mapping[str, Any]:
        return self.oracle.answer({"args": [], "kwargs": {}, "key": "k"} | request)

    def test_it_answers_for_the_names_it_has(self) -> None:
        reply = self.ask(op="call", name="double", args=[np.ones(2)])
        assert np.array_equal(reply["value"], [2, 2])

    @pytest.mark.parametrize(
        "request_",
        [
            {"op": "call", "name": "Double", "args": [3]},
            {"op": "run", "source": "1"},
            {"op": "call", "name": "double", "args": [10**9]},
            {"op": "call", "name": "double", "args": [[np.ones(5000)]]},
            {"op": "call", "name": "double", "args": [torch.ones(2000, 1000)]},
            {"op": "call", "name": "double", "forbid": []},
        ],
        ids=str,
    )
    def test_it_answers_nothing_else_and_nothing_large(self, request_: dict[str, object]) -> None:
        assert "doesn't answer" in str(self.ask(**request_).get("error"))

    @pytest.mark.parametrize("odd", [None, 3, [], "call", {"op": None}, {"op": ["call"]}], ids=str)
    def test_it_refuses_what_is_no_request(self, odd: object) -> None:
        assert "error" in self.oracle.answer(odd)


@pytest.fixture(scope="module")
def hw1(course: Course) -> Iterator[Grader]:
    with Grader(Settings(course, strongest()), "hw1_attention") as grader:
        yield grader


@pytest.fixture(scope="module")
def hw2(course: Course) -> Iterator[Grader]:
    with Grader(Settings(course, strongest()), "hw2_encoder") as grader:
        yield grader


def graded(grader: Grader, **answers: str) -> Report:
    """Grade the solution of the grader's assignment with these answers in it."""
    right = solved(grader.settings.course, grader.assignment)
    path = grader.settings.course.release_path(grader.assignment)
    return grader.grade(json.dumps(filled(path, right | answers)).encode())


def by_name(report: Report) -> dict[str, tuple[bool, bool]]:
    """Return, for each exercise, whether it has full marks and whether it was followed through."""
    return {e.name: (e.score == e.max_score, e.followed_through) for e in report.exercises}


def test_attention_keeps_its_marks_after_a_wrong_softmax(hw1: Grader) -> None:
    assert by_name(graded(hw1, softmax=WRONG_SOFTMAX)) == {
        "softmax": (False, False),
        "scaled_dot_product_attention": (True, True),
        "self_attention": (True, True),
        "worked_example": (True, True),
    }


def test_attention_keeps_its_marks_when_softmax_never_returns(hw1: Grader) -> None:
    report = graded(hw1, softmax="def softmax(x):\n    import os\n    os._exit(1)")
    assert [full for full, _ in by_name(report).values()] == [False, True, True, True]


def test_a_wrong_attention_loses_its_marks_all_the_same(hw1: Grader) -> None:
    attention = (
        "def scaled_dot_product_attention(Q, K, V):\n    w = softmax(Q @ K.T)\n    return w, w @ V"
    )
    report = graded(hw1, softmax=WRONG_SOFTMAX, scaled_dot_product_attention=attention)
    exercise = report.exercises[1]
    assert 0 < exercise.score < exercise.max_score
    assert exercise.followed_through


def test_what_stands_on_its_own_is_not_followed_through(hw1: Grader) -> None:
    own = (
        "def self_attention(X, W_Q, W_K, W_V):\n"
        "    s = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_Q.shape[1])\n"
        "    w = np.exp(s - s.max(-1, keepdims=True))\n"
        "    w = w / w.sum(-1, keepdims=True)\n"
        "    return w, w @ X @ W_V"
    )
    assert by_name(graded(hw1, softmax=WRONG_SOFTMAX, self_attention=own))["self_attention"] == (
        True,
        False,
    )


@pytest.mark.slow
def test_an_encoder_keeps_its_marks_after_a_wrong_block_and_wrong_positions(hw2: Grader) -> None:
    block = solved(hw2.settings.course, "hw2_encoder")["EncoderBlock"]
    wrong = f"{block}\nEncoderBlock.forward = lambda self, x, key_padding_mask=None: x * 0"
    report = by_name(graded(hw2, EncoderBlock=wrong, positional_encoding=WRONG_ENCODING))
    assert report["EncoderBlock"] == (False, False)
    assert report["positional_encoding"] == (False, False)
    assert report["Encoder"] == (True, True)
