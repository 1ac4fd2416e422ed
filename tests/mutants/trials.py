"""Put mutants to the hidden tests, and diagnose them."""

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from autograder.course import Course
from autograder.diagnosis.diagnosis import Diagnosis, Finding
from autograder.grading.hidden_tests import HiddenTests
from autograder.report import Outcome, Verdict
from autograder.sandbox.host.in_process import InProcess
from tests.courses import answered
from tests.mutants.processes import PATIENCE, Job, results_of, results_of_all

SEEDS = (0, 1)
SILENT = "(no answer)"  # stands for the name of a test where the mutant's process gave none


@dataclass(frozen=True)
class Exercise:
    """What the mutants of one exercise are tried with: everything else solved."""

    course: Course
    assignment: str
    name: str
    given: tuple[str, ...]  # the assignment's setup cells
    solved: dict[str, str]  # every cell, by name
    guarded: tuple[str, ...]  # every built-in that some exercise forbids
    tests: tuple[str, ...]  # the hidden tests, by name


class Kind(StrEnum):
    """Where a mutant comes from."""

    VARIANT = "variants"  # a misconception on file
    PAIR = "pairs"  # two at once
    ANSWER = "answers"  # a wrong answer in tests/answers
    SLIP = "slips"  # a slip in the solution


@dataclass(frozen=True)
class Mutant:
    """A wrong answer; a slip changes the lines `before` to `after`."""

    kind: Kind
    name: str
    source: str
    tags: tuple[str, ...] = ()  # its true names
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Fate:
    """What became of a mutant: the tests that it failed under each seed, and its diagnosis.

    Points, tests and seconds are those of the first seed.
    """

    mutant: Mutant
    failed: tuple[tuple[str, ...], ...]
    named: tuple[str, ...] = ()
    lost: float = 0  # of the points of the tests that were run
    points: float = 0
    crashes: bool = False  # every test that it fails ends with an error of its own
    seconds: float = 0  # that its hidden tests took
    diagnosis_seconds: float = 0

    @property
    def killed(self) -> bool:
        """Whether some hidden test fails, whatever the seed."""
        return all(self.failed)

    @property
    def rightly_named(self) -> bool:
        """Whether it has true names alone; of two mistakes, one may hide the other."""
        return bool(self.named) and not self.false_names

    @property
    def true_names(self) -> set[str]:
        """The names that it was given and has."""
        return set(self.named) & set(self.mutant.tags)

    @property
    def false_names(self) -> set[str]:
        """The names that it was given and hasn't."""
        return set(self.named) - set(self.mutant.tags)


@dataclass(frozen=True)
class Batch:
    """Mutants of one exercise, tried one after the other in one process."""

    exercise: Exercise
    mutants: tuple[Mutant, ...]

    @property
    def job(self) -> Job[Mutant, Fate]:
        """The work on this batch."""
        return Job(partial(_prepare, self.exercise), self.mutants)


def fates_of(batches: Sequence[Batch]) -> Iterator[list[Fate]]:
    """Yield the fates of each batch, in order, while as many as there are cores are tried."""
    results = results_of_all([batch.job for batch in batches])
    for batch, fates in zip(batches, results, strict=True):
        yield _or_silent(batch, fates)


def fates_of_batch(batch: Batch, patience: float = PATIENCE) -> list[Fate]:
    """Return the fate of each mutant; one that hangs or ends its process counts as killed."""
    fates = results_of(batch.job, patience)
    return _or_silent(batch, fates)


def _or_silent(batch: Batch, fates: Sequence[Fate | None]) -> list[Fate]:
    return [
        fate or Fate(mutant, ((SILENT,),))
        for mutant, fate in zip(batch.mutants, fates, strict=True)
    ]


def _prepare(exercise: Exercise) -> Callable[[Mutant], Fate]:
    """Return what tries a mutant; nothing is learnt where the solution itself is no better."""
    be_quiet()
    diagnosis = diagnosis_of(exercise)
    solution = Mutant(Kind.SLIP, "solution", exercise.solved[exercise.name])
    if any(failed := fate_of(exercise, diagnosis, solution).failed):
        raise RuntimeError(f"{exercise.name}: the solution itself fails {failed}.")
    return partial(fate_of, exercise, diagnosis)


def be_quiet() -> None:
    """Let this process use one thread, and ignore what is printed beside results."""
    import torch

    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # mutants overflow and divide by zero


def diagnosis_of(exercise: Exercise) -> Diagnosis:
    """Return what diagnoses answers to `exercise`."""
    return Diagnosis(exercise.course, exercise.assignment, exercise.given)


def fate_of(exercise: Exercise, diagnosis: Diagnosis, mutant: Mutant) -> Fate:
    """Try a mutant in this process; diagnose it under the first seed if it is no slip.

    Pairs are tried under that seed only: they are many, and what they are made of is tried. So are
    wrong answers, of which figures are kept.
    """
    seeds = SEEDS[:1] if mutant.kind in (Kind.PAIR, Kind.ANSWER) else SEEDS
    is_slip = mutant.kind is Kind.SLIP
    started = time.perf_counter()
    first = examine(exercise, mutant.source, seeds[0], exitfirst=is_slip)
    tested = time.perf_counter()
    named = () if is_slip else names_of(exercise, diagnosis, first)
    diagnosed = time.perf_counter()
    others = [examine(exercise, mutant.source, seed, exitfirst=is_slip) for seed in seeds[1:]]
    verdicts = [found.verdict for found in first]
    outcomes = {verdict.outcome for verdict in failed_in(first).values()}
    return Fate(
        mutant,
        failed=tuple(tuple(failed_in(findings)) for findings in (first, *others)),
        named=named,
        lost=sum(verdict.max_score - verdict.score for verdict in verdicts),
        points=sum(verdict.max_score for verdict in verdicts),
        crashes=outcomes == {Outcome.ERROR},
        seconds=tested - started,
        diagnosis_seconds=diagnosed - tested,
    )


def examine(
    exercise: Exercise,
    source: str,
    seed: int,
    *,
    exitfirst: bool = False,
    skip_slow: bool = True,
) -> tuple[Finding, ...]:
    """Run the hidden tests on `source`; with `exitfirst`, up to the first that fails."""
    cells = answered(exercise.solved, exercise.name, source)
    channel = InProcess(cells, exercise.guarded, may_raise=True)
    try:
        return HiddenTests(exercise.course, exercise.assignment).examine(
            exercise.name, lambda: channel, seed, skip_slow=skip_slow, exitfirst=exitfirst
        )
    finally:
        channel.close()


def names_of(
    exercise: Exercise, diagnosis: Diagnosis, findings: Sequence[Finding]
) -> tuple[str, ...]:
    """Return what the diagnosis calls an answer; nobody asks where every test is passed."""
    if not failed_in(findings):
        return ()
    return tuple(mistake.tag for mistake in diagnosis.of(exercise.name, findings))


def failed_in(findings: Sequence[Finding]) -> dict[str, Verdict]:
    """Return the verdicts on the tests that were not passed, by the tests' names."""
    verdicts = (found.verdict for found in findings)
    return {v.name: v for v in verdicts if v.outcome is not Outcome.PASSED}
