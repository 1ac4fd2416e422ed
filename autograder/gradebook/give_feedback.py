"""Write the pages that students get back: those alone that would be others now, side by side.

A page ends with the digest of all that it was made from, so that it says itself whether it still
holds, however it came where it lies, and half a page never does.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from autograder.course import Course
from autograder.errors import AutograderError
from autograder.gradebook import database, explaining_errors
from autograder.gradebook.feedback import Feedback
from autograder.telling.pages import student_page
from autograder.telling.pages.looks import edition
from autograder.telling.pages.press import Work, make_all, plain_because
from autograder.telling.record import Summary
from autograder.work.bounded import Unfinished
from autograder.work.processes import usable_cores

_MARK = "<!-- made from {} -->\n"
_LENGTH = len(_MARK.format(hashlib.sha256().hexdigest()))


@dataclass
class Written:
    """What became of the pages; `said` has a sentence for each that isn't as it should be."""

    new: int = 0
    unchanged: int = 0
    said: list[str] = field(default_factory=list)
    is_complete: bool = True


def write(course: Course, assignments: Iterable[str]) -> Written:
    """Write the pages of all recorded submissions of `assignments` that aren't there as they are.

    A page that had to be plainer than it should be is tried again each time.
    """
    written = Written()
    with explaining_errors(), database.write_lock(course):
        for assignment in assignments:
            _write(Feedback.on(course, assignment), written)
    return written


def _write(feedback: Feedback, written: Written) -> None:
    students = feedback.students
    warm = partial(student_page.warm, feedback.course.release_path(feedback.assignment))
    workers = min(usable_cores(), len(students) or 1)
    for (student, digest), made in make_all(_due(feedback, students, written), workers, warm):
        page = f"{student}'s page on {feedback.assignment}"
        if isinstance(made, Unfinished):
            written.said.append(f"{page} can't be made: {made}.")
            written.is_complete = False
            continue
        if made.why:
            written.said.append(plain_because(page, made.why))
        feedback.put(student, made.text + ("" if made.why else _MARK.format(digest)))
        written.new += 1


def _due(
    feedback: Feedback, students: Iterable[str], written: Written
) -> Iterator[tuple[tuple[str, str], Work]]:
    """Yield each page to be made: whose it is with its digest, and the work."""
    for student in students:
        try:
            notebook, summary = feedback.notebook(student), feedback.told(student)
        except AutograderError as error:
            written.said.append(f"{student}'s page on {feedback.assignment} is missing: {error}")
            written.is_complete = False
            continue
        digest = _digest(notebook, summary)
        if _end_of(feedback.path(student)) == _MARK.format(digest).encode():
            written.unchanged += 1
        else:
            yield (student, digest), partial(student_page.page, notebook, summary)


def _digest(notebook: bytes, summary: Summary) -> str:
    """Return the hash of all that decides a page; nothing in it is kept from its reader."""
    made_from = hashlib.sha256(repr((edition(), summary)).encode())
    made_from.update(notebook)
    return made_from.hexdigest()


def _end_of(path: Path) -> bytes:
    """Return what a page ends with; nothing if there is no page."""
    try:
        with path.open("rb") as file:
            file.seek(-_LENGTH, os.SEEK_END)
            return file.read()
    except OSError:  # or it is shorter
        return b""
