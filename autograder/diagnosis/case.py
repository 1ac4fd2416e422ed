"""One answer to one exercise, as the steps of a diagnosis see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from autograder.diagnosis.calls import Calls
from autograder.diagnosis.finding import Finding
from autograder.diagnosis.suspect import Suspect
from autograder.report import Outcome
from autograder.testing.misconceptions import Variant


@dataclass(frozen=True, eq=False)
class Check:
    """A hidden test: what it found, and its calls in the form in which they are replayed."""

    finding: Finding

    @property
    def passed(self) -> bool:
        """Whether the student passed."""
        return self.finding.verdict.outcome is Outcome.PASSED

    @property
    def is_replayable(self) -> bool:
        """Whether there are calls to replay, and time to do it."""
        return bool(self.finding.exchanges) and not self.finding.is_slow

    @cached_property
    def calls(self) -> Calls:
        """The calls, indexed."""
        return Calls.of(self.finding.exchanges)


@dataclass(frozen=True, eq=False)
class Case:
    """An answer to `exercise`: its hidden tests in their order, and whom to compare it with.

    `variants` are the bank's by tag, `wrong` the suspects made of one or two of them; an exercise
    without a bank has none.
    """

    exercise: str
    variants: dict[str, Variant]
    tests: Sequence[Check]
    right: Suspect
    wrong: Sequence[Suspect]
    _ruling_out: dict[str, frozenset[Check]] = field(default_factory=dict)

    @cached_property
    def replayable(self) -> list[Check]:
        """The tests whose calls can be replayed."""
        return [test for test in self.tests if test.is_replayable]

    @cached_property
    def by_size(self) -> list[Check]:
        """The same tests, those with little data first: they are the easiest to see through."""
        return sorted(self.replayable, key=lambda test: test.calls.size)

    @cached_property
    def decisive(self) -> list[Check]:
        """The same tests, those that rule out the most for the least first: failed, then short."""
        return sorted(self.replayable, key=lambda test: (test.passed, len(test.finding.exchanges)))

    @cached_property
    def failed(self) -> list[Check]:
        """The tests that the student failed."""
        return [test for test in self.tests if not test.passed]

    @cached_property
    def single(self) -> dict[str, Suspect]:
        """The suspects made of one variant, by its tag."""
        wrong = [each for each in self.wrong if len(each.candidate.variants) == 1]
        return {each.candidate.variants[0].tag: each for each in wrong}

    def ruling_out(self, tag: str) -> frozenset[Check]:
        """Return the tests in which one variant alone is remembered to contradict the student."""
        if tag not in self._ruling_out:
            single = self.single[tag]
            self._ruling_out[tag] = frozenset(
                test
                for test in self.replayable
                if single.is_known_to_contradict(test.calls, self.right)
            )
        return self._ruling_out[tag]
