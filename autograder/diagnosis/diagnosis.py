"""Name the mistake: go through the steps, up to the first that explains the student's results.

A diagnosis is never a guess: each step names what holds in all that was seen, or else nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from autograder.course import Course, solution
from autograder.diagnosis.banks import banks_of
from autograder.diagnosis.case import Case, Finding
from autograder.diagnosis.memory import Memory
from autograder.diagnosis.steps import crash, known_variant, pair, parts, relation, revealed
from autograder.diagnosis.suspect import Suspect
from autograder.report import Misconception
from autograder.sandbox.host.in_process import InProcess
from autograder.testing.misconceptions import Bank, Candidate

STEPS: tuple[Callable[[Case], tuple[Misconception, ...]], ...] = (
    known_variant,  # one mistake of the bank explains everything
    pair,  # two at once do
    parts,  # several do, each a part
    revealed,  # a check that failed names a mistake by itself
    relation,  # what came back has a known relation to what should have
    crash,  # everything that fails breaks off in one way
)


@dataclass
class Diagnosis:
    """Diagnoses answers to one assignment; `memory` keeps what suspects have replied."""

    course: Course
    assignment: str
    setup_sources: Sequence[str]  # of the setup cells
    memory: Memory = field(default_factory=Memory)
    _suspects: dict[str, list[Suspect]] = field(default_factory=dict)

    def of(self, exercise: str, findings: Iterable[Finding]) -> tuple[Misconception, ...]:
        """Return the misconceptions that explain the student's results; empty if none do."""
        tests = list(findings)
        if all(test.passed for test in tests):
            return ()
        right, *wrong = self.suspects_of(exercise)
        bank = self._banks.get(exercise)
        variants = {variant.tag: variant for variant in bank.variants} if bank else {}
        case = Case(exercise, variants, tests, right, wrong)
        try:
            return next((named for step in STEPS if (named := step(case))), ())
        finally:
            for suspect in (right, *wrong):
                suspect.free()

    @cached_property
    def _banks(self) -> dict[str, Bank]:
        return banks_of(self.course, self.assignment)

    @cached_property
    def _solutions(self) -> dict[str, str]:
        return solution.sources(self.course, self.assignment)

    @cached_property
    def _solved(self) -> dict[str, Any]:
        """The namespace of the solved notebook."""
        return self._namespace_of(self._solutions.values())

    @cached_property
    def _namespace(self) -> dict[str, Any]:
        """That of suspects from a bank: setup cells, and the reference of every bank."""
        references = [bank.reference for bank in self._banks.values()]
        return self._namespace_of([*self.setup_sources, *references])

    def _namespace_of(self, sources: Iterable[str]) -> dict[str, Any]:
        folder = self.course.solutions / self.assignment
        return InProcess(sources, folder=folder).namespace

    def suspects_of(self, exercise: str) -> list[Suspect]:
        """Return a right answer, then each misconception alone, then each pair.

        An exercise without a bank has only the solution, in the solved notebook.
        """
        if exercise in self._suspects:
            return self._suspects[exercise]
        if bank := self._banks.get(exercise):
            namespace = self._namespace
            candidates = [Candidate((), bank.reference), *bank.singles(), *bank.pairs()]
        else:
            namespace = self._solved
            candidates = [Candidate((), self._solutions[exercise])]
        self._suspects[exercise] = [
            Suspect(each, namespace, f"{exercise}:{_tags(each)}", self.memory)
            for each in candidates
        ]
        return self._suspects[exercise]


def _tags(candidate: Candidate) -> str:
    return "+".join(variant.tag for variant in candidate.variants)
