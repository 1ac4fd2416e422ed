"""Put submissions where the grader looks for them, with their times as nbgrader keeps them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from autograder.course import Course
from autograder.intake.submission import sha256
from autograder.platforms.deciding import Submission
from autograder.platforms.entry import time_of

_TIME = "timestamp.txt"


@dataclass(frozen=True)
class Placed:
    """A submission in its place."""

    student: str
    assignment: str
    time: datetime | None
    late_by: timedelta | None  # None: in time, or nobody knows by how much
    is_late: bool
    replaced: bool  # whether it took the place of an earlier one


def place(
    course: Course, chosen: Iterable[tuple[Submission, int]], fresh: Path
) -> tuple[list[Placed], list[str]]:
    """Put each submission in its place; return them, and a sentence about each that replaces.

    `fresh` is a folder beside those places: everything is written there first.
    """
    placed, notes = [], []
    moves: list[tuple[Path, Path]] = []
    unknown: list[Path] = []  # times that are those of what is replaced
    for number, (submission, replaces) in enumerate(chosen):
        student, name = submission.owner.student, submission.content.assignment
        target = course.submission_path(student, name)
        before = _Before.at(target, course.settings.time_zone)
        time, is_new = submission.entry.time, before.digest != submission.content.digest
        if time and before.time and before.time > time and is_new:
            notes.append(f"{student}, {name}: the one of {before.time}, which was there, is later.")
            placed.append(_placed(course, submission, before.time, replaced=False))
            continue
        if replaces:
            which = "the one that you chose" if submission.is_answered else "the latest"
            when = f", of {time}," if time else ""
            notes.append(f"{student}, {name}: {which} of {replaces + 1}{when} was kept.")
        elif before.digest and is_new:
            notes.append(f"{student}, {name}: it replaced the one that was there.")
        moves += _written(submission, time, target, fresh / f"placed-{number}")
        if time is None and is_new:
            unknown.append(target.with_name(_TIME))
        is_replacing = bool(replaces or (before.digest and is_new))
        known = time or (None if is_new else before.time)
        placed.append(_placed(course, submission, known, replaced=is_replacing))
    for _, target in moves:
        target.parent.mkdir(parents=True, exist_ok=True)
    for path in unknown:
        path.unlink(missing_ok=True)
    for written, target in moves:
        written.replace(target)
    return placed, notes


@dataclass(frozen=True)
class _Before:
    """What is in a place already."""

    digest: str = ""
    time: datetime | None = None

    @classmethod
    def at(cls, path: Path, zone: str) -> _Before:
        beside = path.with_name(_TIME)
        time = time_of(beside.read_text("utf-8", "replace"), zone) if beside.is_file() else None
        return cls(sha256(path.read_bytes()) if path.is_file() else "", time)


def _written(
    submission: Submission, time: datetime | None, target: Path, fresh: Path
) -> list[tuple[Path, Path]]:
    """Write a submission beside its place; return what is to be moved where."""
    assert submission.entry.file.path is not None
    shutil.copyfile(submission.entry.file.path, fresh)
    moves = [(fresh, target)]
    if time is not None:
        written = fresh.with_suffix(".txt")
        written.write_text(f"{time.isoformat()}\n", "utf-8")
        moves.insert(0, (written, target.with_name(_TIME)))
    return moves


def _placed(
    course: Course, submission: Submission, time: datetime | None, *, replaced: bool
) -> Placed:
    student, assignment = submission.owner.student, submission.content.assignment
    due = course.settings.due(assignment, student)
    late_by = time - due if time and due and time > due else None
    is_late = late_by is not None or (submission.entry.is_late and not (time and due))
    return Placed(student, assignment, time, late_by, is_late, replaced)
