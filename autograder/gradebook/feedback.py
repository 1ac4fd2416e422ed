"""What the pages are made from that students get back, and where they are put."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from traitlets.config import Config

from autograder.course import Course
from autograder.course.roster import problem_with
from autograder.errors import CourseError, GraderFault
from autograder.gradebook import configuration, marks
from autograder.gradebook.marks import Marks
from autograder.gradebook.reports import report_on
from autograder.grading.store import load
from autograder.telling.record import Summary, summary_of

if TYPE_CHECKING:
    from nbgrader.converters import GenerateFeedback


def told(course: Course, given: Marks) -> Summary:
    """Return what the student is told whom the gradebook gives these marks."""
    who = given.student, given.assignment
    report = load(course, *who) or report_on(course, *who)
    return summary_of(report, {mark.name: mark for mark in given.each}, given.penalty)


@dataclass(frozen=True)
class Feedback:
    """The feedback on one assignment, for all who are recorded; penalties are settled."""

    course: Course
    assignment: str
    _marks: Mapping[str, Marks]  # by student
    _config: Config

    @classmethod
    def on(cls, course: Course, assignment: str) -> Feedback:
        """Read the marks in the gradebook."""
        found = {each.student: each for each in marks.read(course, [assignment])}
        return cls(course, assignment, found, configuration.load(course))

    @property
    def students(self) -> list[str]:
        """Who gets a page, in order: all whom nbgrader's settings don't leave out."""
        left_out = self._config.CourseDirectory.get("student_id_exclude", "").split(",")
        found = self.course.autograded.glob(f"*/{self.assignment}/{self.assignment}.ipynb")
        return sorted({path.parent.parent.name for path in found} - {*left_out})

    def told(self, student: str) -> Summary:
        """Return what a student is told; raise an error if the gradebook doesn't know them."""
        if student not in self._marks:
            if problem := problem_with(student):  # of an earlier version, perhaps
                raise CourseError(
                    f"that can't be a student id, because {problem}: take its folder out of "
                    f"{self.course.autograded.name}/."
                )
            raise GraderFault(f"{student} isn't in the gradebook: run `make grade`.")
        return told(self.course, self._marks[student])

    def notebook(self, student: str) -> bytes:
        """Return the bytes of a student's notebook with the verdicts in it."""
        return self.course.graded_path(student, self.assignment).read_bytes()

    def path(self, student: str) -> Path:
        """Return where a student's page lies."""
        return self.course.feedback_path(student, self.assignment)

    def put(self, student: str, page: str) -> None:
        """Put a page in its place at once, with the permissions of nbgrader's settings."""
        path = self.path(student)
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(".fresh")
        try:
            fresh.write_text(page, encoding="utf-8")
            fresh.replace(path)
        except OSError:  # such as a full disk, which half a page would keep full
            fresh.unlink(missing_ok=True)
            raise
        self._nbgrader.set_permissions(self.assignment, student)

    @cached_property
    def _nbgrader(self) -> GenerateFeedback:
        from nbgrader.converters import GenerateFeedback  # here: it takes seconds
        from nbgrader.coursedir import CourseDirectory

        return GenerateFeedback(coursedir=CourseDirectory(config=self._config), config=self._config)
