"""What became of all answers to one exercise, counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tests.mutants.equivalents import Equivalent
from tests.mutants.figures import Figures
from tests.mutants.seeds import RightTrial
from tests.mutants.trials import Exercise, Fate, Kind


@dataclass(frozen=True)
class Result:
    """The fates of an exercise's mutants, and those that are listed as right all the same.

    `right` is what became of its right answers.
    """

    exercise: Exercise
    fates: Sequence[Fate]
    equivalents: Sequence[Equivalent]
    right: Sequence[RightTrial] = ()

    def of(self, kind: Kind) -> list[Fate]:
        """Return the fates of one kind of mutants."""
        return [fate for fate in self.fates if fate.mutant.kind is kind]

    @cached_property
    def spared(self) -> list[tuple[Fate, Equivalent]]:
        """Mutants that pass and may, each with what is listed of it."""
        return [
            (fate, equivalent)
            for fate in self.fates
            for equivalent in self._listed
            if not fate.killed and equivalent.is_made_by(fate.mutant)
        ]

    @cached_property
    def survivors(self) -> list[Fate]:
        """Mutants that pass all hidden tests under some seed, and should not."""
        spared = [fate for fate, _ in self.spared]
        return [fate for fate in self.fates if not fate.killed and fate not in spared]

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
        """Hidden tests that are the first to fail for no mutant."""
        return [test for test in self.exercise.tests if not first_failed(self.fates, test)]

    @cached_property
    def figures(self) -> Figures:
        """How the answers on file fared."""
        return Figures.of(self.right, self.of(Kind.ANSWER))

    @property
    def badly_named(self) -> bool:
        """Whether a misconception is misnamed, or more than one pair in twenty."""
        kinds = [fate.mutant.kind for fate in self.misnamed]
        return Kind.VARIANT in kinds or kinds.count(Kind.PAIR) > len(self.of(Kind.PAIR)) / 20

    @property
    def troubled(self) -> bool:
        """Whether anything is to mend: hidden tests, misconceptions or the list of equivalents."""
        return bool(self.survivors or self.outdated or self.dead_tests or self.badly_named)

    @property
    def _listed(self) -> list[Equivalent]:
        return [listed for listed in self.equivalents if listed.is_of(self.exercise)]


def first_failed(fates: Sequence[Fate], test: str) -> int:
    """Count the mutants that fail `test` before any other, under some seed."""
    return sum(any(failed[:1] == (test,) for failed in fate.failed) for fate in fates)
