"""Withhold each misconception in turn, and see what answers that hold it are told instead.

A mistake that nobody thought of is met like this: the bank doesn't have it. The answers are the
misconception itself and the wrong answers on file with its tag. Each is told another name, or what
its failed checks say. A name is false if it is that of a misconception which the answer doesn't
hold, and which replies differently to some call. Relations, exceptions and what a failed check
reveals by itself are facts about its results, to be judged by a reader.

Ends with exit status 1 if a larger share is false than `withheld.toml` says.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from autograder.course import Course
from autograder.diagnosis.banks import banks_of
from autograder.diagnosis.case import Finding
from autograder.diagnosis.diagnosis import Diagnosis
from autograder.diagnosis.suspect import Suspect
from autograder.errors import CourseError
from tests.mutants import figures
from tests.mutants.exercises import (
    GENERAL,
    Exercise,
    Kind,
    Mutant,
    exercises_of,
    known_names,
    wrong_answers_of,
)
from tests.mutants.figures import Percentages, Share
from tests.mutants.processes import Job, results_of_all
from tests.mutants.trials import SEEDS, be_quiet, examine, failed_in

FILE = Path(__file__).with_name("withheld.toml")
_HEAD = """\
# Percentages of the answers that are given a false name while their misconception is withheld. To
# write them anew: python -m tests.mutants.withheld --write-figures
"""
_MAX_SENTENCES = 5  # first checks that are listed for an exercise, the most frequent


@dataclass(frozen=True)
class Told:
    """What an answer is told without its misconception `tag`: `names`, and its first failed check.

    `false` are the names that aren't its own, if some call tells them apart.
    """

    tag: str
    answer: str
    names: tuple[str, ...]
    false: tuple[str, ...]
    first: str


class Withheld(NamedTuple):
    """How often answers to one exercise are given a false name."""

    false: Share

    @classmethod
    def of(cls, told: Sequence[Told]) -> "Withheld":
        return cls(Share(sum(bool(each.false) for each in told), len(told)))

    @property
    def percentages(self) -> Percentages:
        return {"false": self.false.percent}


@dataclass
class Without(Diagnosis):
    """A diagnosis that doesn't know the misconception `withheld`."""

    withheld: str = ""

    def suspects_of(self, exercise: str) -> list[Suspect]:
        return [
            suspect
            for suspect in super().suspects_of(exercise)
            if self.withheld not in {variant.tag for variant in suspect.candidate.variants}
        ]

    def is_indistinguishable(
        self, exercise: str, names: Sequence[str], findings: Sequence[Finding]
    ) -> bool:
        """Tell whether the misconceptions `names` together reply to all calls as the answer did."""
        with self._case(exercise, findings) as case:
            suspect = case.together(*names) if case.single.keys() >= set(names) else None
            return suspect is not None and all(suspect.repeats(t.calls) for t in case.replayable)


def told(exercise: Exercise, diagnosis: Without, mutant: Mutant) -> list[Told]:
    """Return what `mutant` is told while each misconception that it holds is withheld."""
    known = known_names(banks_of(exercise.course, exercise.assignment).get(exercise.name))
    findings = examine(exercise, mutant.source, SEEDS[0])
    first = next((verdict.message for verdict in failed_in(findings).values()), "")
    result = []
    for tag in mutant.tags:
        if tag in known:
            diagnosis.withheld = tag
            found = diagnosis.of(exercise.name, _unrevealed(findings, tag))
            names = tuple(each.tag for each in found)
            true = {*mutant.tags, *(each.reveals for each in findings if not each.passed)}
            false = tuple(n for n in names if n not in true and not n.startswith(GENERAL))
            if false and diagnosis.is_indistinguishable(exercise.name, names, findings):
                false = ()
            result.append(Told(tag, mutant.name, names, false, first))
    return result


def _unrevealed(findings: Sequence[Finding], tag: str) -> list[Finding]:
    """Return `findings` of which none reveals `tag` by itself."""
    return [replace(each, reveals="") if each.reveals == tag else each for each in findings]


def holders_of(exercise: Exercise) -> Iterator[Mutant]:
    """Yield each misconception of the bank, then the wrong answers on file that hold one."""
    bank = banks_of(exercise.course, exercise.assignment).get(exercise.name)
    for made in bank.singles() if bank else ():
        (variant,) = made.variants
        yield Mutant(Kind.VARIANT, variant.tag, made.source, (variant.tag,))
    yield from (answer for answer in wrong_answers_of(exercise) if answer.tags)


def _prepare(exercise: Exercise) -> Callable[[Mutant], list[Told]]:
    be_quiet()
    diagnosis = Without(exercise.course, exercise.assignment, exercise.given)
    return partial(told, exercise, diagnosis)


def _silent(mutant: Mutant) -> list[Told]:
    """Return that an answer which hangs tells nothing."""
    return []


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.withheld", description=__doc__)
    parser.add_argument("exercise", nargs="*", help="withhold the misconceptions of these alone")
    parser.add_argument("--write-figures", action="store_true", help="keep what figures are now")
    arguments = parser.parse_args()
    try:
        exercises = list(exercises_of(Course.find().with_seed(0), arguments.exercise))
    except CourseError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    console = Console()
    jobs = [Job(partial(_prepare, each), tuple(holders_of(each)), _silent) for each in exercises]
    found = track(results_of_all(jobs), "Withholding names", len(jobs), console=console)
    results = [list(chain(*each)) for each in found]
    show(exercises, results, console)
    each_with = zip(exercises, results, strict=True)
    measured = [(each, Withheld.of(all_told)) for each, all_told in each_with if all_told]
    if arguments.write_figures:
        figures.write(measured, FILE, _HEAD)
    kept = figures.on_file(FILE)
    worse = [sentence for each in measured for sentence in figures.worse(*each, kept)]
    for sentence in worse:
        console.print(Text(sentence, style="red"), soft_wrap=True)
    sys.exit(bool(worse))


def show(
    exercises: Sequence[Exercise], results: Sequence[Sequence[Told]], console: Console
) -> None:
    """Print a line for each exercise and one for all, then false names and frequent sentences."""
    table = Table(title="Told while the name is withheld", box=box.SIMPLE_HEAD)
    table.add_column("exercise", overflow="fold")
    for column in ("answers", "its other name", "relation or exception", "checks", "false"):
        table.add_column(column, justify="right")
    for exercise, all_told in zip(exercises, results, strict=True):
        table.add_row(exercise.name, *_counts(all_told))
    table.add_row("all", *_counts(list(chain(*results))))
    console.print(table)
    for exercise, all_told in zip(exercises, results, strict=True):
        for each in all_told:
            if each.false:
                line = f"{each.answer} without {each.tag} is called {' and '.join(each.false)}"
                console.print(Text(f"{exercise.name}: {line}"), soft_wrap=True)
        firsts = Counter(each.first for each in all_told if not each.names)
        for sentence, times in firsts.most_common(_MAX_SENTENCES):
            console.print(Text(f"{exercise.name}: {times} × {sentence}"), soft_wrap=True)


def _counts(all_told: Sequence[Told]) -> Iterator[str]:
    kinds = Counter(map(_kind, all_told))
    yield str(len(all_told))
    yield from (str(kinds[kind]) for kind in ("own", "general", "checks"))
    yield str(Withheld.of(all_told).false)


def _kind(each: Told) -> str:
    if not each.names:
        return "checks"
    if each.false:
        return "false"
    return "general" if each.names[0].startswith(GENERAL) else "own"


if __name__ == "__main__":
    main()
