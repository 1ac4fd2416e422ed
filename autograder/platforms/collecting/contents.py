"""Which assignment a file is a notebook of, by what is in it.

Each file is read in a process of its own, under limits: what kills that process harms no other.
"""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from autograder.course import Course
from autograder.errors import CourseError, GraderFault, SubmissionError
from autograder.intake.archive import File
from autograder.intake.notebook import read_notebook
from autograder.intake.submission import Release, assignment_of, sha256
from autograder.work import bounded
from autograder.work.bounded import Bounds, Unfinished
from autograder.work.processes import call_beside

# For a notebook of the greatest size.
BOUNDS = Bounds(seconds=60, cpu_seconds=60, memory_mb=3 << 10, max_bytes=10_000)


class Content(NamedTuple):
    """What a file is: a notebook of `assignment`, else `problem` says what is wrong with it."""

    assignment: str = ""
    problem: str = ""
    digest: str = ""


def read_contents(course: Course, files: Sequence[File]) -> dict[File, Content]:
    """Return what each file is; raise `CourseError` if students have received nothing yet."""
    releases = [Release.load(course, name) for name in course.released()]
    if not releases:
        raise CourseError("No assignment is released yet: run `autograder release` first.")
    paths = list({file.path: None for file in files if file.path})
    try:
        found = call_beside(_read_each, _read, paths, releases, BOUNDS)
    except BrokenExecutor:
        raise GraderFault("The process that read the notebooks was killed: try again.") from None
    known = dict(zip(paths, found, strict=True))
    return {
        file: known[file.path] if file.path else Content("", _whats_wrong(file)) for file in files
    }


def _whats_wrong(file: File) -> str:
    if file.is_damaged:
        return "The file is damaged in the archive: download the archive again."
    return "The file is too large for a notebook." if file.is_too_large else ""


def _read_each(
    read: Callable[[Path, Sequence[Release]], bytes],
    paths: Sequence[Path],
    releases: Sequence[Release],
    bounds: Bounds,
) -> list[Content]:
    found = []
    for path in paths:
        try:
            assignment, problem = json.loads(bounded.call(partial(read, path, releases), bounds))
        except Unfinished:
            assignment = ""
            problem = "The file can't be read: its author must save it again in Jupyter."
        found.append(Content(assignment, problem, sha256(path.read_bytes())))
    return found


def _read(path: Path, releases: Sequence[Release]) -> bytes:
    """Return the assignment of a notebook and what is wrong with it, as JSON."""
    try:
        release = assignment_of(read_notebook(path.read_bytes()), releases)
        return json.dumps([release.assignment, ""]).encode()
    except SubmissionError as error:
        return json.dumps(["", str(error)[:1000]]).encode()
