"""Put answers to the hidden tests, and diagnose them: mutants, and right answers under many seeds.

Where a right answer loses marks under some seed, a hidden test is too strict.
"""

import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch

from autograder.diagnosis.case import Finding
from autograder.diagnosis.diagnosis import Diagnosis
from autograder.diagnosis.suspect import within
from autograder.grading.hidden_tests import HiddenTests
from autograder.grading.one_change import (
    MAX_GUESSES,
    Failing,
    Helping,
    breaks_off,
    change_that_helps,
    spared,
)
from autograder.grading.transcripts import Relay
from autograder.report import Outcome, Verdict
from autograder.sandbox.host.in_process import InProcess
from autograder.testing.failures import StudentFailure
from autograder.testing.student import Channel
from autograder.work.processes import usable_cores
from tests.courses import answered
from tests.mutants.exercises import Exercise, Kind, Mutant, right_answers_of
from tests.mutants.processes import Job, results_of_all

SEEDS = (0, 1)
SILENT = "(no answer)"  # stands for the name of a test where the answer's process gave none
# Its slow hidden test, the capstone, trains for long; tests/exercises/ tries it under the course's
# seed. Other slow tests, which a loop in Python takes seconds for, are tried under every tenth.
TOO_SLOW = ("train",)
SLOW_EVERY = 10  # seeds
PATIENCE_WITH_LOOPS = 240  # seconds, rather more than hidden tests allow right answers in all


@dataclass(frozen=True)
class Fate:
    """What became of a mutant: the tests that it failed under each seed, and its diagnosis.

    Points, tests and seconds are those of the first seed. `costs` and `worth` are points by idea.
    """

    mutant: Mutant
    failed: tuple[tuple[str, ...], ...]
    named: tuple[str, ...] = ()
    costs: Mapping[str, float] = field(default_factory=dict)  # of the points of tests that were run
    worth: Mapping[str, float] = field(default_factory=dict)
    crashes: bool = False  # every test that it fails ends with an error of its own
    seconds: float = 0  # that its hidden tests took
    diagnosis_seconds: float = 0

    @property
    def killed(self) -> bool:
        """Whether some hidden test fails, whatever the seed."""
        return all(self.failed)

    @property
    def lost(self) -> float:
        return sum(self.costs.values())

    @property
    def rightly_named(self) -> bool:
        """Whether it has true names alone; of two mistakes, one may hide the other."""
        return bool(self.named) and not self.false_names

    @property
    def true_names(self) -> set[str]:
        return set(self.named) & set(self.mutant.tags)

    @property
    def false_names(self) -> set[str]:
        return set(self.named) - set(self.mutant.tags)


def job_of(exercise: Exercise, mutants: Iterable[Mutant]) -> Job[Mutant, Fate]:
    """Return the work on mutants of one exercise; one that hangs counts as killed."""
    silent = partial(Fate, failed=((SILENT,),))
    return Job(partial(_prepare, exercise), tuple(mutants), silent)


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
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # mutants overflow and divide by zero


