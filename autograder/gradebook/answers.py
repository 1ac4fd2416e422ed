"""Which answer a grade is about, in a table of our own in the gradebook's database.

What a person gave for an answer holds for that answer, however often it is graded again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, select

from autograder.gradebook.tables import ANSWERS


@dataclass(frozen=True)
class Answer:
    """The hash of an answer, and whether it has changed since a person gave points for it."""

    grade: str  # the key of the grade
    answer: str
    changed: bool = False


def known(connection: Connection, grades: Collection[str]) -> Mapping[str, Answer]:
    """Return the answers that `grades` were recorded for, by the grade's key."""
    rows = connection.execute(select(ANSWERS).where(ANSWERS.c.grade.in_(grades)))
    return {row.grade: Answer(**row._mapping) for row in rows}


def note(connection: Connection, answers: Iterable[Answer]) -> None:
    """Note which answers grades are recorded for."""
    rows = [asdict(answer) for answer in answers]
    old = ANSWERS.c.grade.in_([row["grade"] for row in rows])
    connection.execute(ANSWERS.delete().where(old))
    if rows:
        connection.execute(ANSWERS.insert(), rows)
