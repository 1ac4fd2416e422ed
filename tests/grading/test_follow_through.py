"""A mistake in an earlier exercise costs its marks once."""

import pytest

from autograder.grading.grader import Grader
from autograder.report import Report
from autograder.sandbox.host.probe import strongest
from tests.courses import solved
from tests.graders import Graders, exercise_in, hand_in

pytestmark = pytest.mark.slow  # each grades a notebook

WRONG_SOFTMAX = "def softmax(x):\n    return np.exp(x) / np.exp(x).sum()"
WRONG_ENCODING = (
    "def positional_encoding(seq_len, d_model):\n    return torch.ones(seq_len, d_model)"
)


@pytest.fixture
def hw1(graders: Graders) -> Grader:
    return graders("hw1_attention", strongest())


@pytest.fixture
def hw2(graders: Graders) -> Grader:
    return graders("hw2_encoder", strongest())


def graded(grader: Grader, **answers: str) -> Report:
    """Grade the solution of the grader's assignment with these answers in it."""
    return hand_in(grader, solved(grader.settings.course, grader.assignment) | answers)


def by_name(report: Report) -> dict[str, tuple[bool, bool]]:
    """Return of what gives points whether all were earned, and whether it was followed through."""
    worth = (each for each in report.exercises if each.max_score)
    return {e.name: (e.score == e.max_score, e.followed_through) for e in worth}


def test_attention_keeps_its_marks_after_a_wrong_softmax(hw1: Grader) -> None:
    assert by_name(graded(hw1, softmax=WRONG_SOFTMAX)) == {
        "softmax": (False, False),
        "scaled_dot_product_attention": (True, True),
        "self_attention": (True, True),
        "worked_example": (True, True),
    }


def test_a_wrong_attention_loses_its_marks_all_the_same(hw1: Grader) -> None:
    attention = (
        "def scaled_dot_product_attention(Q, K, V):\n    w = softmax(Q @ K.T)\n    return w, w @ V"
    )
    report = graded(hw1, softmax=WRONG_SOFTMAX, scaled_dot_product_attention=attention)
    exercise = exercise_in(report, "scaled_dot_product_attention")
    assert 0 < exercise.score < exercise.max_score
    assert exercise.followed_through


def test_an_answer_that_changes_when_it_is_followed_through_gets_no_second_try(
    hw1: Grader,
) -> None:
    attention = (
        "def scaled_dot_product_attention(Q, K, V):\n"
        "    is_followed = np.allclose(softmax(np.zeros((2, 2))), 0.5)\n"
        "    s = Q @ K.T / np.sqrt(Q.shape[1] if is_followed else 1)\n"
        "    e = np.exp(s - s.max(-1, keepdims=True))\n"
        "    w = e / e.sum(-1, keepdims=True)\n"
        "    return w, w @ V * (2 if is_followed else 1)"
    )
    report = by_name(graded(hw1, softmax=WRONG_SOFTMAX, scaled_dot_product_attention=attention))
    assert report["scaled_dot_product_attention"] == (False, False)


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


def test_an_encoder_keeps_its_marks_after_a_wrong_block_and_wrong_positions(hw2: Grader) -> None:
    block = solved(hw2.settings.course, "hw2_encoder")["EncoderBlock"]
    wrong = f"{block}\nEncoderBlock.forward = lambda self, x, key_padding_mask=None: x * 0"
    report = by_name(graded(hw2, EncoderBlock=wrong, positional_encoding=WRONG_ENCODING))
    assert report["EncoderBlock"] == (False, False)
    assert report["positional_encoding"] == (False, False)
    assert report["Encoder"] == (True, True)
