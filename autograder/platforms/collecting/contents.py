"""Which assignment a file is a notebook of, by what is in it.

Files are read by a process of their own, under limits: one that kills it is told, and the next file
gets a new process.
"""

from __future__ import annotations

import json
import multiprocessing
import resource
from collections.abc import Iterable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from autograder.course import Course
from autograder.errors import CourseError, SubmissionError
from autograder.intake.archive import File
from autograder.intake.notebook import read_notebook
from autograder.intake.submission import Release, assignment_of, sha256
from autograder.sandbox import kernel

MAX_MEMORY = 3 << 30  # bytes for a notebook of the greatest size
MAX_SECONDS = 60  # a file
_MAX_ANSWER = 10_000  # bytes
_UNREADABLE = "The file can't be read: its author must save it again in Jupyter."


class Content(NamedTuple):
    """What a file is: a notebook of `assignment`, else `problem` says what is wrong with it."""

    assignment: str = ""
    problem: str = ""
    digest: str = ""


class Contents:
    """What files are, as notebooks of a course."""

    def __init__(self, course: Course, files: Iterable[File]) -> None:
        """Read the files; raise `CourseError` if students have received nothing yet."""
        releases = [Release.load(course, name) for name in course.released()]
        if not releases:
            raise CourseError("No assignment is released yet: run `autograder release` first.")
        self.assignments = [release.assignment for release in releases]
        paths = list({file.path: None for file in files if file.path})
        self._known = dict(zip(paths, _read_all(paths, releases), strict=True))

    def of(self, file: File) -> Content:
        """Return what `file` is."""
        if file.is_damaged:
            return Content(problem="It is damaged in the archive: download that again.")
        if file.path is None:
            return Content(problem="It is larger than a notebook." * file.is_too_large)
        return self._known[file.path]


def _read_all(paths: Sequence[Path], releases: Sequence[Release]) -> list[Content]:
    found: list[Content] = []
    while len(found) < len(paths):
        found += _read_in_a_process(paths[len(found) :], releases)
    return found


def _read_in_a_process(paths: Sequence[Path], releases: Sequence[Release]) -> list[Content]:
    """Return what the first files are: all, or those up to one that can't be read."""
    context = multiprocessing.get_context("fork")  # it sees our modules: to start takes no time
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(sender, paths, releases), daemon=True)
    process.start()
    sender.close()
    found: list[Content] = []
    try:
        while len(found) < len(paths) and receiver.poll(MAX_SECONDS):
            assignment, problem = json.loads(receiver.recv_bytes(_MAX_ANSWER))
            digest = sha256(paths[len(found)].read_bytes())
            found.append(Content(assignment, problem, digest))
    except (EOFError, OSError):
        pass  # it is dead
    finally:
        receiver.close()
        process.kill()
        process.join()
    if len(found) < len(paths):
        found.append(Content("", _UNREADABLE, sha256(paths[len(found)].read_bytes())))
    return found


def _serve(sender: Connection, paths: Sequence[Path], releases: Sequence[Release]) -> None:
    mapped, _ = kernel.memory_in_use()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + MAX_MEMORY,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for path in paths:
        sender.send_bytes(json.dumps(_read(path, releases)).encode())


def _read(path: Path, releases: Sequence[Release]) -> tuple[str, str]:
    try:
        return assignment_of(read_notebook(path.read_bytes()), releases).assignment, ""
    except SubmissionError as error:
        return "", str(error)[:1000]
    except MemoryError:
        return "", _UNREADABLE
