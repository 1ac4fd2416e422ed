"""Give points and comments at the desk, so that nobody overwrites what they haven't seen."""

import json
import math
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, Row, false, select

from autograder.course.solution import Question
from autograder.errors import ChangedMeanwhile, DeskError, in_digits, shown
from autograder.gradebook import database
from autograder.gradebook.marks import Mark, lock_marks
from autograder.gradebook.rubrics import keep_rubric
from autograder.gradebook.tables import (
    CELL,
    COMMENT,
    GIVEN,
    GRADE,
    NOTEBOOK,
    SHARES,
    SUBMISSION,
    SUBMITTED,
    TWICE,
)

MAX_COMMENT = 10_000  # characters
MAX_NAME = 80


@dataclass(frozen=True)
class Award:
    """What a person gives for one answer, or for several at once.

    `points` None takes points back: those of the grader count again, or the answer waits.
    """

    grader: str
    points: float | None
    comment: str = ""
    question: Question | None = None  # with its rubric, for a written answer
    earned: tuple[str, ...] = ()  # the rubric's points that were earned
    reader: str = ""  # who ticked them, if it wasn't the grader

    @property
    def rubric(self) -> str:
        """The fingerprint of the rubric; empty without one."""
        return self.question.fingerprint if self.question else ""


def points_in(text: str, most: float) -> float | None:
    """Return the points that somebody typed, if any; raise `DeskError` if not from 0 to `most`."""
    if not text:
        return None
    try:
        points = float(text.replace(",", "."))
    except ValueError:
        points = math.nan
    if not 0 <= points <= most:
        raise DeskError(
            f"'{shown(text[:20])}' can't be the points: give a number from 0 to {in_digits(most)}."
        )
    return points


def give(engine: Engine, award: Award, seen: Mapping[str, str]) -> str:
    """Write `award` for the grades in `seen`, each with the version that was looked at.

    See `give_each`.
    """
    return give_each(engine, dict.fromkeys(seen, award), seen)


def give_each(engine: Engine, awards: Mapping[str, Award], seen: Mapping[str, str]) -> str:
    """Write each grade's award, by its key, in one action.

    Returns the key of the action, to undo it by. Raises `ChangedMeanwhile` if any was changed
    since; then none is written.
    """
    action = uuid.uuid4().hex
    with database.writing(engine) as connection:
        found = lock_marks(connection, list(seen))
        if len(found) < len(seen):
            raise DeskError("There is no such answer in the gradebook: open the question again.")
        changed = [each for each in found if each.version != seen[each.key]]
        if changed:
            raise ChangedMeanwhile(f"Changed meanwhile: {_what(changed[0])} Nothing was saved.")
        for question in {award.rubric: award.question for award in awards.values()}.values():
            if question:
                keep_rubric(connection, question)
        for each in found:
            award = awards[each.key]
            _note(connection, action, award, each)
            waits = award.points is None and each.auto is None
            _write(connection, each, award.points, waits, award.comment or None)
    return action


def undo(engine: Engine, action: str) -> list[str]:
    """Put back what the gradebook held before an action; return the keys of its grades."""
    with database.writing(engine) as connection:
        rows = connection.execute(select(GIVEN).where(GIVEN.c.action == action)).all()
        given = {row.grade: row for row in rows if not row.undone}
        found = lock_marks(connection, list(given))
        if not found or any(_differs(each, given[each.key]) for each in found):
            raise ChangedMeanwhile(
                "This can't be undone any more: it was undone already, or the points, the comment "
                "or the answer were changed since. Look at the answer, and grade it again."
            )
        for each in found:
            old = json.loads(given[each.key].before)
            # What the grader found meanwhile counts if nobody's points go before it.
            waits = each.auto is None if old["points"] is None else old["waits"]
            _write(connection, each, old["points"], waits, old["comment"])
        connection.execute(GIVEN.update().where(GIVEN.c.action == action).values(undone=True))
    return [each.key for each in found]


