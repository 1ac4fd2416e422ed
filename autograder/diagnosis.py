"""Name the mistake: find the misconception that answers as the student did.

When an exercise fails, the questions that its hidden tests asked are put to each known wrong
variant, then to each two variants that can be made at once. Only one that agrees with the student
everywhere is reported, and only if it differs from a right answer where the student does: a match,
or nothing; never a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

from autograder.hidden_tests import Finding
from autograder.misconceptions import Bank, Candidate, banks_of
from autograder.report import Misconception
from autograder.student import InProcess
from autograder.suspect import Questions, Suspect


@dataclass
class Diagnosis:
    """Diagnoses answers to one assignment; what it learns on one serves the next."""

    assignment: str
    given: Sequence[str]  # the assignment's setup cells
    _suspects: dict[str, list[Suspect]] = field(default_factory=dict)

    def of(self, exercise: str, findings: Iterable[Finding]) -> tuple[Misconception, ...]:
        """Return the misconception, or the two, that explain all answers; else nothing."""
        if exercise not in self._banks:
            return ()
        brief = [found.exchanges for found in findings if not found.lengthy]
        asked = Questions.of(chain.from_iterable(brief))
        right, *wrong = self._suspects_of(exercise)
        for suspect in wrong:
            if suspect.explains(asked, right):
                variants = suspect.candidate.variants
                return tuple(Misconception(tag=v.tag, message=v.message) for v in variants)
        return ()

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
