"""The answers on file, right and wrong. The first line of a wrong one says what it is called.

`# named: tag` or `# named: tag-a, tag-b` lists all of its true names, of which the diagnosis should
give one at least; `# named: nothing` says that it has none. A name is the tag of a misconception,
or begins with `relation-` or `crash-`.
"""

import re
from collections.abc import Container, Iterator

from autograder.diagnosis.banks import banks_of
from autograder.errors import CourseError
from autograder.testing.misconceptions import Bank
from tests.mutants.trials import Exercise, Kind, Mutant

NOTHING = "nothing"
SOLUTION = "SOLUTION"
_FIRST_LINE = re.compile(r"# named: ([a-z0-9-]+(?:, [a-z0-9-]+)*)\n")
_GENERAL = ("relation-", "crash-")


def true_names(source: str, known: Container[str]) -> tuple[str, ...]:
    """Return the true names of a wrong answer; `known` are those of the exercise's misconceptions.

    Raises `CourseError` if the first line gives none, or one that nothing is called by.
    """
    first = _FIRST_LINE.match(source)
    if first is None:
        raise CourseError("its first line should be `# named: tag, tag` or `# named: nothing`")
    names = tuple(first[1].split(", "))
    if names == (NOTHING,):
        return ()
    if unknown := [n for n in names if n not in known and not n.startswith(_GENERAL)]:
        raise CourseError(f"its first line names {unknown[0]!r}, a tag that is in no bank")
    return names


def known_names(bank: Bank | None) -> set[str]:
    """Return the tags of an exercise's misconceptions."""
    return {variant.tag for variant in bank.variants} if bank else set()


def wrong_answers_of(exercise: Exercise) -> Iterator[Mutant]:
    """Yield the wrong answers on file, with their true names."""
    known = known_names(banks_of(exercise.course, exercise.assignment).get(exercise.name))
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
