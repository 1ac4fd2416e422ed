"""Name the mistake: find the misconception that gives the same results as the student's answer.

When an exercise fails, its hidden tests' calls are replayed against each known misconception, then
against each pair that can be combined. If one agrees with the student everywhere, and differs from
the reference where the student does, it is named. Otherwise there may be several mistakes: each
failing test is then considered on its own, and a variant is named if it is the only one that
explains that test and it agrees with the student on every test that passed. Without a match
nothing is named; a diagnosis is never a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

from autograder.course import Course
from autograder.diagnosis.banks import banks_of
from autograder.diagnosis.finding import Finding
from autograder.diagnosis.suspect import Calls, Match, Suspect
from autograder.report import Misconception, Outcome
from autograder.sandbox.host.in_process import InProcess
from autograder.testing.misconceptions import Bank, Candidate, Variant

MAX_NAMED = 3  # misconceptions named for one exercise


@dataclass
class Diagnosis:
    """Diagnoses answers to one assignment; suspects' replies are cached between students."""

    course: Course
    assignment: str
    setup_sources: Sequence[str]  # of the setup cells
    _suspects: dict[str, list[Suspect]] = field(default_factory=dict)

    def of(self, exercise: str, findings: Iterable[Finding]) -> tuple[Misconception, ...]:
        """Return the misconceptions that explain the student's results; empty if none do."""
        if exercise not in self._banks:
            return ()
        tests = [_Test.of(found) for found in findings if found.exchanges and not found.is_slow]
        tests.sort(
            key=lambda test: test.calls.size
        )  # cheap tests first: they rule out most suspects
        right, *wrong = self._suspects_of(exercise)
        variants = _explaining_all_tests(tests, right, wrong) or _explaining_one_test(
            tests, right, wrong
        )
        for suspect in (right, *wrong):
            suspect.free()
        return tuple(Misconception(tag=v.tag, message=v.message) for v in variants)

    @cached_property
    def _banks(self) -> dict[str, Bank]:
        return banks_of(self.course, self.assignment)

    @cached_property
    def _namespace(self) -> dict[str, Any]:
        references = [bank.reference for bank in self._banks.values()]
        folder = self.course.solutions / self.assignment
        return InProcess([*self.setup_sources, *references], folder=folder).namespace

    def _suspects_of(self, exercise: str) -> list[Suspect]:
        """Return the reference, then each misconception alone, then each pair."""
        if exercise not in self._suspects:
            bank = self._banks[exercise]
            candidates = chain([Candidate((), bank.reference)], bank.singles(), bank.pairs())
            self._suspects[exercise] = [Suspect(each, self._namespace) for each in candidates]
        return self._suspects[exercise]


@dataclass(frozen=True)
class _Test:
    """The calls of a hidden test, and whether the student passed it."""

    calls: Calls
    passed: bool

    @classmethod
    def of(cls, found: Finding) -> _Test:
        return cls(Calls.of(found.exchanges), found.verdict.outcome is Outcome.PASSED)


def _explaining_all_tests(
    tests: Sequence[_Test], right: Suspect, wrong: Iterable[Suspect]
) -> tuple[Variant, ...]:
    """Return the variants of the first suspect that agrees with the student on all calls."""
    for suspect in wrong:
        found = Match.AGREES
        for test in tests:
            match = suspect.match(test.calls, right)
            found = max(match, found) if match else match
            if not match:
                break
        if found >= Match.EXPLAINS:
            return suspect.candidate.variants
    return ()


def _explaining_one_test(
    tests: Sequence[_Test], right: Suspect, wrong: Iterable[Suspect]
) -> tuple[Variant, ...]:
    """Return each variant that is the only one to prove a mistake in some failing test."""
    singles = [suspect for suspect in wrong if len(suspect.candidate.variants) == 1]
    for test in tests:
        if test.passed:
            singles = [each for each in singles if each.match(test.calls, right)]
    named: dict[str, Variant] = {}
    for test in tests:
        if not test.passed:
            found = [s for s in singles if s.match(test.calls, right) is Match.PROVES]
            if len(found) == 1:
                (variant,) = found[0].candidate.variants
                named[variant.tag] = variant
    return tuple(named.values())[:MAX_NAMED]
