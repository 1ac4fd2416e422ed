"""An answer to one exercise: what its hidden tests found, and what it can be compared with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from autograder.diagnosis.agreement import same, same_types
from autograder.diagnosis.calls import Calls
from autograder.diagnosis.suspect import Match, Suspect
from autograder.report import Outcome, Verdict
from autograder.testing.failures import StudentRaised
from autograder.testing.misconceptions import Variant
from autograder.testing.student import Exchange


@dataclass(frozen=True, eq=False)
class Finding:
    """The verdict of one hidden test, and its exchanges with the student's process.

    `is_compared`: whether the calls are replayed against other answers; of a slow test that would
    take too long, and of an open-ended one it says nothing. `reveals`: the tag of the misconception
    that the failed check names by itself, if any.
    """

    verdict: Verdict
    exchanges: tuple[Exchange, ...]
    is_compared: bool = True
    reveals: str = ""

    @property
    def passed(self) -> bool:
        return self.verdict.outcome is Outcome.PASSED

    @property
    def is_replayable(self) -> bool:
        """Whether there are calls to replay, and a point in doing it."""
        return bool(self.exchanges) and self.is_compared

    @property
    def has_only_results(self) -> bool:
        """Whether there are calls to replay, and none of them broke off."""
        return self.is_replayable and not any(
            each.failure is not None or "error" in each.reply for each in self.exchanges
        )

    @property
    def lacks_parameter(self) -> bool:
        """Whether the test ended because a function has no parameter of the name that is passed.

        The check says so, and no other mistake is needed to explain it.
        """
        last = self.exchanges[-1] if self.exchanges else None
        if last is None or not isinstance(last.failure, StudentRaised):
            return False
        words = last.failure.explanation.words if last.failure.explanation else {}
        return words.get("parameter") in last.request.get("kwargs", {})

    @cached_property
    def calls(self) -> Calls:
        return Calls.of(self.exchanges)


@dataclass(frozen=True, eq=False)
class Case:
    """An answer to `exercise`: what its hidden tests found, and the suspects to compare it with.

    `variants` are the bank's by tag, and `single` the suspects made of one of them; an exercise
    without a bank has none. `styles` are suspects that are right. `together` makes a suspect of
    several mistakes and styles; it returns None if they can't stand together.
    """

    exercise: str
    variants: Mapping[str, Variant]
    tests: Sequence[Finding]
    right: Suspect
    single: Mapping[str, Suspect]
    styles: Mapping[str, Suspect]
    together: Callable[..., Suspect | None]

    @cached_property
    def replayable(self) -> list[Finding]:
        return [test for test in self.tests if test.is_replayable]

    @cached_property
    def decisive(self) -> list[Finding]:
        """The same tests, those that rule out the most for the least first: failed, then short."""
        return sorted(self.replayable, key=lambda test: (test.passed, len(test.exchanges)))

    @cached_property
    def draws(self) -> bool:
        """Whether the student replied differently to the same call."""
        return any(True in test.calls.inconsistent for test in self.replayable)

    @cached_property
    def failed(self) -> list[Finding]:
        return [test for test in self.tests if not test.passed]

    @property
    def is_comparable(self) -> bool:
        """Whether a known answer could explain all: each failure made a call, with a reply."""
        if not all(test.exchanges for test in self.failed):
            return False
        return not any(test.calls.is_cut_off for test in self.replayable)

    def is_explained_by(self, suspect: Suspect) -> bool:
        """Tell whether all replies agree, and differ from the right ones where the student fails.

        A slow test is left out, since it can't be replayed in time. What is remembered is looked at
        before anything is replayed, for it may be enough. Random numbers explain what they don't
        repeat only where right answers draw, too, or the student was seen to: another reply to the
        same call.
        """
        if any(suspect.is_known_to_contradict(test.calls, self.right) for test in self.decisive):
            return False
        found = Match.AGREES
        for test in self.decisive:  # failed ones first: most suspects are out before any passed one
            if test.passed and found < Match.EXPLAINS:
                return False
            match = suspect.match(test.calls, self.right)
            if match is Match.CONTRADICTS:
                return False
            if not test.passed:
                found = max(found, match)
        if found < Match.EXPLAINS:
            return False
        return self.draws or all(self.replies_the_same(suspect, test) for test in self.replayable)

    def replies_the_same(self, suspect: Suspect, test: Finding) -> bool:
        """Tell whether a suspect replies to the calls of a test as the student does.

        Where a right answer draws nothing, their random numbers have to be the same, too.
        """
        return all(
            suspect.agrees(test.calls, place) or self.right.reply(test.calls, place).used_random
            for place in test.calls.places
        )

    def is_right(self, suspect: Suspect, calls: Calls, until: int | None = None) -> bool:
        """Tell whether a suspect replies to calls, to those up to `until`, as a right answer."""
        for place in calls.places if until is None else range(until + 1):
            ours, rights = suspect.reply(calls, place), self.right.reply(calls, place)
            both = ours.message, rights.message
            if ours is not rights and not (same(*both) and same_types(*both)):
                return False
        return True
