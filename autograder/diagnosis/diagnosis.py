"""Name the mistake in an answer: the first step that explains the student's results has the name.

A diagnosis is never a guess: each step names what holds in all that was seen, or else nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from autograder.course import Course, solution
from autograder.diagnosis.banks import banks_of
from autograder.diagnosis.case import Case, Finding
from autograder.diagnosis.memory import Memory
from autograder.diagnosis.steps import STEPS
from autograder.diagnosis.suspect import Suspect
from autograder.report import Misconception, Verdict
from autograder.sandbox.host.in_process import InProcess
from autograder.testing.misconceptions import Bank, Candidate


@dataclass(frozen=True)
class Slip:
    """A mistake in one idea of an exercise, or two at once, beside which nothing is wrong.

    `ideas` are the numbers of those that they belong to, from 1; `explains` has the names of the
    failed tests that they explain, and `costs` of those that one without such an idea fails alone.
    """

    ideas: frozenset[int] = frozenset()
    explains: frozenset[str] = frozenset()
    costs: frozenset[str] = frozenset()

    def spares(self, verdicts: Sequence[Verdict], ideas: Sequence[str]) -> tuple[Verdict, ...]:
        """Return the verdicts with points for what fails by this slip, but belongs to other ideas.

        `ideas` are all of the exercise, in order. As much stays lost as the slip's own ideas are
        worth. One that costs nothing there spares nothing, or it might cost nothing at all.
        """
        own = {ideas[number - 1] for number in self.ideas if 0 < number <= len(ideas)}
        if not own or not own <= {each.idea for each in verdicts if each.score < each.max_score}:
            return tuple(verdicts)
        least = sum(each.max_score for each in verdicts if each.idea in own)
        paid = [each for each in verdicts if each.idea not in own and each.name in self.costs]
        least += sum(each.max_score - each.score for each in paid)
        lost, spared = sum(each.max_score - each.score for each in verdicts), set[str]()
        for each in sorted(verdicts, key=lambda each: each.max_score, reverse=True):
            left = lost - (each.max_score - each.score)
            may_be = each.name in self.explains and each.idea not in own and each not in paid
            if may_be and left >= least:
                spared.add(each.name)
                lost = left
        return tuple(
            each.model_copy(update={"score": each.max_score}) if each.name in spared else each
            for each in verdicts
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
        """Return the misconceptions that explain the student's results; empty if none do.

        A parameter of another name is told by the check that meets it. If more is wrong, they
        explain the rest.
        """
        tests = list(findings)
        if all(test.passed for test in tests):
            return ()
        rest = [test for test in tests if not test.lacks_parameter]
        with self._case(exercise, tests if all(test.passed for test in rest) else rest) as case:
            return next((named for step in STEPS if (named := step(case))), ())

    def slip(self, exercise: str, named: Sequence[Misconception], tests: Sequence[Finding]) -> Slip:
        """Return what the mistakes `named` explain, if one or two of them explain everything.

        The student then replies as they do in every test: nothing else is wrong. Where it breaks
        off, nothing is known of what would have followed, and so nothing is explained. Nor is it
        by two under which no test passes: together they may come to no attempt at all, such as to
        return what was given.
        """
        bank, tags = self._banks.get(exercise), [each.tag for each in named]
        if bank is None or not 1 <= len(tags) <= 2 or not any(tag in bank.ideas for tag in tags):
            return Slip()
        if len(tags) > 1 and not any(test.passed for test in tests):
            return Slip()
        rest = [test for test in tests if not test.lacks_parameter]
        with self._case(exercise, rest) as case:
            if not case.single.keys() >= set(tags):
                return Slip()
            ways = (case.together(*tags, *style) for style in [(), *zip(case.styles)])
            matching = (each for each in ways if each and case.is_explained_by(each))
            suspect = next(matching, None) if case.is_comparable else None
            if suspect is None:
                return Slip()
            explained = [
                test.verdict.name
                for test in case.failed
                if test.has_only_results and case.replies_the_same(suspect, test)
            ]
            others = [case.single[tag] for tag in tags if tag not in bank.ideas]
            costs = [
                test.verdict.name
                for test in case.failed
                if not all(case.is_right(other, test.calls) for other in others)
            ]
            costs += [test.verdict.name for test in tests if test.lacks_parameter]
        ideas = frozenset(bank.ideas[tag] for tag in tags if tag in bank.ideas)
        return Slip(ideas, frozenset(explained), frozenset(costs))

    def ideas_of(self, exercise: str, named: Iterable[Misconception]) -> frozenset[int]:
        """Return the numbers of the ideas that slips belong to, from 1; none if one has no idea."""
        ideas = self._banks[exercise].ideas if exercise in self._banks else {}
        tags = {each.tag for each in named}
        return frozenset(ideas[tag] for tag in tags) if tags <= ideas.keys() else frozenset()

    def unexplained(
        self, exercise: str, named: Sequence[Misconception], tests: Iterable[Finding]
    ) -> tuple[str, ...] | None:
        """Return the names of the failed tests that are no matter of the mistakes `named`.

        An answer with nothing wrong but these mistakes passes them. A test that can't be replayed
        isn't among them. None if one of the mistakes isn't in the bank: nothing is known of it.
        """
        with self._case(exercise, list(tests)) as case:
            tags = {each.tag for each in named}
            if not case.single.keys() >= tags:
                return None
            suspects = [case.single[tag] for tag in tags]
            return tuple(
                test.verdict.name
                for test in case.failed
                if test.is_replayable
                and test.reveals not in tags
                and all(case.is_right(each, test.calls) for each in suspects)
            )

    @contextmanager
    def _case(self, exercise: str, tests: Sequence[Finding]) -> Iterator[Case]:
        right, *others = self.suspects_of(exercise)
        bank = self._banks.get(exercise)
        variants = {variant.tag: variant for variant in bank.variants} if bank else {}
        made = {each.tags[0]: each for each in others}
        single = {tag: made.pop(tag) for tag in variants if tag in made}
        try:
            yield Case(
                exercise, variants, tests, right, single, made, partial(self._together, exercise)
            )
        finally:
            for suspect in (right, *others):
                suspect.free()

    @cached_property
    def _banks(self) -> dict[str, Bank]:
        return banks_of(self.course, self.assignment)

    @cached_property
    def _solutions(self) -> dict[str, str]:
        return solution.sources(self.course, self.assignment)

    @cached_property
    def solved(self) -> dict[str, Any]:
        """What the solved notebook defines."""
        return InProcess(self._solutions.values(), folder=self._folder).namespace

    @cached_property
    def _namespace(self) -> dict[str, Any]:
        """That of suspects from a bank: setup cells, and the reference of every bank."""
        references = [bank.reference for bank in self._banks.values()]
        return InProcess([*self.setup_sources, *references], folder=self._folder).namespace

    @cached_property
    def _folder(self) -> Path | None:
        folder = self.course.solutions / self.assignment
        return folder if folder.is_dir() else None

    def suspects_of(self, exercise: str) -> list[Suspect]:
        """Return a right answer, then each misconception of the bank and each style.

        An exercise without a bank has only the solution, in the solved notebook.
        """
        if exercise not in self._suspects:
            if bank := self._banks.get(exercise):
                namespace = self._namespace
                candidates = [Candidate((), bank.reference), *bank.singles(), *bank.restyled()]
            else:
                namespace = self.solved
                candidates = [Candidate((), self._solutions[exercise])]
            self._suspects[exercise] = [self._suspect(exercise, c, namespace) for c in candidates]
        return self._suspects[exercise]

    def _together(self, exercise: str, *tags: str) -> Suspect | None:
        """Return a suspect with these mistakes and styles; of one, that which there is already."""
        known = (each for each in self._suspects[exercise] if each.tags == tags)
        if suspect := next(known, None):
            return suspect
        candidate = self._banks[exercise].together(*tags)
        return self._suspect(exercise, candidate, self._namespace) if candidate else None

    def _suspect(
        self, exercise: str, candidate: Candidate, namespace: Mapping[str, Any]
    ) -> Suspect:
        name = f"{exercise}:{'+'.join(each.tag for each in candidate.variants)}"
        return Suspect(candidate, namespace, name, self.memory, self._folder)
