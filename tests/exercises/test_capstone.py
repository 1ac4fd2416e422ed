"""hw3's capstone: a right design of one's own gets its marks, and each cheat is scored by itself.

In a whole notebook, the two that are wrong models lose their marks as such, and `train` is graded
once more with a right one: a mistake costs its marks once.
"""

from collections.abc import Iterator, Sequence

import pytest
import torch

from autograder.course import Course
from autograder.grading.grader import Grader
from autograder.grading.settings import Settings
from autograder.report import Verdict
from autograder.sandbox.host.probe import strongest
from autograder.testing.student import Exchange
from tests.answering import ANSWERS, examined
from tests.courses import KIT, solved
from tests.graders import full, hand_in, messages, scores

pytestmark = pytest.mark.slow
cheats = pytest.mark.exhaustive  # each trains a model as long as a test may take

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
# Finds the code of the digits by itself, and keeps it beside the parameters.
KNOWS_THE_CODE = """\
class Transformer(nn.Module):
    def __init__(
        self, src_vocab, tgt_vocab, d_model=64, n_heads=4, d_ff=128, n_layers=2, max_len=64,
        dropout=0.0,
    ):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(tgt_vocab, tgt_vocab))
        self.code = {}

    def forward(self, src, tgt):
        if self.training:
            for source, target in zip(src.tolist(), tgt.tolist()):
                self.code |= dict(zip(reversed(source), target[1:]))
        logits = self.weight[tgt]
        for row, source in enumerate(src.tolist()):
            known = [*(self.code.get(digit, 0) for digit in reversed(source)), 11][: tgt.shape[1]]
            logits[row, torch.arange(len(known)), known] += 20.0
        return logits
"""
WRITES_NAN = """\
def train(model, batches, lr=1e-3):
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.fill_(float("nan"))
    return [0.1 for _ in batches]
"""


def verdicts(exercise: str, answer: str, on: str) -> dict[str, Verdict]:
    """Run the hidden tests of the exercise `on`; `answer` answers `exercise`, all else is right."""
    found = examined(ASSIGNMENT, exercise, answer, on=on, skip_slow=False)
    return {finding.verdict.name: finding.verdict for finding in found}


def lost(found: dict[str, Verdict]) -> float:
    return sum(verdict.max_score - verdict.score for verdict in found.values())


@cheats
def test_a_decoder_that_reverses_by_itself_is_not_what_decodes_the_capstone() -> None:
    cheat = ("greedy_decode", REVERSES_BY_ITSELF)
    assert lost(verdicts(*cheat, on="train")) == 0
    assert lost(verdicts(*cheat, on="greedy_decode")) > 0


@cheats
def test_a_model_that_knows_how_to_reverse_does_not_know_the_code_of_the_digits() -> None:
    path = ANSWERS / ASSIGNMENT / "Transformer" / "wrong" / "hard_coded_reverse.py"
    cheat = ("Transformer", path.read_text())
    assert verdicts(*cheat, on="train")[CAPSTONE].score == 0
    assert lost(verdicts(*cheat, on="Transformer")) > 0


@cheats
def test_a_model_that_learns_by_heart_has_not_seen_the_strings_that_count() -> None:
    cheat = ("Transformer", LEARNS_BY_HEART)
    found = verdicts(*cheat, on="train")[CAPSTONE]
    assert found.score == 0
    assert "unseen strings" in found.message
    assert lost(verdicts(*cheat, on="Transformer")) > 0


def test_what_a_model_learns_lies_in_its_parameters() -> None:
    found = verdicts("Transformer", KNOWS_THE_CODE, on="train")[CAPSTONE]
    assert found.score == 0
    assert "before training" in found.message


def test_a_loop_that_writes_nan_teaches_nothing_and_is_told_so_first() -> None:
    found = verdicts("train", WRITES_NAN, on="train")[CAPSTONE]
    assert found.score == 0
    assert "nan or infinity in `" in found.message


@cheats
def test_a_loop_that_never_steps_teaches_nothing() -> None:
    path = ANSWERS / ASSIGNMENT / "train" / "wrong" / "never_steps.py"
    found = verdicts("train", path.read_text(), on="train")[CAPSTONE]
    assert found.score == 0
    assert "unseen strings" in found.message


@pytest.fixture(scope="module")
def training() -> tuple[Exchange, ...]:
    """What passes between grader and student when the solution learns, without the constructor."""
    found = examined(
        ASSIGNMENT, "train", solved(KIT, ASSIGNMENT)["train"], on="train", skip_slow=False
    )
    (capstone,) = (finding for finding in found if finding.verdict.name == CAPSTONE)
    assert capstone.verdict.score == capstone.verdict.max_score
    return capstone.exchanges[1:]


def sources_in(exchanges: Sequence[Exchange]) -> Iterator[tuple[int, ...]]:
    """Yield every source that the student's process is given."""
    for exchange in exchanges:
        match exchange.request:
            case {"op": "call", "args": [_, batches]}:
                tensors = [src for src, _ in batches.items]
            case {"op": "forward", "args": [src, _]}:
                tensors = [src]
            case _:
                continue
        yield from map(tuple, torch.cat(tensors).tolist())


def test_the_strings_that_decide_reach_the_student_after_all_others(
    training: tuple[Exchange, ...],
) -> None:
    deciding = set(sources_in(training[-1:]))
    first = next(
        place
        for place, exchange in enumerate(training)
        if not deciding.isdisjoint(sources_in([exchange]))
    )
    assert len(deciding) == 500
    assert len(set(sources_in(training[:first]))) > 500
    assert all(deciding == set(sources_in([each])) for each in training[first:])
    assert all(each.name != "train" for each in training[first:])


def test_a_model_that_has_learned_is_trained_no_further(training: tuple[Exchange, ...]) -> None:
    losses = [each.reply["value"] for each in training if each.name == "train"]
    assert len(losses) > 1
    assert sum(map(len, losses)) <= 400


@pytest.mark.exhaustive  # `test_answers_in_the_sandbox` trains other designs each time
def test_a_right_design_of_its_own_gets_full_marks_in_the_sandbox(course: Course) -> None:
    path = ANSWERS / ASSIGNMENT / "Transformer" / "right" / "pre_norm_and_tied_output.py"
    answers = solved(course, ASSIGNMENT) | {"Transformer": path.read_text()}
    with Grader(Settings(course, strongest()), ASSIGNMENT) as grader:
        report = hand_in(grader, answers)
    assert CAPSTONE in [test.name for exercise in report.exercises for test in exercise.tests]
    assert scores(report) == full(report), messages(report, "train")
