"""Which marks differ from those that were told last, and why; a first grading is no change.

What was told is kept with the gradebook, so that nothing done in between goes unnoticed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import select

from autograder.course import Course
from autograder.course.saving import save_whole
from autograder.course.sheets import table_bytes
from autograder.errors import in_digits
from autograder.gradebook import configuration, database
from autograder.gradebook.decisions import Decision, for_points, read_decisions
from autograder.gradebook.marks import Marks, read_marks
from autograder.gradebook.tables import TOLD
from autograder.grading.fingerprint import difference
from autograder.grading.submissions import load_report
from autograder.report import NOT_GRADED, TINY

LATE = "late penalty"
_Told = dict[str, Any]  # as it is kept: see `_told`


@dataclass(frozen=True)
class Change:
    """Points that differ, and the most that there were and are; None: not graded, or a penalty."""

    assignment: str
    student: str
    exercise: str
    before: float
    before_of: float | None
    after: float | None
    after_of: float | None
    why: str

    @property
    def old(self) -> str:
        return _shown(self.before, self.before_of)

    @property
    def new(self) -> str:
        return _shown(self.after, self.after_of)


def remember(course: Course, assignment: str) -> None:
    """Keep the marks of students who have none kept yet, before anything is decided."""
    changes_since(course, [assignment], only_new=True)


def changes_since(
    course: Course, assignments: Sequence[str], *, only_new: bool = False
) -> list[Change]:
    """Return what changed since this was called last, and keep what is told now.

    With `only_new`, what is kept stays.
    """
    found: list[Change] = []
    with database.write_lock(course):  # what is told was read while nobody else told of it
        marks = read_marks(course, assignments)
        if not marks:
            return found
        url = configuration.url(course)
        with database.opened(url) as engine, database.writing(engine) as connection:
            decisions = {each.number: each for each in read_decisions(connection)}
            rows = connection.execute(select(TOLD).where(TOLD.c.assignment.in_(assignments)))
            old = {(row.assignment, row.student): json.loads(row.marks) for row in rows}
            for each in marks:
                now, before = _told(course, each), old.get((each.assignment, each.student))
                if before is not None and not only_new:
                    found += _changes(each, before, now, decisions)
                if before is None or (before != now and not only_new):
                    row = {"assignment": each.assignment, "student": each.student}
                    database.replace_row(connection, TOLD, row, {"marks": json.dumps(now)})
    return found


def write_changes(course: Course, changes: Sequence[Change]) -> Path:
    """Write a table of `changes` beside the others; return its path."""
    today = datetime.now(ZoneInfo(course.settings.time_zone)).date().isoformat()
    names = (f"changes-{today}-{number}.csv" for number in count(1))
    columns = ("assignment", "student_id", "exercise", "from", "from of", "to", "to of", "why")
    rows = [list(asdict(each).values()) for each in changes]
    with database.write_lock(course):  # two runs would choose one name
        path = next(p for p in (course.reports / name for name in names) if not p.exists())
        save_whole(table_bytes(columns, rows), path)
    return path


def _told(course: Course, marks: Marks) -> _Told:
    """Return the marks of a submission, and what they come from, as they are kept in JSON."""
    report = load_report(course, marks.student, marks.assignment)
    return {
        "marks": {
            mark.name: {
                "score": mark.score,
                "of": mark.max_score,
                "by hand": mark.manual,
                "decisions": [d.number for d in for_points(marks.decisions, mark.name)],
            }
            for mark in marks.each
        },
        "penalty": marks.penalty,
        "notebook": report.notebook_sha256 if report else "",
        "fingerprint": report.fingerprint if report else {},
    }


def _changes(
    marks: Marks, before: _Told, now: _Told, decisions: Mapping[int, Decision]
) -> Iterator[Change]:
    about = marks.assignment, marks.student
    for name, new in now["marks"].items():
        old = before["marks"].get(name)
        if old is None or old["score"] is None or _alike(old, new):
            continue
        why = _why_decided(old, new, decisions) or _why_graded(old, new, before, now)
        points = old["score"], old["of"], new["score"], new["of"]
        yield Change(*about, name, *points, why)
    if abs(before["penalty"] - now["penalty"]) > TINY:
        same = all(_alike(old, now["marks"].get(n, old)) for n, old in before["marks"].items())
        why = "dates or the late policy" if same else "it is a share of the points"
        if before["notebook"] != now["notebook"]:
            why = "handed in again"
        yield Change(*about, LATE, before["penalty"], None, now["penalty"], None, why)


def _alike(old: _Told, new: _Told) -> bool:
    if new["score"] is None or old["score"] is None:
        return bool(old["score"] == new["score"])
    pairs = (old["score"], new["score"]), (old["of"], new["of"])
    return all(abs(one - other) < TINY for one, other in pairs)


def _why_decided(old: _Told, new: _Told, decisions: Mapping[int, Decision]) -> str:
    """Return what was decided since, or taken back; nothing if nothing was."""
    told = [
        f"decision {n}: {decisions[n].reason}"
        for n in new["decisions"]
        if n not in old["decisions"]
    ]
    told += [f"decision {n} taken back" for n in old["decisions"] if n not in new["decisions"]]
    return "; ".join(told)


def _why_graded(old: _Told, new: _Told, before: _Told, now: _Told) -> str:
    if old["by hand"] != new["by hand"]:
        return "points by hand"
    if before["notebook"] != now["notebook"]:
        return "handed in again"
    if before["fingerprint"] != now["fingerprint"]:
        return difference(before["fingerprint"], now["fingerprint"])
    return "graded again"


def _shown(points: float | None, most: float | None) -> str:
    if points is None:
        return NOT_GRADED
    return in_digits(points) if most is None else f"{in_digits(points)}/{in_digits(most)}"
