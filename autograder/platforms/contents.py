"""Which assignment a file is a notebook of, by what is in it."""

from __future__ import annotations

from typing import NamedTuple

from autograder.course import Course
from autograder.errors import CourseError, SubmissionError
from autograder.intake.archive import File
from autograder.intake.notebook import read
from autograder.intake.release import Release
from autograder.intake.submission import assignment_of, sha256


class Content(NamedTuple):
    """What a file is: a notebook of `assignment`, else `problem` says what is wrong with it."""

    assignment: str = ""
    problem: str = ""
    digest: str = ""


class Contents:
    """Reads files as notebooks of a course."""

    def __init__(self, course: Course) -> None:
        """Load what students received; raise `CourseError` if that is nothing."""
        self._releases = [Release.load(course, name) for name in course.released()]
        if not self._releases:
            raise CourseError("No assignment is released yet: run `autograder release` first.")
        self.assignments = [release.assignment for release in self._releases]
        self._known: dict[File, Content] = {}

    def of(self, file: File) -> Content:
        """Return what `file` is."""
        if file not in self._known:
            self._known[file] = self._read(file)
        return self._known[file]

    def _read(self, file: File) -> Content:
        if file.path is None:
            return Content(problem="it is larger than a notebook" * file.is_too_large)
        raw = file.path.read_bytes()
        try:
            return Content(assignment_of(read(raw), self._releases).assignment, "", sha256(raw))
        except SubmissionError as error:
            return Content("", str(error), sha256(raw))
