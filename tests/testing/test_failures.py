"""A student is told why a call didn't return: a sentence for each reason, and its outcome."""

from __future__ import annotations

import pytest

from autograder.report import Outcome
from autograder.sandbox.host.child import ExitReason, NoReply
from autograder.testing.failures import (
    StudentDied,
    StudentFailure,
    StudentOutOfMemory,
    StudentStalled,
    StudentTimedOut,
    without_reply,
)

SAID = {
    ExitReason.EXHAUSTED: (StudentTimedOut, "computed for longer than 2 s. Is there a loop"),
    ExitReason.STALLED: (StudentStalled, "did not return within 22 s, although it computed for"),
    ExitReason.TIME: (StudentTimedOut, "computed for longer than it is allowed to. Are there"),
    ExitReason.MEMORY: (StudentOutOfMemory, "needed more memory than is available. Which of"),
    ExitReason.EXCESSIVE: (StudentFailure, "returned more than 256 MB in all, which is too much"),
    ExitReason.EXITED: (StudentDied, "ended the Python process. Does it call `exit`"),
    ExitReason.CRASHED: (StudentDied, "crashed the Python process. Is there a recursion"),
    ExitReason.KILLED: (StudentDied, "closed its connection to the grader. Does it close files?"),
    ExitReason.INVALID: (StudentDied, "sent an invalid reply to the grader."),
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
