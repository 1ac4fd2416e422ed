"""Try every right answer under many seeds: where one loses marks, a hidden test is too strict."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from autograder.diagnosis.diagnosis import Diagnosis
from tests.mutants.answers import right_answers_of
from tests.mutants.processes import Job, results_of_all, workers
from tests.mutants.trials import (
    SILENT,
    Exercise,
    be_quiet,
    diagnosis_of,
    examine,
    failed_in,
    names_of,
)

# Its slow hidden test, the capstone, trains for long; tests/exercises/ tries it under the course's
# seed. Other slow tests, which a loop in Python takes seconds for, are tried under every tenth.
TOO_SLOW = ("train",)
SLOW_EVERY = 10  # seeds


@dataclass(frozen=True)
class RightAnswer:
    """A right answer to try under one seed."""

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
    parts = workers()  # of each exercise, so that no core waits for a long one
    jobs = [
        Job(partial(_prepare, exercise), answers)
        for exercise in exercises
        for answers in _parts(exercise, seeds, parts)
    ]
    trials = zip(jobs, results_of_all(jobs), strict=True)
    for _ in exercises:
        yield [
            trial
            or RightTrial(answer.name, answer.seed, {SILENT: "It hangs, or ends its process."})
            for _, (job, results) in zip(range(parts), trials, strict=False)
            for answer, trial in zip(job.items, results, strict=True)
        ]


def _parts(exercise: Exercise, seeds: range, number: int) -> Iterator[tuple[RightAnswer, ...]]:
    answers = [
        RightAnswer(name, source, seed)
        for name, source in right_answers_of(exercise)
        for seed in seeds
    ]
    return (tuple(answers[start::number]) for start in range(number))


def _prepare(exercise: Exercise) -> Callable[[RightAnswer], RightTrial]:
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
