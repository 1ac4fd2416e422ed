"""A student is told why a call didn't return, and where an exception was raised.

A line is of the cell of what it names. The sentences are the same for a cell that IPython runs, as
in a student's process, and for one that is run plainly, as the grader's own are.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
import torch

from autograder.report import Outcome
from autograder.sandbox.guest.runner import Runner
from autograder.sandbox.guest.service import prepare
from autograder.sandbox.host.child import ExitReason, NoReply
from autograder.sandbox.host.in_process import plain_runner
from autograder.testing.failures import (
    StudentFailure,
    StudentOutOfMemory,
    StudentRaised,
    StudentStalled,
    StudentTimedOut,
    without_reply,
)
from autograder.testing.student import Student

SAID = {
    ExitReason.EXHAUSTED: (StudentTimedOut, "computed for longer than 2 s. Is there a loop"),
    ExitReason.ASLEEP: (StudentStalled, "waited for 20 s without computing. What does it"),
    ExitReason.STALLED: (StudentStalled, "did not return within 22 s, although it computed for"),
    ExitReason.TIME: (StudentTimedOut, "computed for longer than it is allowed to. Are there"),
    ExitReason.MEMORY: (StudentOutOfMemory, "needed more memory than is available. Which of"),
    ExitReason.EXCESSIVE: (StudentFailure, "returned more than 256 MB in all, which is too much"),
    ExitReason.EXITED: (StudentFailure, "ended the Python process. Does it call `exit`"),
    ExitReason.CRASHED: (StudentFailure, "crashed the Python process. Is there a recursion"),
    ExitReason.KILLED: (StudentFailure, "closed its connection to the grader. Does it close"),
    ExitReason.INVALID: (StudentFailure, "sent an invalid reply to the grader."),
}
OUTCOMES: dict[type[StudentFailure], Outcome] = {
    StudentTimedOut: Outcome.TIMEOUT,
    StudentStalled: Outcome.TIMEOUT,
    StudentOutOfMemory: Outcome.MEMORY,
}


@pytest.mark.parametrize("reason", ExitReason)
def test_each_reason_has_a_sentence_and_an_outcome(reason: ExitReason) -> None:
    kind, sentence = SAID[reason]
    failure = without_reply(NoReply(reason, 2.0), "`mean`")
    assert type(failure) is kind
    assert failure.outcome is OUTCOMES.get(kind, Outcome.ERROR)
    assert str(failure).startswith(f"`mean` {sentence}")


CELLS = (
    "import torch\nfrom torch import nn\nquiet = lambda x:\\\n    x.nothing\n",
    "class Block(nn.Module):\n    def forward(self, x):\n\n        return x @ x\n",
    """
def train(x):
    blocks = [Block()]
    return [block(x) for block in blocks]
def comprehension(x):
    return [
        v @ x for v in [x]]
def nested(x):
    def inner():
        return x @ x
    return inner()
def uses_lambda(x):
    return quiet(x)
alias = nested
def reads(x):
    return eval("1 +")
""",
    "\n\ndef below(x):\n    raise ValueError('Here.')\n",
)


class Cells:
    """A channel to cells that a runner has run."""

    spent = 0.0

    def __init__(self, runner: Runner, *cells: str) -> None:
        self._runner = runner
        for source in cells:
            self.ask({"op": "run", "source": source})

    def ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        reply = self._runner.answer(dict(request)).message()
        assert isinstance(reply, dict)
        return reply


def plain() -> Runner:
    return plain_runner({"__name__": "__main__"})


@pytest.mark.parametrize("runner", [plain, prepare])
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("train", "`Block`, line 4, failed when `train` called it: RuntimeError: mat1"),
        ("comprehension", "`comprehension` raised RuntimeError in line 7 of its cell: mat1"),
        ("nested", "`nested` raised RuntimeError in line 10 of its cell: mat1"),
        (
            "uses_lambda",
            "`uses_lambda` raised AttributeError in a lambda, in line 4 of its cell: 'Te",
        ),
        ("alias", "`nested`, line 10, failed when `alias` was called: RuntimeError: mat1"),
        ("reads", "`reads` raised SyntaxError in line 16 of its cell: invalid syntax"),
        ("below", "`below` raised ValueError in line 4 of its cell: Here."),
        ("missing", "`missing` raised NameError: name 'missing' is not defined."),
    ],
)
def test_the_place_is_told_in_the_same_words_by_both_runners(
    runner: Callable[[], Runner], name: str, sentence: str
) -> None:
    student = Student(Cells(runner(), *CELLS))
    with pytest.raises(StudentRaised) as caught:
        getattr(student, name)(torch.ones(2, 3))
    assert str(caught.value).startswith(sentence)


def test_a_stub_that_is_timed_is_a_stub() -> None:
    timed = "%%time\ndef timed(x):\n    raise NotImplementedError()"
    student = Student(Cells(prepare(), timed))
    with pytest.raises(StudentRaised, match="`timed` isn't written yet"):
        student.timed(1)


LISTED = """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = {}
"""


@pytest.mark.parametrize(
    ("layers", "kind"),
    [("[torch.nn.Linear(2, 2)]", "list"), ("(torch.nn.Linear(2, 2),)", "tuple"), ("{}", "dict")],
)
def test_a_plain_list_of_layers_is_called_so(layers: str, kind: str) -> None:
    student = Student(Cells(plain(), LISTED.format(layers)))
    with pytest.raises(StudentRaised) as caught:
        student.Net().load({"layers.0.bias": torch.zeros(2)})
    assert str(caught.value) == (
        f"In `Net`, `layers` is a plain {kind}; PyTorch doesn't see the modules in it."
    )


@pytest.mark.parametrize(
    "forged",
    [
        {"bases": 5},
        {"type": ["x"], "line": "1"},
        {"message": None, "function": 7},
        {"line": True},
        {"line": -3},
        {"line": 10**30},
        {"line": 3, "function": "a b"},
        {"line": 3, "function": ["f"]},
        {"line": 3, "function": "g", "callers": [["f"], 5, None]},
        {"bases": ["x" * 10**6] * 1000, "type": "y" * 10**6, "message": "1" * 10**6},
    ],
)
def test_a_forged_place_is_none_and_a_forged_text_is_bounded(forged: dict[str, Any]) -> None:
    raised = StudentRaised("f", {"type": "E", "message": "m"} | forged)
    sentence = str(raised)
    assert raised.outcome is Outcome.ERROR
    assert "of its cell" not in sentence
    assert len(sentence) < 800
    assert "`f` called it" not in sentence
