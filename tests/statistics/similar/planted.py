"""Classes drawn from the answers on file, in which some copied from others and disguised it."""

from __future__ import annotations

import ast
import random
from dataclasses import dataclass
from functools import cache

from autograder.intake.submission import Release
from autograder.statistics.similar.answers import Answer, Reader, Work
from autograder.statistics.similar.comparison import Class
from autograder.statistics.similar.passages import Passages, tokens_of
from tests.courses import KIT

NUMBER, COPIES = 60, 5  # students, and how many of them copied


@dataclass(frozen=True)
class Figures:
    """What was found in a class: of `COPIES` copies, and of pairs that have nothing in common."""

    found: int
    false: int


def figures(assignment: str, seed: int) -> Figures:
    """Compare a class: student 1 copied from student 0, 3 from 2, and so on."""
    rng = random.Random(seed)
    works = _drawn(assignment, rng)
    for number in range(0, 2 * COPIES, 2):
        works[number + 1] = {name: disguised(code, rng) for name, code in works[number].items()}
    compared = Class([work_of(assignment, str(n), codes) for n, codes in enumerate(works)])
    pairs = {frozenset(pair.names) for pair in compared.pairs()}
    copied = {frozenset((str(n), str(n + 1))) for n in range(0, 2 * COPIES, 2)}
    return Figures(len(pairs & copied), len(pairs - copied))


def work_of(assignment: str, name: str, codes: dict[str, str]) -> Work:
    """Return what somebody wrote, without a notebook round it."""
    answers = {
        exercise: Answer(code, _passages(assignment, exercise, code))
        for exercise, code in codes.items()
    }
    return Work(name, answers)


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
def _reader(assignment: str) -> Reader:
    return Reader.of(Release.load(KIT, assignment))


@cache
def _passages(assignment: str, exercise: str, code: str) -> Passages:
    reader = _reader(assignment)
    return Passages.of(tokens_of(code, reader.known), reader.given[exercise].lines)
