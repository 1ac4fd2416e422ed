"""Put submissions where the grader looks for them, with their times as nbgrader keeps them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from autograder.course import Course
from autograder.errors import CourseError, SubmissionError
from autograder.intake import times
from autograder.intake.notebook import read_submitted
from autograder.intake.submission import sha256
from autograder.platforms.collecting.deciding import Submission
from autograder.platforms.source import FILE, Source

_UNREADABLE = "unreadable"  # in place of a digest


@dataclass(frozen=True)
class Placed:
    """A submission in its place."""

    student: str
    assignment: str
    late_by: timedelta | None  # None: in time, or nobody knows by how much
    is_late: bool
    replaced: bool  # whether it took the place of an earlier one


def place(
    course: Course, chosen: Iterable[tuple[Submission, int]], fresh: Path, platform: str
) -> tuple[list[Placed], list[str]]:
    """Put each submission in its place; return them, and a sentence about each that replaces.

    `fresh` is a folder beside those places: everything is written there first. What `platform`
    called each is kept beside it, so that feedback can go back under that name.
    """
    placed, notes = [], []
    moves: list[tuple[Path, Path]] = []
    outdated: list[Path] = []  # times of what is replaced by something of unknown time
    for number, (submission, replaces) in enumerate(chosen):
        target = course.submission_path(submission.owner.student, submission.content.assignment)
        before = _Before.at(target, course.settings.time_zone)
        is_new = before.digest != submission.content.digest
        time = submission.entry.time or (None if is_new else before.time)
        if is_new and time and before.time and before.time > time:
            notes.append(_said(submission, f"the one that was there, of {before.time}, is later."))
            placed.append(_placed(course, submission, before.time, replaced=False))
            continue
        replaced = bool(replaces or (before.digest and is_new))
        if replaced:
            notes.append(_said(submission, _what_was_replaced(submission, replaces, time)))
        written = fresh / f"placed-{number}"
        moves.append(_source_of(submission, platform, target, written.with_suffix(".json")))
        moves += _written(submission, time, target, written)
        outdated += [target.with_name(times.FILE)] * (is_new and time is None)
        placed.append(_placed(course, submission, time, replaced=replaced))
    _move(moves, outdated)
    return placed, notes


def _move(moves: Iterable[tuple[Path, Path]], outdated: Iterable[Path]) -> None:
    for _, target in moves:
        target.parent.mkdir(parents=True, exist_ok=True)
    for path in outdated:
        path.unlink(missing_ok=True)
    for written, target in moves:
        written.replace(target)


def _said(submission: Submission, what: str) -> str:
    return f"{submission.owner.student}, {submission.content.assignment}: {what}"


def _what_was_replaced(submission: Submission, replaces: int, time: datetime | None) -> str:
    if not replaces:
        return "it replaced the one that was there."
    which = "the one that you chose" if submission.is_answered else "the latest"
    when = f", of {time}," if time else ""
    return f"{which} of {replaces + 1}{when} was kept."


@dataclass(frozen=True)
class _Before:
    """What is in a place already."""

    digest: str = ""
    time: datetime | None = None

    @classmethod
    def at(cls, path: Path, zone: str) -> _Before:
        """Look at a place; raise `CourseError` if a link leads out of it."""
        for folder in (path.parents[1], path.parent):
            if folder.is_symlink():
                raise CourseError(f"{folder} is a link: put the folder itself there first.")
        try:
            digest = sha256(read_submitted(path))
        except SubmissionError:  # whatever is there, it is to be replaced
            return cls(_UNREADABLE)
        except FileNotFoundError:
            return cls()
        try:
            return cls(digest, times.handed_in_at(path.parent, zone))
        except SubmissionError:  # nobody knows when it was handed in
            return cls(digest)


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
        moves.insert(0, (written, target.with_name(times.FILE)))
    return moves


def _source_of(
    submission: Submission, platform: str, target: Path, fresh: Path
) -> tuple[Path, Path]:
    """Write what the platform called a submission; return what is to be moved where."""
    source = Source(platform=platform, entry=submission.entry.file.name)
    fresh.write_text(source.model_dump_json(), "utf-8")
    return fresh, target.with_name(FILE)


def _placed(
    course: Course, submission: Submission, time: datetime | None, *, replaced: bool
) -> Placed:
    student, assignment = submission.owner.student, submission.content.assignment
    due = course.settings.due(assignment, student)
    late_by = time - due if time and due and time > due else None
    is_late = late_by is not None or (submission.entry.is_late and not (time and due))
    return Placed(student, assignment, late_by, is_late, replaced)
