"""The exercises of the course, and the mutants of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from autograder.course import Course, solution
from autograder.diagnosis.banks import banks_of
from autograder.errors import CourseError
from autograder.grading.hidden_tests import HiddenTests
from autograder.sandbox.host.in_process import InProcess
from tests.mutants.answers import wrong_answers_of
from tests.mutants.slips import slips_in
from tests.mutants.trials import Exercise, Kind, Mutant


def exercises_of(course: Course) -> Iterator[Exercise]:
    """Yield every exercise of every assignment."""
    for assignment in course.assignment_names():
        solved = solution.sources(course, assignment)
        hidden_tests = HiddenTests(course, assignment)
        tests = _tests_of(hidden_tests, solved)
        yield from (_exercise(hidden_tests, name, solved, tests) for name in tests)


def exercise_named(course: Course, name: str) -> Exercise:
    """Return one exercise without a look at the others; the names of its tests are left out."""
    for assignment in course.assignment_names():
        solved = solution.sources(course, assignment)
        hidden_tests = HiddenTests(course, assignment)
        if name in solved and name in hidden_tests.points:
            return _exercise(hidden_tests, name, solved, dict.fromkeys(hidden_tests.points, ()))
    raise CourseError(f"There is no exercise {name!r} in this course.")


def _exercise(
    hidden_tests: HiddenTests,
    name: str,
    solved: dict[str, str],
    tests: Mapping[str, tuple[str, ...]],
) -> Exercise:
    return Exercise(
        hidden_tests.course,
        hidden_tests.assignment,
        name,
        given=tuple(source for cell, source in solved.items() if cell not in tests),
        solved=solved,
        guarded=hidden_tests.forbidden,
        tests=tests[name],
    )


def _tests_of(tests: HiddenTests, solved: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the names of the hidden tests by exercise, in their order."""
    channel = InProcess(solved.values())
    verdicts = tests.run(tests.points, lambda _: channel, tests.course.seed, skip_slow=True)
    return {name: tuple(verdict.name for verdict in each) for name, each in verdicts.items()}


def mutants_of(exercise: Exercise) -> Iterator[Mutant]:
    """Yield the wrong answers on file, then those that a slip makes of the solution."""
    bank = banks_of(exercise.course, exercise.assignment).get(exercise.name)
    for made in chain(bank.singles(), bank.pairs()) if bank else ():
        tags = tuple(variant.tag for variant in made.variants)
        kind = Kind.PAIR if len(tags) > 1 else Kind.VARIANT
        yield Mutant(kind, " + ".join(tags), made.source, tags)
    yield from wrong_answers_of(exercise)
    for slip in slips_in(exercise.solved[exercise.name]):
        yield Mutant(Kind.SLIP, "", slip.source, before=slip.before, after=slip.after)
