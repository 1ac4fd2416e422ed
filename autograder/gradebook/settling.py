"""Let nbgrader's own tables say what decisions come to, whatever was recorded or given since.

What the grader and people gave stays as it is there. Our share stands beside it as extra credit,
which nbgrader adds to either; only what waits for points and needs none any more is opened. Both
are noted, and so can be put back.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, Select, false, func, select

from autograder.course import Course
from autograder.course.saving import sign_of
from autograder.gradebook.configuration import name_of
from autograder.gradebook.database import replace_row
from autograder.gradebook.decisions import (
    Decision,
    Kind,
    by_a_person,
    by_the_grader,
    for_points,
    read_decisions,
)
from autograder.gradebook.tables import (
    ASSIGNMENT,
    CELL,
    CELL_TYPE,
    CHANGED,
    GRADE,
    GRADE_CELL,
    GRADED_CELLS,
    SHIFTS,
    SUBMISSION,
    TASK_CELL,
)
from autograder.grading.submissions import read_report
from autograder.report import TINY, Report

MAX_KEPT = 2000  # reports


def settle_decisions(
    connection: Connection, course: Course, assignment: str, student: str | None
) -> None:
    """Make grades what decisions, reports and people make of them; of `student`, if named."""
    decisions = read_decisions(connection, assignment)
    # Those that were taken back, too: what they changed may not have been put back yet.
    names = {each.exercise for each in decisions if each.kind is not Kind.WITHHOLD}
    if not names:
        return
    most: dict[str, float] = {}  # by the key of the cell
    for row in connection.execute(_grades(assignment, student)).all():
        name = name_of(row.cell, row.cell_type)
        report = _report(course.report_path(row.student, assignment)) if name in names else None
        if report is not None:
            points, maximum = _points(row, report, name, for_points(decisions, name))
            _shift(connection, row, points)
            most[row.cell_key] = max(most.get(row.cell_key, 0), maximum)
    for cell, maximum in most.items() if student is None else ():
        for table in (GRADE_CELL, TASK_CELL):
            change = table.update().where(table.c.id == cell, table.c.max_score != maximum)
            connection.execute(change.values(max_score=maximum))


def _grades(assignment: str, student: str | None) -> Select[Any]:
    columns = (
        *(GRADE.c[name] for name in ("id", "auto_score", "manual_score", "extra_credit")),
        func.coalesce(GRADE.c.needs_manual_grade, false()).label("needs"),
        CHANGED.label("changed"),
        func.coalesce(SHIFTS.c.points, 0.0).label("shift"),
        func.coalesce(SHIFTS.c.opened, false()).label("opened"),
        SHIFTS.c.auto.label("auto_before"),
        CELL.c.id.label("cell_key"),
        CELL.c.name.label("cell"),
        CELL_TYPE,
        SUBMISSION.c.student_id.label("student"),
    )
    found = (
        select(*columns)
        .select_from(GRADED_CELLS.outerjoin(SHIFTS, SHIFTS.c.grade == GRADE.c.id))
        .where(ASSIGNMENT.c.name == assignment)
        .order_by(GRADE.c.id)
        .with_for_update(of=GRADE)
    )
    return found if student is None else found.where(SUBMISSION.c.student_id == student)


def _points(
    row: Row[Any], report: Report, name: str, decisions: Sequence[Decision]
) -> tuple[float | None, float]:
    """Return the points that a grade comes to, and the most that there are.

    Without points, it stays as it was recorded: nothing was decided, or it still waits.
    """
    stale = row.changed and (row.needs or row.opened)  # a person gave points for another answer
    given = None if stale else row.manual_score
    exercise = next((each for each in report.exercises if each.name == name), None)
    if exercise is None:
        most = next((each.max_score for each in report.manual if each.name == name), 0.0)
        points, most = by_a_person(_auto(row) if given is None else given, most, decisions)
    else:
        points, most = by_the_grader(exercise, decisions)
        if row.manual_score is not None:
            points = _by_hand(given, exercise.max_score, most, decisions)
    return points if decisions else None, most


def _by_hand(
    given: float | None, before: float, most: float, decisions: Sequence[Decision]
) -> float | None:
    """Return what a person's points for an exercise come to; they go before the grader's."""
    points, _ = by_a_person(given, before, decisions, is_written=False)
    is_smaller = any(each.kind is Kind.LEAVE_OUT for each in decisions)
    return min(points, most) if points is not None and is_smaller else points


def _auto(row: Row[Any]) -> float | None:
    """Return the grader's points as they were recorded."""
    found: float | None = row.auto_before if row.opened else row.auto_score
    return found


def _shift(connection: Connection, row: Row[Any], points: float | None) -> None:
    """Let a grade come to `points`, by what is ours of it; without any, put it back."""
    auto, is_manual = _auto(row), row.manual_score is not None
    # What a person graded since it was opened waits no more, but for another answer.
    needs = (not is_manual or row.changed) if row.opened else row.needs
    waits = needs and (not is_manual or row.changed)
    opened = waits and points is not None
    recorded = row.manual_score if is_manual else auto or 0.0
    share = 0.0 if points is None else points - recorded
    if abs(share - row.shift) < TINY and opened == row.opened:
        return
    extra = (row.extra_credit or 0.0) - row.shift + share
    values = {
        "extra_credit": extra if abs(extra) > TINY else None,
        "auto_score": (auto or 0.0) if opened and not is_manual else auto,
        "needs_manual_grade": needs and not opened,
    }
    connection.execute(GRADE.update().where(GRADE.c.id == row.id).values(values))
    noted = {"points": share, "opened": opened, "auto": auto}
    is_any = opened or abs(share) > TINY
    replace_row(connection, SHIFTS, {"grade": row.id}, noted if is_any else {})


def _report(path: Path) -> Report | None:
    try:
        return _read(path, sign_of(path))
    except (OSError, ValueError):  # missing or damaged: what was settled by it stays
        return None


@lru_cache(MAX_KEPT)
def _read(path: Path, sign: object) -> Report:
    return read_report(path).model_copy(update={"cells": ()})


def forget_opened(connection: Connection, grades: Iterable[str]) -> None:
    """Take it that these grades are recorded anew, as if decisions hadn't opened them."""
    mine = SHIFTS.c.grade.in_(list(grades))
    connection.execute(SHIFTS.update().where(mine).values(opened=False))
