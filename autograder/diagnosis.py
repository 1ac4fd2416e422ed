"""Name the mistake: find the misconception that answers as the student did.

When an exercise fails, the questions that its hidden tests asked are put to each known wrong
variant, then to each two variants that can be made at once. One that agrees with the student
everywhere is the mistake, if it differs from a right answer where the student does. If there is
none, the mistakes may be several: then each failing test is looked at by itself, and a variant is
named if it alone explains that test, and passes whatever the student passes. A match, or nothing;
never a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

from autograder.banks import banks_of
from autograder.hidden_tests import Finding
from autograder.misconceptions import Bank, Candidate, Variant
from autograder.report import Misconception, Outcome
from autograder.student import InProcess
from autograder.suspect import Match, Questions, Suspect

_MOST = 3  # misconceptions that are named at once


@dataclass
class Diagnosis:
    """Diagnoses answers to one assignment; what it learns on one serves the next."""

    assignment: str
    given: Sequence[str]  # the assignment's setup cells
    _suspects: dict[str, list[Suspect]] = field(default_factory=dict)

    def of(self, exercise: str, findings: Iterable[Finding]) -> tuple[Misconception, ...]:
        """Return the misconceptions that explain the student's answers; nothing if none do."""
        if exercise not in self._banks:
            return ()
        tests = [_Test.of(found) for found in findings if found.exchanges and not found.lengthy]
        tests.sort(key=lambda test: test.asked.size)  # the first answers rule out most suspects
        right, *wrong = self._suspects_of(exercise)
        variants = _whole(tests, right, wrong) or _parts(tests, right, wrong)
        for suspect in (right, *wrong):
            suspect.rest()
        return tuple(Misconception(tag=v.tag, message=v.message) for v in variants)

    @cached_property
    def _banks(self) -> dict[str, Bank]:
        return banks_of(self.assignment)

    @cached_property
    def _namespace(self) -> dict[str, Any]:
        references = [bank.reference for bank in self._banks.values()]
        return InProcess([*self.given, *references]).namespace

    def _suspects_of(self, exercise: str) -> list[Suspect]:
        """Return the right answer, then each wrong one alone, then each two at once."""
        if exercise not in self._suspects:
            bank = self._banks[exercise]
            candidates = chain([Candidate((), bank.reference)], bank.singles(), bank.pairs())
            self._suspects[exercise] = [Suspect(each, self._namespace) for each in candidates]
        return self._suspects[exercise]


@dataclass(frozen=True)
class _Test:
    """A hidden test: what it asked, and whether the student passed."""

    asked: Questions
    passed: bool

    @classmethod
    def of(cls, found: Finding) -> _Test:
        return cls(Questions.of(found.exchanges), found.verdict.outcome is Outcome.PASSED)


def _whole(tests: Sequence[_Test], right: Suspect, wrong: Iterable[Suspect]) -> tuple[Variant, ...]:
    """Return the variants of the first suspect that answers all questions as the student did."""
    for suspect in wrong:
        found = Match.AGREES
        for test in tests:
            match = suspect.match(test.asked, right)
            found = max(match, found) if match else match
            if not match:
                break
        if found >= Match.EXPLAINS:
            return suspect.candidate.variants
    return ()


def _parts(tests: Sequence[_Test], right: Suspect, wrong: Iterable[Suspect]) -> tuple[Variant, ...]:
    """Return each variant that is the only one to explain some failing test, beyond doubt."""
    singles = [suspect for suspect in wrong if len(suspect.candidate.variants) == 1]
    for test in tests:
        if test.passed:
            singles = [each for each in singles if each.match(test.asked, right)]
    named: dict[str, Variant] = {}
    for test in tests:
        if not test.passed:
            found = [s for s in singles if s.match(test.asked, right) is Match.PROVES]
            if len(found) == 1:
                (variant,) = found[0].candidate.variants
                named[variant.tag] = variant
    return tuple(named.values())[:_MOST]
