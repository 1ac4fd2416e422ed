"""Classes drawn from the answers on file, in which some copied from others and disguised it.

`python -m tests.statistics.planted` prints how many copies are found.
"""

import ast
import random
from dataclasses import dataclass
from functools import cache

from autograder.intake.release import Release
from autograder.statistics.similar import (
    AnswerReader,
    Author,
    ComparedAnswer,
    ComparedClass,
    tokens_of,
)
from tests.courses import KIT

NUMBER, COPIES = 60, 5  # students, and how many of them copied


@dataclass(frozen=True)
class CopiesFound:
    """What was found in a class: of `COPIES` copies, and of pairs that have nothing in common."""

    found: int
    false: int


def figures(assignment: str, seed: int) -> CopiesFound:
    """Compare a class: student 1 copied from student 0, 3 from 2, and so on."""
    rng = random.Random(seed)
    works = _drawn(assignment, rng)
    for number in range(0, 2 * COPIES, 2):
        works[number + 1] = {name: disguised(code, rng) for name, code in works[number].items()}
    compared = ComparedClass(
        [author_of(assignment, str(n), codes) for n, codes in enumerate(works)]
    )
    pairs = {frozenset(pair.names) for pair in compared.pairs()}
    copied = {frozenset((str(n), str(n + 1))) for n in range(0, 2 * COPIES, 2)}
    return CopiesFound(len(pairs & copied), len(pairs - copied))


def author_of(assignment: str, name: str, codes: dict[str, str]) -> Author:
    """Return what somebody wrote, without a notebook round it."""
    answers = {exercise: _compared(assignment, exercise, code) for exercise, code in codes.items()}
    return Author(name, answers)


def _drawn(assignment: str, rng: random.Random) -> list[dict[str, str]]:
    """Draw right and wrong answers, each to one student; who gets none left that exercise blank."""
    works: list[dict[str, str]] = [{} for _ in range(NUMBER)]
    for folder in sorted((KIT.answers / assignment).iterdir()):
        codes = [path.read_text() for path in sorted(folder.glob("*/*.py"))]
        rng.shuffle(codes)
        codes = codes[:NUMBER] + (NUMBER - len(codes)) * [""]
        rng.shuffle(codes)
        for work, code in zip(works, codes, strict=True):
            work[folder.name] = code
    return works


def disguised(code: str, rng: random.Random) -> str:
    """Return code without comments, with other names and a third of its statements exchanged."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return code
    nodes = list(ast.walk(tree))
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    stored |= {n.arg for n in nodes if isinstance(n, ast.arg) and n.arg != "self"}
    names = {name: f"my_{number}" for number, name in enumerate(sorted(stored))}
    for node in nodes:
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = names.get(node.arg, node.arg)
        body = getattr(node, "body", None)
        if isinstance(body, list) and len(body) > 1:
            for _ in range(max(1, len(body) // 3)):
                place = rng.randrange(len(body) - 1)
                body[place], body[place + 1] = body[place + 1], body[place]
    return ast.unparse(tree)


@cache
def _reader(assignment: str) -> AnswerReader:
    return AnswerReader(Release.load(KIT, assignment))


@cache
def _compared(assignment: str, exercise: str, code: str) -> ComparedAnswer:
    reader = _reader(assignment)
    return reader.compared(exercise, code, tokens_of(code, reader.known))


def main() -> None:
    """Print the figures of every assignment, over many classes."""
    classes = 20
    for assignment in KIT.assignment_names():
        found = [figures(assignment, seed) for seed in range(classes)]
        copies, false = sum(each.found for each in found), sum(each.false for each in found)
        print(
            f"{assignment}: {copies} of {classes * COPIES} copies found, {false} other pairs "
            f"flagged, in {classes} classes of {NUMBER}"
        )


if __name__ == "__main__":
    main()
