"""One answer to one exercise, as the steps of a diagnosis see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from autograder.diagnosis.calls import Calls
from autograder.diagnosis.suspect import Suspect
from autograder.report import Outcome, Verdict
from autograder.testing.misconceptions import Variant
from autograder.testing.student import Exchange


@dataclass(frozen=True, eq=False)
class Finding:
    """The verdict of one hidden test, and its exchanges with the student's process.

    `is_slow`: replaying the calls against known misconceptions would take too long. `reveals`: the
    tag of the misconception that the failed check names by itself, if any.
    """

    verdict: Verdict
    exchanges: tuple[Exchange, ...]
    is_slow: bool = False
    reveals: str = ""

    @property
    def passed(self) -> bool:
        """Whether the student passed."""
        return self.verdict.outcome is Outcome.PASSED

    @property
    def is_replayable(self) -> bool:
        """Whether there are calls to replay, and time to do it."""
        return bool(self.exchanges) and not self.is_slow

    @cached_property
    def calls(self) -> Calls:
        """The calls, in the form in which they are replayed."""
        return Calls.of(self.exchanges)


@dataclass(frozen=True, eq=False)
class Case:
    """An answer to `exercise`: what its hidden tests found, and the suspects to compare it with.

    `variants` are the bank's by tag, `wrong` the suspects made of one or two of them; an exercise
    without a bank has none.
    """

    exercise: str
    variants: dict[str, Variant]
    tests: Sequence[Finding]
    right: Suspect
    wrong: Sequence[Suspect]
    _ruling_out: dict[str, frozenset[Finding]] = field(default_factory=dict)

    @cached_property
    def replayable(self) -> list[Finding]:
        """The tests whose calls can be replayed."""
        return [test for test in self.tests if test.is_replayable]

    @cached_property
    def decisive(self) -> list[Finding]:
        """The same tests, those that rule out the most for the least first: failed, then short."""
        return sorted(self.replayable, key=lambda test: (test.passed, len(test.exchanges)))

    @cached_property
    def failed(self) -> list[Finding]:
        """The tests that the student failed."""
        return [test for test in self.tests if not test.passed]

    @cached_property
    def single(self) -> dict[str, Suspect]:
        """The suspects made of one variant, by its tag."""
        wrong = [each for each in self.wrong if len(each.candidate.variants) == 1]
        return {each.candidate.variants[0].tag: each for each in wrong}

    def ruling_out(self, tag: str) -> frozenset[Finding]:
        """Return the tests in which one variant alone is remembered to contradict the student."""
        if tag not in self._ruling_out:
            suspect = self.single[tag]
            self._ruling_out[tag] = frozenset(
                test
                for test in self.replayable
                if suspect.is_known_to_contradict(test.calls, self.right)
            )
        return self._ruling_out[tag]