def students_of(connection: Connection, keys: Iterable[str]) -> list[str]:
    whose = select(SUBMISSION.c.student_id).select_from(
        SUBMITTED.join(GRADE, GRADE.c.notebook_id == NOTEBOOK.c.id)
    )
    return list(connection.scalars(whose.where(GRADE.c.id.in_(list(keys))).distinct()))


def changed_by(engine: Engine, action: str) -> list[str]:
    with engine.connect() as connection:
        return list(connection.scalars(select(GIVEN.c.grade).where(GIVEN.c.action == action)))


def comments_on(connection: Connection, keys: Sequence[str]) -> list[str]:
    """Return the paragraphs of comments that were given for these grades, the commonest first."""
    about = (GIVEN.c.grade.in_(keys), GIVEN.c.undone == false())
    rows = connection.execute(select(GIVEN.c.action, GIVEN.c.comment).where(*about).distinct())
    told = Counter(part.strip() for row in rows for part in (row.comment or "").split("\n\n"))
    return [part for part, _ in told.most_common() if part]


def shares(connection: Connection, assignment: str) -> dict[str, tuple[str, ...]]:
    """Return the graders who share the answers to each question, by question."""
    rows = connection.execute(select(SHARES).where(SHARES.c.assignment == assignment))
    return {row.question: tuple(json.loads(row.graders)) for row in rows}


def share(
    engine: Engine, assignment: str, question: str, graders: Sequence[str], one_in: int
) -> None:
    """Share the answers to a question out among `graders`; nobody in particular if it is empty.

    One in so many is to be read twice; none for 0.
    """
    row = {"assignment": assignment, "question": question}
    named = {"graders": json.dumps(list(graders))} if graders else {}
    with database.writing(engine) as connection:
        database.replace_row(connection, SHARES, row, named)
        database.replace_row(connection, TWICE, row, {"one_in": one_in} if one_in else {})


def _what(now: Mark) -> str:
    if now.changed and now.waits:
        return "the student handed in another answer."
    if now.by:
        others = (
            f"{now.by.grader} gave {in_digits(now.by.points)} of {in_digits(now.max_score)} points"
        )
        return f"{others} at {now.by.at:%H:%M} UTC."
    if now.manual is not None:
        return (
            f"somebody gave {in_digits(now.manual)} of {in_digits(now.max_score)} points elsewhere."
        )
    return "the answer was recorded again, or its points were taken back."


def _differs(each: Mark, given: Row[Any]) -> bool:
    newest = each.newest.number if each.newest else None
    now = (newest, each.manual, each.comment, each.answer)
    return now != (given.number, given.points, given.comment or "", given.answer)


def _note(connection: Connection, action: str, award: Award, each: Mark) -> None:
    said = connection.scalar(select(COMMENT.c.manual_comment).where(*_comment_on(each)))
    before = {"points": each.manual, "waits": each.needs_manual_grade, "comment": said}
    before |= {"reader": award.reader} if award.reader else {}
    row = {
        "action": action,
        "grade": each.key,
        "grader": award.grader,
        "rubric": award.rubric,
        "points": award.points,
        "at": database.now(),
        "answer": each.answer,
        "earned": json.dumps(award.earned),
        "comment": award.comment or None,
        "before": json.dumps(before),
        "undone": False,
    }
    connection.execute(GIVEN.insert().values(row))


def _write(
    connection: Connection, each: Mark, points: float | None, waits: bool, comment: str | None
) -> None:
    grade = GRADE.update().where(GRADE.c.id == each.key)
    connection.execute(grade.values(manual_score=points, needs_manual_grade=waits))
    change = COMMENT.update().where(*_comment_on(each))
    connection.execute(change.values(manual_comment=comment))


def _comment_on(each: Mark) -> tuple[Any, ...]:
    """Return what picks the comment on an answer: nbgrader keeps it with the solution cell."""
    named = select(CELL.c.id).where(CELL.c.name == each.name)
    return COMMENT.c.notebook_id == each.notebook, COMMENT.c.cell_id.in_(named)
