"""Answers that two people read without knowing of each other's points, and how far they agree.

What the first gave stands as ever; the second's points are kept beside it. Where they differ, it
stands until somebody decides. What is read twice is drawn by the keys of grades, which are random.
"""

import json
import uuid
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from statistics import fmean
from typing import Self

from sqlalchemy import Connection, Engine, and_, select

from autograder.errors import ChangedMeanwhile
from autograder.gradebook import database
from autograder.gradebook.giving import Award
from autograder.gradebook.marks import Mark, Marks, lock_marks
from autograder.gradebook.tables import GIVEN, READINGS, TWICE
from autograder.report import TINY

MIN_PAIRS = 30  # for kappa: where readers agree by chance alone, it varies by 1/√30 = 0.18


@dataclass(frozen=True, slots=True)
class Reading:
    """The points of a second reader, and those that the first had given by then."""

    action: str  # what was read at once
    grade: str
    answer: str  # its hash
    grader: str
    earned: tuple[str, ...]
    points: float
    first_grader: str
    first_points: float
    is_decided: bool  # whether somebody gave points knowing both

    @property
    def differs(self) -> bool:
        """Whether a decision is due."""
        return abs(self.points - self.first_points) > TINY and not self.is_decided


@dataclass(frozen=True)
class Agreement:
    """How far two readers agree; alike answers that were read at once count once."""

    pairs: tuple[tuple[float, float], ...]  # the first's points, and the second's

    @classmethod
    def of(cls, readings: Iterable[Reading]) -> Self:
        pairs = {each.action: (each.first_points, each.points) for each in readings}
        return cls(tuple(pairs.values()))

    @property
    def equal(self) -> int:
        return sum(abs(first - second) <= TINY for first, second in self.pairs)

    @property
    def mean_difference(self) -> float:
        """Return by how many points the two differ on average, in either direction."""
        return fmean(abs(first - second) for first, second in self.pairs)

    @property
    def kappa(self) -> float | None:
        """Return Cohen's kappa with quadratic weights; None for few pairs, or if none can differ.

        A difference of 2 points weighs as much as four of 1. Source: J. Cohen, "Weighted kappa",
        Psychological Bulletin 70 (1968), 213-220.
        """
        if len(self.pairs) < MIN_PAIRS:
            return None
        firsts, seconds = zip(*self.pairs, strict=True)
        by_chance = fmean((a - b) ** 2 for a, b in product(firsts, seconds))
        if by_chance <= TINY:
            return None
        return 1 - fmean((a - b) ** 2 for a, b in self.pairs) / by_chance


def read_twice(connection: Connection, assignment: str) -> dict[str, int]:
    """Return by question of how many answers one is read twice; of others, none is."""
    rows = connection.execute(select(TWICE).where(TWICE.c.assignment == assignment))
    return {row.question: row.one_in for row in rows}


def readings_of(connection: Connection, keys: Collection[str]) -> list[Reading]:
    """Return the second readings of the grades with these keys, in order."""
    made = READINGS.c
    decided = and_(GIVEN.c.action == made.decided, GIVEN.c.grade == made.grade, ~GIVEN.c.undone)
    columns = made.action, made.grade, made.answer, made.grader, made.earned, made.points
    wanted = (
        select(*columns, made.first_grader, made.first_points, GIVEN.c.number.isnot(None))
        .select_from(READINGS.outerjoin(GIVEN, decided))
        .where(made.grade.in_(keys))
        .order_by(made.number)
    )
    return [
        Reading(action, grade, answer, grader, tuple(json.loads(earned)), *rest)
        for action, grade, answer, grader, earned, *rest in connection.execute(wanted)
    ]


def present(readings: Iterable[Reading], marks: Iterable[Mark]) -> dict[str, Reading]:
    """Return, by key, the second readings of the answers as they are now."""
    answers = {mark.key: mark.answer for mark in marks}
    return {each.grade: each for each in readings if each.answer == answers.get(each.grade)}


def is_for_second(mark: Mark, one_in: int | None, reading: Reading | None, grader: str) -> bool:
    """Tell whether `grader` may be the second to read an answer, and so must not see its points."""
    drawn = one_in and int(mark.key, 16) % one_in == 0
    if not drawn or reading or mark.waits or mark.by is None:
        return False
    return mark.by.reader != grader


def without_unread(connection: Connection, marks: Marks, grader: str) -> Marks:
    """Return `marks` without what others gave for answers that `grader` may read as the second."""
    twice = read_twice(connection, marks.assignment)
    found = present(readings_of(connection, [each.key for each in marks.each]), marks.each)
    shown = (
        replace(each, score=None, manual=None, comment="", newest=None)
        if is_for_second(each, twice.get(each.name), found.get(each.key), grader)
        else each
        for each in marks.each
    )
    return replace(marks, each=tuple(shown))


def read_second(engine: Engine, award: Award, seen: Mapping[str, str]) -> None:
    """Keep `award` as a second reading of the grades in `seen`; raise as `giving.give` does."""
    action, now = uuid.uuid4().hex, database.now()
    with database.writing(engine) as connection:
        found = lock_marks(connection, list(seen))
        done = present(readings_of(connection, list(seen)), found)
        unread = [
            (mark, mark.by.reader)
            for mark in found
            if mark.version == seen[mark.key] and mark.by and mark.key not in done
        ]
        if len(unread) < len(seen) or award.grader in (first for _, first in unread):
            raise ChangedMeanwhile(
                "Changed meanwhile: somebody else was the first or the second to read this answer. "
                "Nothing was saved; look at it again."
            )
        rows = [
            {
                "action": action,
                "grade": mark.key,
                "answer": mark.answer,
                "grader": award.grader,
                "at": now,
                "earned": json.dumps(award.earned),
                "points": award.points,
                "first_grader": first,
                "first_points": mark.manual,
                "decided": "",
            }
            for mark, first in unread
        ]
        connection.execute(READINGS.insert(), rows)


def decide(engine: Engine, readings: Iterable[Reading], action: str) -> None:
    """Note that `action` gave points for what was read twice, knowing both."""
    with database.writing(engine) as connection:
        for each in readings:
            mine = READINGS.c.grade == each.grade, READINGS.c.answer == each.answer
            connection.execute(READINGS.update().where(*mine).values(decided=action))
