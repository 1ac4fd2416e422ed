"""Look for one small change that makes a wrong answer right: then one line has all that is wrong.

The changed answer is the student's code still, and runs where that runs.
"""

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Self

from autograder.diagnosis.case import Finding
from autograder.diagnosis.changes import Change, changes_of
from autograder.diagnosis.diagnosis import Slip
from autograder.grading.session import SandboxSession
from autograder.report import Outcome, Verdict
from autograder.testing.failures import StudentFailure
from autograder.testing.student import Channel

MAX_CHANGES = 600  # that are tried of one answer, the likeliest
# Of the grader's computing for all answers of a notebook, and of the student's. On a slow machine,
# too, all changes to an answer or two can be tried within it, or marks would depend on the machine.
MAX_SECONDS = 60.0
MAX_CALL_SECONDS = 3.0  # of one call: a change may make a loop that never ends
MAX_GUESSES = 8  # beyond these, an answer may be a list of them that breaks off on purpose

Examine = Callable[..., Sequence[Finding]]  # runs the hidden tests of one exercise


@dataclass(frozen=True)
class Failing:
    """Names of failed tests: of the `quickest`, and of the quickest that is `broken` off, or ""."""

    quickest: str
    broken: str

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> Self:
        failed = [each for each in findings if not each.passed]
        # a test that isn't compared may be slow; of the others, what is sent takes the time
        failed.sort(key=lambda each: (not each.is_compared, each.calls.size))
        names = [each.verdict.name for each in failed]
        broken = [each.verdict.name for each in failed if each.verdict.outcome is Outcome.ERROR]
        return cls(next(iter(names), ""), next(iter(broken), ""))


@dataclass(frozen=True)
class Helping:
    """A change that makes an answer right; `guesses` before it gave other results than an error.

    No more than one beyond `MAX_GUESSES` are counted, and none if no test breaks off.
    """

    change: Change
    guesses: int


def proven_change(
    session: SandboxSession,
    exercise: str,
    failing: Failing,
    examine: Examine,
    seconds: float,
    skip_slow: bool,
) -> Helping | None:
    """Return the change with which an answer is right, in a process where no other has run, too.

    To find it, so many `seconds` may be computed here, and as many by the student's code. Slow
    tests wait for that process, and are left out with `skip_slow`.
    """
    with session.apart(exercise, seconds, MAX_CALL_SECONDS, only_needed=True) as apart:
        channel_to = partial(apart.channel_to, exercise)
        quick, source = partial(examine, skip_slow=True), session.submission.answers[exercise]
        helping = change_that_helps(source, failing, channel_to, quick, seconds)
    if helping is None:
        return None
    with session.apart(exercise) as apart:
        every = partial(examine, skip_slow=skip_slow)
        found = found_with(helping.change, partial(apart.channel_to, exercise), every)
    return helping if is_right(found) else None


def change_that_helps(
    source: str,
    failing: Failing,
    channel_to: Callable[[str], Channel],
    examine: Examine,
    seconds: float = MAX_SECONDS,
) -> Helping | None:
    """Return the first change to an answer with which every hidden test passes, if any does.

    `channel_to` returns a channel to another source of its cell, or raises a `StudentFailure`. It
    ends after so many `seconds` of computing.
    """
    last, changes = time.process_time() + seconds, changes_of(source)[:MAX_CHANGES]
    for place, change in enumerate(changes):
        if time.process_time() > last:
            break
        if is_right(found_with(change, channel_to, partial(examine, first=failing.quickest))):
            broken = partial(examine, first=failing.broken)
            before = changes[:place] if failing.broken else []
            found = (found_with(each, channel_to, broken) for each in before)
            guesses = (each for each in found if not all(map(_is_error, each)))
            return Helping(change, sum(1 for _ in islice(guesses, MAX_GUESSES + 1)))
    return None


def _is_error(found: Finding) -> bool:
    return found.verdict.outcome is Outcome.ERROR


def is_right(findings: Sequence[Finding]) -> bool:
    """Tell whether a change could be tried, and every test passes with it."""
    return bool(findings) and all(each.passed for each in findings)


def found_with(
    change: Change, channel_to: Callable[[str], Channel], examine: Examine
) -> Sequence[Finding]:
    """Return what is found of an answer with a change, up to a test that fails."""
    try:
        channel = channel_to(change.source)
    except StudentFailure:
        return ()
    return examine(lambda: channel, exitfirst=True)


def breaks_off(verdicts: Sequence[Verdict]) -> bool:
    """Tell whether a test fails with an exception: it hides what would have been right."""
    return any(v.outcome is Outcome.ERROR and v.score < v.max_score for v in verdicts)


def spared(
    verdicts: Sequence[Verdict], ideas: Sequence[str], own: Collection[int] = ()
) -> tuple[Verdict, ...]:
    """Return the verdicts of an answer that breaks off, and that one change makes right.

    It costs its `own` ideas, given by their numbers from 1. Where nobody can say which idea it
    lacks, it costs the points of that which has most.
    """
    worth = [sum(each.max_score for each in verdicts if each.idea == idea) for idea in ideas]
    heaviest = worth.index(max(worth)) + 1
    failed = frozenset(each.name for each in verdicts if each.score < each.max_score)
    return Slip(frozenset(own or {heaviest}), failed).spares(verdicts, ideas)
