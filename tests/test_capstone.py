"""Cheats on hw3's capstone, in the sandbox with its real limits: what each scores, and why."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.course import Course
from autograder.grade import Grader, Settings
from autograder.report import Report, Verdict
from autograder.sandbox.isolation import strongest
from tests.grading import full, hand_in, scores, solved
from tests.test_answers import ANSWERS

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

ASSIGNMENT = "hw3_transformer"
CAPSTONE = "test_your_model_learns_to_write_strings_backwards"

REVERSES_BY_ITSELF = """\
def greedy_decode(model, src, max_len, bos=1, eos=2):
    ends = torch.full((len(src), 1), eos)
    return torch.cat([torch.full((len(src), 1), bos), src.flip(1), ends], dim=1)[:, :max_len]
"""
LEARNS_BY_HEART = """\
class Transformer(nn.Module):
    def __init__(
        self, src_vocab, tgt_vocab, d_model=64, n_heads=4, d_ff=128, n_layers=2, max_len=64,
        dropout=0.0,
    ):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(tgt_vocab, tgt_vocab))
        self.seen = {}

    def forward(self, src, tgt):
        if self.training:
            self.seen |= {tuple(s.tolist()): t[1:].tolist() for s, t in zip(src, tgt)}
        logits = self.weight[tgt]
        for row, source in enumerate(src):
            known = [*self.seen.get(tuple(source.tolist()), []), 11][: tgt.shape[1]]
            logits[row, torch.arange(len(known)), known] += 20.0
        return logits
"""


@pytest.fixture(scope="module")
def grader(course: Course) -> Iterator[Grader]:
    grader = Grader(Settings(course, strongest()), ASSIGNMENT)
    yield grader
    grader.close()


def grade(grader: Grader, exercise: str, answer: str) -> Report:
    """Grade an answer to `exercise`, with everything else solved."""
    return hand_in(grader, solved(grader.settings.course, ASSIGNMENT) | {exercise: answer})


def capstone(report: Report) -> Verdict:
    (found,) = (t for each in report.exercises for t in each.tests if t.name == CAPSTONE)
    return found


def test_a_decoder_that_reverses_by_itself_is_not_what_decodes_the_capstone(
    grader: Grader,
) -> None:
    report = grade(grader, "greedy_decode", REVERSES_BY_ITSELF)
    lost = {name for name, most in full(report).items() if scores(report)[name] < most}
    assert lost == {"greedy_decode"}
    assert capstone(report).score == capstone(report).max_score


def test_a_model_that_knows_how_to_reverse_does_not_know_the_code_of_the_digits(
    grader: Grader,
) -> None:
    path = ANSWERS / ASSIGNMENT / "Transformer" / "wrong" / "hard_coded_reverse.py"
    report = grade(grader, "Transformer", path.read_text())
    assert capstone(report).score < 0.05
    assert scores(report)["Transformer"] < full(report)["Transformer"]


def test_a_model_that_learns_by_heart_has_not_seen_the_strings_that_count(grader: Grader) -> None:
    report = grade(grader, "Transformer", LEARNS_BY_HEART)
    assert capstone(report).score < 0.05
    assert "unseen strings" in capstone(report).message
    assert scores(report)["Transformer"] < full(report)["Transformer"]


def test_a_loop_that_never_steps_teaches_nothing(grader: Grader) -> None:
    path = ANSWERS / ASSIGNMENT / "train" / "wrong" / "never_steps.py"
    report = grade(grader, "train", path.read_text())
    assert capstone(report).score < 0.05
    assert "unseen strings" in capstone(report).message
