"""Mutants that no test can kill: what they return is right as well. Each is listed with a proof."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.trials import Exercise, Mutant

LIST = Path(__file__).with_name("equivalent.toml")


@dataclass(frozen=True)
class Equivalent:
    """A slip in an exercise that `proof` shows to be none."""

    assignment: str
    exercise: str
    before: str
    after: str
    proof: str

    def is_of(self, exercise: Exercise) -> bool:
        """Tell whether this is about `exercise`."""
        return (self.assignment, self.exercise) == (exercise.assignment, exercise.name)

    def is_made_by(self, mutant: Mutant) -> bool:
        """Tell whether this is the slip that made `mutant`."""
        return (self.before, self.after) == (mutant.before, mutant.after)


def listed() -> list[Equivalent]:
    """Return what `equivalent.toml` lists."""
    return [
        Equivalent(assignment, exercise, **entry)
        for assignment, exercises in tomllib.loads(LIST.read_text("utf-8")).items()
        for exercise, entries in exercises.items()
        for entry in entries
    ]
