"""Put mutants to the hidden tests, in processes of their own: one that hangs is killed with it."""

from __future__ import annotations

import multiprocessing
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext

from autograder.course import Course
from autograder.diagnosis.diagnosis import Diagnosis
from autograder.diagnosis.finding import Finding
from autograder.grading.hidden_tests import HiddenTests
from autograder.report import Outcome
from autograder.sandbox.host.in_process import InProcess

SEEDS = (0, 1)
PATIENCE = 60  # seconds for one mutant: for all its tests, and for its diagnosis
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
    tags: tuple[str, ...] = ()  # of the misconceptions that make it
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Fate:
    """What became of a mutant: the tests that it failed under each seed, and its diagnosis."""

    mutant: Mutant
    failed: tuple[tuple[str, ...], ...]
    named: tuple[str, ...] = ()

    @property
    def killed(self) -> bool:
        """Whether some hidden test fails, whatever the seed."""
        return all(self.failed)

    @property
    def rightly_named(self) -> bool:
        """Whether the diagnosis is what was done wrong; of two, one may hide the other."""
        return bool(self.named) and set(self.named) <= set(self.mutant.tags)


@dataclass(frozen=True)
class Batch:
    """Mutants of one exercise, tried one after the other in one process."""

    exercise: Exercise
    mutants: tuple[Mutant, ...]


def fates_of(batches: Sequence[Batch], workers: int) -> Iterator[list[Fate]]:
    """Yield the fates of each batch, in order, while `workers` batches are tried at a time."""
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(fates_of_batch, batches)


def fates_of_batch(batch: Batch, patience: float = PATIENCE) -> list[Fate]:
    """Return the fate of each mutant; one that hangs or ends its process counts as killed."""
    fates: list[Fate] = []
    while waiting := batch.mutants[len(fates) :]:
        fates += _in_one_process(batch.exercise, waiting, patience)
    return fates


def forkserver_context() -> ForkServerContext:
    """Return what starts processes; its server begins at once to import what takes seconds."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["torch", "matplotlib.pyplot", __name__])
    forkserver.ensure_running()
    return context


def _in_one_process(
    exercise: Exercise, mutants: tuple[Mutant, ...], patience: float
) -> Iterator[Fate]:
    """Yield fates up to that of the first mutant from which no answer comes."""
    context = forkserver_context()
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_try_all, args=(exercise, mutants, sender), daemon=True)
    process.start()
    sender.close()
    try:
        _check_control(exercise, _next(receiver, PATIENCE))
        for mutant in mutants:
            fate = _next(receiver, patience)
            yield fate or Fate(mutant, ((SILENT,),))
            if fate is None:
                break
    finally:
        process.kill()
        process.join()


def _next(receiver: Connection, seconds: float) -> Fate | None:
    """Return the next fate that comes within `seconds`; None if none does."""
    try:
        fate: Fate | None = receiver.recv() if receiver.poll(seconds) else None
    except EOFError:
        return None
    return fate


def _check_control(exercise: Exercise, control: Fate | None) -> None:
    """Nothing is learnt from mutants where the solution itself is no better."""
    if control is None:
        raise RuntimeError(f"{exercise.name}: the solution can't be tried; run its tests.")
    if any(control.failed):
        raise RuntimeError(f"{exercise.name}: the solution itself fails {control.failed}.")


def _try_all(exercise: Exercise, mutants: tuple[Mutant, ...], sender: Connection) -> None:
    """Send the fate of the solution, as a control, then that of each mutant."""
    import torch

    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # mutants overflow and divide by zero
    diagnosis = Diagnosis(exercise.course, exercise.assignment, exercise.given)
    control = Mutant(Kind.ANSWER, "solution", exercise.solved[exercise.name])
    for mutant in (control, *mutants):
        sender.send(fate_of(exercise, mutant, diagnosis))


def fate_of(exercise: Exercise, mutant: Mutant, diagnosis: Diagnosis) -> Fate:
    """Try a mutant in this process; diagnose it under the first seed if it has tags.

    Pairs are tried under that seed only: they are many, and what they are made of is tried. So are
    wrong answers, which tests/exercises/test_answers.py tries as well.
    """
    seeds = SEEDS[:1] if mutant.kind in (Kind.PAIR, Kind.ANSWER) else SEEDS
    findings = [examine(exercise, mutant, seed) for seed in seeds]
    named: tuple[str, ...] = ()
    if mutant.tags:
        found = diagnosis.of(exercise.name, findings[0])
        named = tuple(mistake.tag for mistake in found)
    return Fate(mutant, tuple(map(_failed, findings)), named)


def examine(exercise: Exercise, mutant: Mutant, seed: int) -> tuple[Finding, ...]:
    """Run the hidden tests; all of them for a diagnosis, else up to the first that fails."""
    sources = exercise.solved | {exercise.name: mutant.source}
    channel = InProcess(sources.values(), exercise.guarded, may_raise=True)
    try:
        found = HiddenTests(exercise.course, exercise.assignment).examine(
            [exercise.name],
            lambda _: channel,
            seed,
            skip_slow=True,
            exitfirst=not mutant.tags,
        )
    finally:
        channel.close()
    return found[exercise.name]


def _failed(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    verdicts = [found.verdict for found in findings]
    return tuple(v.name for v in verdicts if v.outcome is not Outcome.PASSED)
