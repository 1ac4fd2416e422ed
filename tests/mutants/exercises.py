"""The exercises of the course, the answers on file, and the mutants of each.

The first line of a wrong answer says what it is called. `# named: tag` or `# named: tag-a, tag-b`
lists all of its true names, of which the diagnosis should give one at least; `# named: nothing`
says that it has none. A name is the tag of a misconception, or begins with `relation-` or `crash-`.
"""

import re
from collections.abc import Collection, Container, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, starmap

from autograder.course import Course, solution
from autograder.diagnosis.banks import banks_of
from autograder.errors import CourseError
from autograder.grading.hidden_tests import HiddenTests
from autograder.sandbox.host.in_process import InProcess
from autograder.testing.misconceptions import Bank, Candidate
from tests.mutants.slips import slips_in

SOLUTION = "SOLUTION"
_FIRST_LINE = re.compile(r"# named: ([a-z0-9-]+(?:, [a-z0-9-]+)*)\n")
GENERAL = ("relation-", "crash-")


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
    ideas: tuple[str, ...]  # that points are given for


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


def exercises_of(course: Course, names: Collection[str] = ()) -> Iterator[Exercise]:
    """Yield the exercises of every assignment, or those of `names`."""
    course = course.at_own_worth()
    hidden_tests = [HiddenTests(course, assignment) for assignment in course.assignment_names()]
    known = [name for tests in hidden_tests for name in tests.points]
    if unknown := [name for name in names if name not in known]:
        raise CourseError(f"There is no exercise {unknown[0]!r}: choose from {', '.join(known)}.")
    for tests in hidden_tests:
        if chosen := [name for name in tests.points if not names or name in names]:
            yield from _exercises_in(tests, chosen)


def _exercises_in(tests: HiddenTests, names: Collection[str]) -> Iterator[Exercise]:
    solved = solution.sources(tests.course, tests.assignment)
    channel = InProcess(solved.values())
    for name in names:
        found = tests.examine(name, lambda: channel, tests.course.seed, skip_slow=True)
        yield _exercise(tests, name, solved, tuple(each.verdict.name for each in found))


def exercise_named(course: Course, name: str) -> Exercise:
    """Return one exercise without a look at the others; the names of its tests are left out."""
    course = course.at_own_worth()
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
        ideas=hidden_tests.ideas[name],
    )


def mutants_of(exercise: Exercise) -> Iterator[Mutant]:
    """Yield wrong answers of all kinds, those that slips make of the solution last.

    An exercise without a bank is open-ended: a slip in our answer may make another right one.
    """
    bank = _bank_of(exercise)
    yield from misconceptions_of(exercise)
    if bank:
        yield from (_made(Kind.PAIR, made) for made in some_pairs(bank))
    yield from wrong_answers_of(exercise)
    for slip in slips_in(exercise.solved[exercise.name]) if bank else ():
        yield Mutant(Kind.SLIP, "", slip.source, before=slip.before, after=slip.after)


def misconceptions_of(exercise: Exercise) -> Iterator[Mutant]:
    if bank := _bank_of(exercise):
        yield from (_made(Kind.VARIANT, made) for made in bank.singles())


def _made(kind: Kind, made: Candidate) -> Mutant:
    tags = tuple(variant.tag for variant in made.variants)
    return Mutant(kind, " + ".join(tags), made.source, tags)


def _bank_of(exercise: Exercise) -> Bank | None:
    return banks_of(exercise.course, exercise.assignment).get(exercise.name)


def some_pairs(bank: Bank, number: int = 30) -> list[Candidate]:
    """Return about so many of the pairs of mistakes that can be combined, spread over the bank."""
    made = starmap(bank.together, combinations([variant.tag for variant in bank.variants], 2))
    pairs = [each for each in made if each is not None]
    return pairs[:: len(pairs) // number + 1]


def true_names(source: str, known: Container[str]) -> tuple[str, ...]:
    """Return the true names of a wrong answer; `known` are those of the exercise's misconceptions.

    Raises `CourseError` if the first line gives none, or one that nothing is called by.
    """
    first = _FIRST_LINE.match(source)
    if first is None:
        raise CourseError("its first line should be `# named: tag, tag` or `# named: nothing`")
    if first[1] == "nothing":
        return ()
    names = tuple(first[1].split(", "))
    if unknown := [n for n in names if n not in known and not n.startswith(GENERAL)]:
        raise CourseError(f"its first line names {unknown[0]!r}, a tag that is in no bank")
    return names


def known_names(bank: Bank | None) -> set[str]:
    return {variant.tag for variant in bank.variants} if bank else set()


def wrong_answers_of(exercise: Exercise) -> Iterator[Mutant]:
    """Yield the wrong answers on file, with their true names."""
    known = known_names(_bank_of(exercise))
    for name, source in _on_file(exercise, "wrong"):
        try:
            names = true_names(source, known)
        except CourseError as error:
            raise CourseError(f"{exercise.name}: the wrong answer {name}: {error}.") from None
        yield Mutant(Kind.ANSWER, name, source, names)


def right_answers_of(exercise: Exercise) -> Iterator[tuple[str, str]]:
    """Yield the solution, then the right answers on file: name and source."""
    yield SOLUTION, exercise.solved[exercise.name]
    yield from _on_file(exercise, "right")


def _on_file(exercise: Exercise, kind: str) -> Iterator[tuple[str, str]]:
    folder = exercise.course.answers / exercise.assignment / exercise.name / kind
    for path in sorted(folder.glob("*.py")):
        yield path.stem, path.read_text("utf-8")
