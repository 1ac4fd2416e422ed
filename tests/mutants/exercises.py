"""The exercises of the course, and the mutants of each."""

from collections.abc import Collection, Iterator
from itertools import chain

from autograder.course import Course, solution
from autograder.diagnosis.banks import banks_of
from autograder.errors import CourseError
from autograder.grading.hidden_tests import HiddenTests
from autograder.sandbox.host.in_process import InProcess
from tests.mutants.answers import wrong_answers_of
from tests.mutants.slips import slips_in
from tests.mutants.trials import Exercise, Kind, Mutant


def exercises_of(course: Course, names: Collection[str] = ()) -> Iterator[Exercise]:
    """Yield the exercises of every assignment, or those of `names`."""
    hidden_tests = [HiddenTests(course, assignment) for assignment in course.assignment_names()]
    known = [name for tests in hidden_tests for name in tests.points]
    if unknown := [name for name in names if name not in known]:
        raise CourseError(f"There is no exercise {unknown[0]!r}: choose from {', '.join(known)}.")
    for tests in hidden_tests:
        if chosen := [name for name in tests.points if not names or name in names]:
            solved = solution.sources(course, tests.assignment)
            names_of_tests = _tests_of(tests, chosen, solved)
            yield from (_exercise(tests, name, solved, names_of_tests[name]) for name in chosen)


def exercise_named(course: Course, name: str) -> Exercise:
    """Return one exercise without a look at the others; the names of its tests are left out."""
    for assignment in course.assignment_names():
        solved = solution.sources(course, assignment)
        hidden_tests = HiddenTests(course, assignment)
        if name in solved and name in hidden_tests.points:
            return _exercise(hidden_tests, name, solved, ())
    raise CourseError(f"There is no exercise {name!r} in this course.")


def _exercise(
    hidden_tests: HiddenTests, name: str, solved: dict[str, str], tests: tuple[str, ...]
) -> Exercise:
    return Exercise(
        hidden_tests.course,
        hidden_tests.assignment,
        name,
        given=tuple(source for cell, source in solved.items() if cell not in hidden_tests.points),
        solved=solved,
        guarded=hidden_tests.forbidden,
        tests=tests,
    )


def _tests_of(
    tests: HiddenTests, exercises: Collection[str], solved: dict[str, str]
) -> dict[str, tuple[str, ...]]:
    """Return the names of the hidden tests by exercise, in their order."""
    channel = InProcess(solved.values())
    seed = tests.course.seed
    found = {n: tests.examine(n, lambda: channel, seed, skip_slow=True) for n in exercises}
    return {name: tuple(each.verdict.name for each in found[name]) for name in exercises}


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
