"""The exercises of the course, and the mutants of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

from autograder import hidden_tests, solution
from autograder.diagnosis.banks import banks_of
from autograder.course import Course
from autograder.errors import CourseError
from autograder.sandbox.host.in_process import InProcess
from tests.mutants.slips import slips_in
from tests.mutants.trials import Exercise, Kind, Mutant

ANSWERS = Path(__file__).parents[1] / "answers"


def exercises_of(course: Course) -> Iterator[Exercise]:
    """Yield every exercise of every assignment."""
    for assignment in course.assignment_names():
        solved = solution.sources(course, assignment)
        tests = _tests_of(assignment, solved)
        yield from (_exercise(assignment, name, solved, tests) for name in tests)


def exercise_named(course: Course, name: str) -> Exercise:
    """Return one exercise without a look at the others; the names of its tests are left out."""
    for assignment in course.assignment_names():
        solved = solution.sources(course, assignment)
        if name in solved and name in (points := hidden_tests.points_of(assignment)):
            return _exercise(assignment, name, solved, dict.fromkeys(points, ()))
    raise CourseError(f"There is no exercise {name!r} in this course.")


def _exercise(
    assignment: str, name: str, solved: dict[str, str], tests: Mapping[str, tuple[str, ...]]
) -> Exercise:
    return Exercise(
        assignment,
        name,
        given=tuple(source for cell, source in solved.items() if cell not in tests),
        solved=solved,
        guarded=hidden_tests.forbidden_of(assignment),
        tests=tests[name],
    )


def _tests_of(assignment: str, solved: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the names of the hidden tests by exercise, in their order."""
    names = hidden_tests.points_of(assignment)
    channel = InProcess(solved.values())
    verdicts = hidden_tests.run(assignment, names, lambda _: channel, brief=True)
    return {name: tuple(verdict.name for verdict in verdicts[name]) for name in names}


def mutants_of(exercise: Exercise) -> Iterator[Mutant]:
    """Yield the wrong answers on file, then those that a slip makes of the solution."""
    bank = banks_of(exercise.assignment).get(exercise.name)
    for made in chain(bank.singles(), bank.pairs()) if bank else ():
        tags = tuple(variant.tag for variant in made.variants)
        kind = Kind.PAIR if len(tags) > 1 else Kind.VARIANT
        yield Mutant(kind, " + ".join(tags), made.source, tags)
    for path in sorted(ANSWERS.glob(f"{exercise.assignment}/{exercise.name}/wrong/*.py")):
        yield Mutant(Kind.ANSWER, path.stem, path.read_text("utf-8"))
    for slip in slips_in(exercise.solved[exercise.name]):
        yield Mutant(Kind.SLIP, "", slip.source, before=slip.before, after=slip.after)


def right_answers_of(exercise: Exercise) -> Iterator[Mutant]:
    """Yield the right answers on file; as mutants with a tag they are put to all hidden tests."""
    for path in sorted(ANSWERS.glob(f"{exercise.assignment}/{exercise.name}/right/*.py")):
        yield Mutant(Kind.ANSWER, path.stem, path.read_text("utf-8"), tags=("right",))
