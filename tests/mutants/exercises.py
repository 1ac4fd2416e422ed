"""The exercises of the course, and the mutants of each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from autograder.course import Course, solution
from autograder.diagnosis.banks import banks_of
from autograder.grading.hidden_tests import HiddenTests
from autograder.sandbox.host.in_process import InProcess
from tests.mutants.slips import slips_in
from tests.mutants.trials import Exercise, Kind, Mutant

ANSWERS = Path(__file__).parents[1] / "answers"


def exercises_of(course: Course) -> Iterator[Exercise]:
    """Yield every exercise of every assignment."""
    for assignment in course.assignment_names():
        solved = solution.sources(course, assignment)
        hidden_tests = HiddenTests(course, assignment)
        tests = _tests_of(hidden_tests, course, solved)
        for name in tests:
            yield Exercise(
                course,
                assignment,
                name,
                given=tuple(source for cell, source in solved.items() if cell not in tests),
                solved=solved,
                guarded=hidden_tests.forbidden,
                tests=tests[name],
            )


def _tests_of(
    tests: HiddenTests, course: Course, solved: dict[str, str]
) -> dict[str, tuple[str, ...]]:
    """Return the names of the hidden tests by exercise, in their order."""
    channel = InProcess(solved.values())
    verdicts = tests.run(tests.points, lambda _: channel, course.seed, skip_slow=True)
    return {name: tuple(verdict.name for verdict in each) for name, each in verdicts.items()}


def mutants_of(exercise: Exercise) -> Iterator[Mutant]:
    """Yield the wrong answers on file, then those that a slip makes of the solution."""
    bank = banks_of(exercise.course, exercise.assignment).get(exercise.name)
    for made in chain(bank.singles(), bank.pairs()) if bank else ():
        tags = tuple(variant.tag for variant in made.variants)
        kind = Kind.PAIR if len(tags) > 1 else Kind.VARIANT
        yield Mutant(kind, " + ".join(tags), made.source, tags)
    for path in sorted(ANSWERS.glob(f"{exercise.assignment}/{exercise.name}/wrong/*.py")):
        yield Mutant(Kind.ANSWER, path.stem, path.read_text("utf-8"))
    for slip in slips_in(exercise.solved[exercise.name]):
        yield Mutant(Kind.SLIP, "", slip.source, before=slip.before, after=slip.after)
