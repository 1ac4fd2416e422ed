"""Write the pages that students get back: those alone that would be others now, side by side.

A page ends with the digest of all that it was made from, so that it says itself whether it still
holds, however it came where it lies, and half a page never does.
"""

import hashlib
import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from autograder.course import Course
from autograder.course.roster import problem_with
from autograder.course.saving import refuse_links, save_whole
from autograder.errors import AutograderError, CourseError, GraderFault
from autograder.gradebook import configuration, database
from autograder.gradebook.decisions import decided_report, not_yet, notes_on
from autograder.gradebook.marks import Marks, read_marks
from autograder.grading.submissions import load_report
from autograder.report import Report
from autograder.telling.pages import student_page
from autograder.telling.pages.looks import edition
from autograder.telling.pages.press import Presses, Work, plain_because
from autograder.telling.record import WITHHELD, Summary, summary_of
from autograder.work.bounded import Unfinished
from autograder.work.processes import usable_cores

_DIGEST = "<!-- made from {} -->\n"
_LENGTH = len(_DIGEST.format(hashlib.sha256().hexdigest()))


@dataclass
class FeedbackResult:
    """What became of the pages; `said` has a sentence for each that isn't as it should be.

    `notes` says which assignments nothing is given out of yet.
    """

    new: int = 0
    unchanged: int = 0
    notes: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    is_complete: bool = True


def write_feedback(course: Course, assignments: Iterable[str]) -> FeedbackResult:
    """Write the pages that aren't there as they are; one that had to be plainer is tried again."""
    result = FeedbackResult()
    with database.write_lock(course), Presses(usable_cores()) as presses:
        for assignment in assignments:
            if why := not_yet(course, assignment):
                result.notes.append(f"{assignment}: no page was written, because {why}.")
            else:
                _Pages(course, assignment, result).write(presses)
    return result


def withdraw_feedback(course: Course, assignment: str) -> None:
    """Replace the pages of those whose marks are withheld, where there are any already.

    They are gone before others are written: whatever happens, none that tells too much remains.
    """
    with database.write_lock(course):
        given = (each for each in read_marks(course, [assignment]) if each.withheld)
        pages = {each.student: page_path(course, each.student, assignment) for each in given}
        there = [student for student, page in pages.items() if page.is_file()]
        for student in there:
            pages[student].unlink()
        if not not_yet(course, assignment):
            with Presses(usable_cores()) as presses:
                _Pages(course, assignment, FeedbackResult()).write(presses, there)


def page_path(course: Course, student: str, assignment: str) -> Path:
    """Return where a page belongs; raise `CourseError` for a link in its way."""
    return refuse_links(course.feedback_path(student, assignment), course.feedback)


def summary_for(course: Course, marks: Marks, unrecorded: Report | None = None) -> Summary:
    """Return what the student is told; raise `GraderFault` if there is no report to tell of.

    Of a report that is `unrecorded`, that and decisions say all; `marks` have no points.
    """
    student, assignment = marks.student, marks.assignment
    if why := not_yet(course, assignment):
        return Summary(assignment, student, (), kept_back=f"{assignment}: {why}.")
    if marks.each and len(marks.withheld) == len(marks.each):
        return Summary(assignment, student, (), kept_back=f"{assignment}: {WITHHELD}")
    report = unrecorded or load_report(course, student, assignment)
    if report is None:
        raise GraderFault("There is no report on this submission: run `autograder grade`.")
    held = {} if unrecorded else {mark.name: mark for mark in marks.each}
    notes, now = notes_on(report, marks.decisions), decided_report(report, marks.decisions)
    return summary_of(now, held, marks.penalty, notes, marks.withheld)


class _Pages:
    def __init__(self, course: Course, assignment: str, result: FeedbackResult) -> None:
        self._course, self._assignment, self._result = course, assignment, result
        self._marks = {each.student: each for each in read_marks(course, [assignment])}
        self._config = configuration.load_settings(course)

    def write(self, presses: Presses, only: Collection[str] | None = None) -> None:
        left_out = self._config.CourseDirectory.get("student_id_exclude", "").split(",")
        found = self._course.autograded.glob(f"*/{self._assignment}/{self._assignment}.ipynb")
        students = sorted({path.parent.parent.name for path in found} - {*left_out})
        students = students if only is None else [name for name in students if name in only]
        warm = partial(student_page.warm, self._course.release_path(self._assignment))
        for (student, digest), made in presses.make_all(self._due(students), warm):
            page = f"{student}'s page on {self._assignment}"
            if isinstance(made, Unfinished):
                self._fail(f"{page} can't be made: {made}.")
                continue
            if made.why:
                self._result.said.append(plain_because(page, made.why))
            whole = made.text + ("" if made.why else digest)
            save_whole(whole.encode(), page_path(self._course, student, self._assignment))
            self._nbgrader.set_permissions(self._assignment, student)
            self._result.new += 1

    def _fail(self, sentence: str) -> None:
        self._result.said.append(sentence)
        self._result.is_complete = False

    def _due(self, students: list[str]) -> Iterator[tuple[tuple[str, str], Work]]:
        """Yield each page to be made: whose it is with its last line, and the work."""
        for student in students:
            try:
                place = page_path(self._course, student, self._assignment)
                path = self._course.graded_path(student, self._assignment)
                notebook = refuse_links(path, self._course.autograded).read_bytes()
                summary = self._summary(student)
            except AutograderError as error:
                self._fail(f"{student}'s page on {self._assignment} is missing. {error}")
                continue
            # all that decides a page; nothing in it is kept from its reader
            made_from = hashlib.sha256(repr((edition(), summary)).encode() + notebook)
            digest = _DIGEST.format(made_from.hexdigest())
            if _end_of(place) == digest.encode():
                self._result.unchanged += 1
            else:
                yield (student, digest), partial(student_page.page, notebook, path.parent, summary)

    def _summary(self, student: str) -> Summary:
        if student in self._marks:
            return summary_for(self._course, self._marks[student])
        if problem := problem_with(student):  # of an earlier version, perhaps
            raise CourseError(
                f"That can't be a student id, because {problem}: take its folder out of "
                f"{self._course.autograded.name}/."
            )
        raise GraderFault(f"{student} isn't in the gradebook: run `make grade`.")

    @cached_property
    def _nbgrader(self) -> Any:
        from nbgrader.converters import GenerateFeedback  # here: it takes seconds
        from nbgrader.coursedir import CourseDirectory

        return GenerateFeedback(coursedir=CourseDirectory(config=self._config), config=self._config)


def _end_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(-_LENGTH, os.SEEK_END)
            return file.read()
    except OSError:  # or it is shorter
        return b""
