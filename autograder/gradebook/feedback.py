"""Write the pages that students get back: those alone that would be others now, side by side.

A page ends with the digest of all that it was made from, so that it says itself whether it still
holds, however it came where it lies, and half a page never does.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from traitlets.config import Config

from autograder.course import Course
from autograder.course.roster import problem_with
from autograder.course.saving import save_whole
from autograder.errors import AutograderError, CourseError, GraderFault
from autograder.gradebook import configuration, database
from autograder.gradebook.marks import Marks, read_marks
from autograder.grading.store import load_report
from autograder.telling.pages import student_page
from autograder.telling.pages.looks import edition
from autograder.telling.pages.press import Work, make_all, plain_because
from autograder.telling.record import Summary, summary_of
from autograder.work.bounded import Unfinished
from autograder.work.processes import usable_cores

if TYPE_CHECKING:
    from nbgrader.converters import GenerateFeedback

_DIGEST = "<!-- made from {} -->\n"
_LENGTH = len(_DIGEST.format(hashlib.sha256().hexdigest()))


@dataclass
class FeedbackResult:
    """What became of the pages; `said` has a sentence for each that isn't as it should be."""

    new: int = 0
    unchanged: int = 0
    said: list[str] = field(default_factory=list)
    is_complete: bool = True


@database.explaining_errors()
def write_feedback(course: Course, assignments: Iterable[str]) -> FeedbackResult:
    """Write the pages of all recorded submissions of `assignments` that aren't there as they are.

    A page that had to be plainer than it should be is tried again each time.
    """
    result = FeedbackResult()
    with database.write_lock(course):
        for assignment in assignments:
            marks = {each.student: each for each in read_marks(course, [assignment])}
            pages = _Pages(course, assignment, marks, configuration.load_settings(course))
            pages.write(result)
    return result


def summary_for(course: Course, marks: Marks) -> Summary:
    """Return what the student is told; raise `GraderFault` if there is no report to tell of."""
    report = load_report(course, marks.student, marks.assignment)
    if report is None:
        raise GraderFault("there is no report on it: run `autograder grade`.")
    return summary_of(report, {mark.name: mark for mark in marks.each}, marks.penalty)


@dataclass(frozen=True)
class _Pages:
    """The pages of one assignment, for all who are recorded."""

    course: Course
    assignment: str
    marks: Mapping[str, Marks]  # by student
    config: Config

    def write(self, result: FeedbackResult) -> None:
        left_out = self.config.CourseDirectory.get("student_id_exclude", "").split(",")
        found = self.course.autograded.glob(f"*/{self.assignment}/{self.assignment}.ipynb")
        students = sorted({path.parent.parent.name for path in found} - {*left_out})
        warm = partial(student_page.warm, self.course.release_path(self.assignment))
        workers = min(usable_cores(), len(students) or 1)
        for (student, digest), made in make_all(self._due(students, result), workers, warm):
            page = f"{student}'s page on {self.assignment}"
            if isinstance(made, Unfinished):
                result.said.append(f"{page} can't be made: {made}.")
                result.is_complete = False
                continue
            if made.why:
                result.said.append(plain_because(page, made.why))
            self._put(student, made.text + ("" if made.why else _DIGEST.format(digest)))
            result.new += 1

    def _due(
        self, students: Iterable[str], result: FeedbackResult
    ) -> Iterator[tuple[tuple[str, str], Work]]:
        """Yield each page to be made: whose it is with its digest, and the work."""
        for student in students:
            try:
                notebook = self.course.graded_path(student, self.assignment).read_bytes()
                summary = self._summary(student)
            except AutograderError as error:
                result.said.append(f"{student}'s page on {self.assignment} is missing: {error}")
                result.is_complete = False
                continue
            # all that decides a page; nothing in it is kept from its reader
            made_from = hashlib.sha256(repr((edition(), summary)).encode())
            made_from.update(notebook)
            digest = made_from.hexdigest()
            path = self.course.feedback_path(student, self.assignment)
            if _end_of(path) == _DIGEST.format(digest).encode():
                result.unchanged += 1
            else:
                yield (student, digest), partial(student_page.page, notebook, summary)

    def _summary(self, student: str) -> Summary:
        if student not in self.marks:
            if problem := problem_with(student):  # of an earlier version, perhaps
                raise CourseError(
                    f"that can't be a student id, because {problem}: take its folder out of "
                    f"{self.course.autograded.name}/."
                )
            raise GraderFault(f"{student} isn't in the gradebook: run `make grade`.")
        return summary_for(self.course, self.marks[student])

    def _put(self, student: str, page: str) -> None:
        """Put a page in its place at once, with the permissions of nbgrader's settings."""
        save_whole(page.encode(), self.course.feedback_path(student, self.assignment))
        self._nbgrader.set_permissions(self.assignment, student)

    @cached_property
    def _nbgrader(self) -> GenerateFeedback:
        from nbgrader.converters import GenerateFeedback  # here: it takes seconds
        from nbgrader.coursedir import CourseDirectory

        return GenerateFeedback(coursedir=CourseDirectory(config=self.config), config=self.config)


def _end_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(-_LENGTH, os.SEEK_END)
            return file.read()
    except OSError:  # or it is shorter
        return b""
