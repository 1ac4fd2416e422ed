"""The course's gradebook as the desk has it open: of a section, with what reads its notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, Engine

from autograder.course import Course
from autograder.course.roster import EVERYBODY, Section
from autograder.desk.notebooks import NotebookReader
from autograder.errors import CourseError, DeskError
from autograder.gradebook import database, giving
from autograder.gradebook.lateness import settle
from autograder.gradebook.marks import Marks, marks_on


@contextmanager
def open_books(course: Course, section: Section = EVERYBODY) -> Iterator[Books]:
    """Open the gradebook of `course`; raise `CourseError` if nothing is recorded in it."""
    with database.gradebook_of(course) as engine:
        if engine is None:
            raise CourseError("Nothing is recorded in the gradebook yet: run `make grade` first.")
        database.make_tables(engine)
        with closing(NotebookReader()) as reader:
            yield Books(course, engine, reader, section)


@dataclass(frozen=True)
class Books:
    course: Course
    engine: Engine
    reader: NotebookReader
    section: Section  # whose work is shown and graded

    def marks(self, connection: Connection, assignment: str, **only: str) -> list[Marks]:
        """Return the marks on `assignment` of the section, or of `only` one submission in it."""
        found = marks_on(connection, assignment, **only)
        return [each for each in found if each.student in self.section]

    def check(self, keys: Iterable[str]) -> None:
        """Raise `DeskError` if any of these grades is that of another section's student."""
        with self.engine.connect() as connection:
            students = giving.students_of(connection, keys)
        if not all(student in self.section for student in students):
            raise DeskError(
                f"This is the work of another section than {self.section.name}: open a desk "
                "without `--section` to grade it."
            )

    def settle(self, assignment: str, students: set[str]) -> None:
        for student in students:
            settle(self.course, self.engine, assignment, student)