def diagnosis_of(exercise: Exercise) -> Diagnosis:
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
    mistakes = () if is_slip or not failed_in(first) else diagnosis.of(exercise.name, first)
    slip = diagnosis.slip(exercise.name, mistakes, first)
    diagnosed = time.perf_counter()
    others = [examine(exercise, mutant.source, seed, exitfirst=is_slip) for seed in seeds[1:]]
    costs, worth = defaultdict[str, float](float), defaultdict[str, float](float)
    verdicts = slip.spares([found.verdict for found in first], exercise.ideas)
    if mutant.kind is Kind.VARIANT and breaks_off(verdicts):
        helping = change_in(exercise, mutant.source, first)
        if helping and helping.guesses <= MAX_GUESSES:
            own = diagnosis.ideas_of(exercise.name, mistakes)
            verdicts = spared(verdicts, exercise.ideas, own)
    for verdict in verdicts:
        costs[verdict.idea] += verdict.max_score - verdict.score
        worth[verdict.idea] += verdict.max_score
    outcomes = {verdict.outcome for verdict in failed_in(first).values()}
    return Fate(
        mutant,
        failed=tuple(tuple(failed_in(findings)) for findings in (first, *others)),
        named=tuple(mistake.tag for mistake in mistakes),
        costs=costs,
        worth=worth,
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
    with closing(InProcess(cells, exercise.guarded, may_raise=True)) as channel:
        return HiddenTests(exercise.course, exercise.assignment).examine(
            exercise.name, lambda: channel, seed, skip_slow=skip_slow, exitfirst=exitfirst
        )


def change_in(exercise: Exercise, source: str, findings: Sequence[Finding]) -> Helping | None:
    """Return the one change with which an answer passes its hidden tests, if there is one."""
    cells = answered(exercise.solved, exercise.name, source)
    tests = HiddenTests(exercise.course, exercise.assignment)
    with closing(InProcess(cells, exercise.guarded, may_raise=True)) as channel:

        def channel_to(changed: str) -> Channel:
            if "error" in bounded.ask({"op": "run", "source": changed}):
                raise StudentFailure
            return bounded

        bounded = _Bounded(channel)
        run = partial(tests.examine, exercise.name, seed=SEEDS[0], skip_slow=True)
        return change_that_helps(source, Failing.of(findings), channel_to, run)


@dataclass
class _Bounded(Relay):
    """A channel to code that a change may keep from ever ending."""

    def ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        try:
            with within(seconds or 1.0):
                return self.channel.ask(request)
        except TimeoutError:
            raise StudentFailure from None


def names_of(
    exercise: Exercise, diagnosis: Diagnosis, findings: Sequence[Finding]
) -> tuple[str, ...]:
    """Return what the diagnosis calls an answer; nobody asks where every test is passed."""
    if not failed_in(findings):
        return ()
    return tuple(mistake.tag for mistake in diagnosis.of(exercise.name, findings))


def failed_in(findings: Sequence[Finding]) -> dict[str, Verdict]:
    verdicts = (found.verdict for found in findings)
    return {v.name: v for v in verdicts if v.outcome is not Outcome.PASSED}


@dataclass(frozen=True)
class RightAnswer:
    name: str
    source: str
    seed: int


@dataclass(frozen=True)
class RightTrial:
    """What became of a right answer under a seed: messages of the tests it failed, by their names.

    `named` is what it was called; any name is false.
    """

    answer: str
    seed: int
    messages: Mapping[str, str]
    named: tuple[str, ...] = ()


@dataclass(frozen=True)
class Strict:
    """A hidden test that a right answer fails, the seeds under which it does, and its message."""

    answer: str
    test: str
    seeds: tuple[int, ...]
    message: str


def trials_of_all(exercises: Sequence[Exercise], seeds: range) -> Iterator[list[RightTrial]]:
    """Yield what became of every right answer to each exercise, in order, under every seed."""
    parts = usable_cores()  # of each exercise, so that no core waits for a long one
    jobs = []
    for exercise in exercises:
        answers = [
            RightAnswer(*each, seed) for each in right_answers_of(exercise) for seed in seeds
        ]
        prepare = partial(_prepare_for_right, exercise)
        jobs += [Job(prepare, tuple(answers[n::parts]), _silent_trial) for n in range(parts)]
    results = results_of_all(jobs, PATIENCE_WITH_LOOPS)
    for _ in exercises:
        yield [trial for _ in range(parts) for trial in next(results)]


def _silent_trial(answer: RightAnswer) -> RightTrial:
    return RightTrial(answer.name, answer.seed, {SILENT: "It hangs, or ends its process."})


def _prepare_for_right(exercise: Exercise) -> Callable[[RightAnswer], RightTrial]:
    be_quiet()
    return partial(trial_of, exercise, diagnosis_of(exercise))


def trial_of(exercise: Exercise, diagnosis: Diagnosis, answer: RightAnswer) -> RightTrial:
    """Try a right answer in this process."""
    skip_slow = exercise.name in TOO_SLOW or answer.seed % SLOW_EVERY > 0
    findings = examine(exercise, answer.source, answer.seed, skip_slow=skip_slow)
    named = names_of(exercise, diagnosis, findings)
    messages = {name: verdict.reason for name, verdict in failed_in(findings).items()}
    return RightTrial(answer.name, answer.seed, messages, named)


def too_strict(trials: Sequence[RightTrial]) -> list[Strict]:
    """Return each test that a right answer fails, with all seeds under which it does."""
    seeds: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    first: dict[tuple[str, str], str] = {}
    for trial in trials:
        for test, message in trial.messages.items():
            seeds[trial.answer, test].append(trial.seed)
            first.setdefault((trial.answer, test), message)
    return [
        Strict(answer, test, tuple(sorted(found)), first[answer, test])
        for (answer, test), found in seeds.items()
    ]
