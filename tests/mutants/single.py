"""Try one misconception alone: while you write it, seconds count."""

import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from difflib import get_close_matches

from rich.console import Console
from rich.text import Text

from autograder.diagnosis.banks import banks_of
from autograder.diagnosis.diagnosis import Diagnosis
from autograder.diagnosis.suspect import Suspect
from autograder.errors import CourseError
from tests.mutants.exercises import Exercise, Kind, Mutant, right_answers_of
from tests.mutants.processes import results_of
from tests.mutants.trials import SEEDS, Fate, examine, job_of


@dataclass(frozen=True)
class Trial:
    """What became of one misconception, and the right answers that are taken for it."""

    fate: Fate
    right_answers: int
    mistaken: tuple[str, ...]

    @property
    def troubled(self) -> bool:
        """Whether it survives, has another's name or none, or is seen where all is right."""
        tags = self.fate.mutant.tags
        return not self.fate.killed or self.fate.named != tags or bool(self.mistaken)


@dataclass
class _OfOne(Diagnosis):
    """Knows a single misconception: enough to tell whether an answer would be taken for it."""

    tag: str = ""

    def suspects_of(self, exercise: str) -> list[Suspect]:
        right, *wrong = super().suspects_of(exercise)
        tags = [[variant.tag for variant in suspect.candidate.variants] for suspect in wrong]
        return [right, wrong[tags.index([self.tag])]]


def try_one(exercise: Exercise, tag: str) -> Trial:
    """Try the misconception `tag`: a process of its own runs it, this one the right answers."""
    mutant = _mutant(exercise, tag)
    with ThreadPoolExecutor(1) as pool:
        fates = pool.submit(results_of, job_of(exercise, [mutant]))
        answers = list(right_answers_of(exercise))
        mistaken = _mistaken(exercise, tag, answers)
        (fate,) = fates.result()
    return Trial(fate, len(answers), mistaken)


def _mutant(exercise: Exercise, tag: str) -> Mutant:
    bank = banks_of(exercise.course, exercise.assignment).get(exercise.name)
    sources = bank.sources() if bank else {}
    if tag not in sources:
        near = get_close_matches(tag, sources, cutoff=0) or ["none at all"]
        raise CourseError(f"{exercise.name} has no misconception {tag!r}, but {', '.join(near)}.")
    return Mutant(Kind.VARIANT, tag, sources[tag], (tag,))


def _mistaken(exercise: Exercise, tag: str, answers: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return the names of the right answers that are taken for the misconception `tag`."""
    diagnosis = _OfOne(exercise.course, exercise.assignment, exercise.given, tag=tag)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # in a notebook, too, they stand beside the result
        return tuple(
            name
            for name, source in answers
            if diagnosis.of(exercise.name, examine(exercise, source, SEEDS[0]))
        )


def show_trial(trial: Trial, console: Console) -> None:
    fate = trial.fate
    for failed in dict.fromkeys(fate.failed):
        seeds = (str(s) for s, each in zip(SEEDS, fate.failed, strict=False) if each == failed)
        killers = ", ".join(failed) or "NO TEST: IT SURVIVES"
        _line(f"killed by      {killers} (seed {' and '.join(seeds)})", console)
    _line(f"named          {' + '.join(fate.named) or 'NOTHING'}", console)
    taken = f"TAKEN FOR IT: {', '.join(trial.mistaken)}"
    spared = f"none of {trial.right_answers} is taken for it"
    _line(f"right answers  {taken if trial.mistaken else spared}", console)
    verdict = "needs another look" if trial.troubled else "is killed, and called by its name"
    _line(f"{fate.mutant.name} {verdict}.", console)


def _line(text: str, console: Console) -> None:
    console.print(Text(text), soft_wrap=True)
