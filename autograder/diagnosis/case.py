"""One answer to one exercise, as the steps of a diagnosis see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from autograder.diagnosis.calls import Calls
from autograder.diagnosis.finding import Finding
from autograder.diagnosis.suspect import Suspect
from autograder.report import Outcome
from autograder.testing.misconceptions import Variant


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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

    @cached_property
    def replayable(self) -> list[Check]:
        """The tests whose calls can be replayed: cheap ones first, for they rule out the most."""
        found = [test for test in self.tests if test.is_replayable]
        return sorted(found, key=lambda test: test.calls.size)

    @cached_property
    def failed(self) -> list[Check]:
        """The tests that the student failed."""
        return [test for test in self.tests if not test.passed]
