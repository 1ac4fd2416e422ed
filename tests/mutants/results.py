"""What became of all answers to one exercise, counted; and the mutants that are right all the same.

No test can kill those: what they return is right as well. Each is listed with a proof.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests.mutants.exercises import Exercise, Kind
from tests.mutants.figures import Figures
from tests.mutants.trials import Fate, RightTrial

LIST = Path(__file__).with_name("equivalent.toml")


@dataclass(frozen=True)
class Equivalent:
    """A slip in an exercise that `proof` shows to be none."""

    assignment: str
    exercise: str
    before: str
    after: str
    proof: str


def listed() -> list[Equivalent]:
    return [
        Equivalent(assignment, exercise, **entry)
        for assignment, exercises in tomllib.loads(LIST.read_text("utf-8")).items()
        for exercise, entries in exercises.items()
        for entry in entries
    ]


@dataclass(frozen=True)
class ExerciseResult:
    """The fates of an exercise's mutants, and those that are listed as right all the same.

    `right` is what became of its right answers.
    """

    exercise: Exercise
    fates: Sequence[Fate]
    equivalents: Sequence[Equivalent]
    right: Sequence[RightTrial] = ()

    def of(self, kind: Kind) -> list[Fate]:
        return [fate for fate in self.fates if fate.mutant.kind is kind]

    @cached_property
    def spared(self) -> list[tuple[Fate, Equivalent]]:
        """Mutants that pass and may, each with what is listed of it."""
        return [
            (fate, equivalent)
            for fate in self.fates
            for equivalent in self._listed
            if not fate.killed
            and (equivalent.before, equivalent.after) == (fate.mutant.before, fate.mutant.after)
        ]

    @cached_property
    def survivors(self) -> list[Fate]:
        """Mutants that pass all hidden tests under some seed, and should not.

        Two mistakes may make up for each other: a window too wide, and its edge left out.
        """
        spared = [fate for fate, _ in self.spared]
        alone = [fate for fate in self.fates if fate.mutant.kind is not Kind.PAIR]
        return [fate for fate in alone if not fate.killed and fate not in spared]

    @cached_property
    def outdated(self) -> list[Equivalent]:
        """What is listed as right, and is killed or no longer made."""
        found = [equivalent for _, equivalent in self.spared]
        return [equivalent for equivalent in self._listed if equivalent not in found]

    @cached_property
    def misnamed(self) -> list[Fate]:
        """Mutants made by misconceptions and called by another name, or by none."""
        made = [*self.of(Kind.VARIANT), *self.of(Kind.PAIR)]
        return [fate for fate in made if not fate.rightly_named]

    @cached_property
    def dead_tests(self) -> list[str]:
        return [test for test in self.exercise.tests if not first_failed(self.fates, test)]

    @cached_property
    def figures(self) -> Figures:
        return Figures.of(self.right, self.of(Kind.ANSWER))

    @property
    def badly_named(self) -> bool:
        """Whether a misconception is misnamed, or more than one pair in four."""
        kinds = [fate.mutant.kind for fate in self.misnamed]
        return Kind.VARIANT in kinds or kinds.count(Kind.PAIR) > len(self.of(Kind.PAIR)) / 4

    @property
    def troubled(self) -> bool:
        """Whether anything is to mend: hidden tests, misconceptions or the list of equivalents."""
        return bool(self.survivors or self.outdated or self.dead_tests or self.badly_named)

    @property
    def _listed(self) -> list[Equivalent]:
        where = (self.exercise.assignment, self.exercise.name)
        return [each for each in self.equivalents if (each.assignment, each.exercise) == where]


def first_failed(fates: Sequence[Fate], test: str) -> int:
    """Count the mutants that fail `test` before any other, under some seed."""
    return sum(any(failed[:1] == (test,) for failed in fate.failed) for fate in fates)
