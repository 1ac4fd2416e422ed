"""The course's gradebook and its files, open while the desk is."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine, inspect

from autograder.course import Course
from autograder.course.solution import Question, questions
from autograder.desk.reading import Reader
from autograder.errors import CourseError
from autograder.gradebook import configuration, database, explaining_errors
from autograder.gradebook.penalties import settle
from autograder.gradebook.tables import GRADE, make_tables


@dataclass
class Books:
    """What the pages are made from; several requests may read it at once."""

    course: Course
    engine: Engine
    reader: Reader
    _rubrics: dict[Path, tuple[int, Mapping[str, Question]]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def questions(self, assignment: str) -> Mapping[str, Question]:
        """Return the written questions of an assignment, as its script has them now."""
        path = self.course.solutions / f"{self.course.check_assignment(assignment)}.py"
        with self._lock:
            try:
                time = path.stat().st_mtime_ns
            except OSError:
                raise CourseError(f"{path.name} isn't in solutions/ any more.") from None
            known = self._rubrics.get(path)
            if known is None or known[0] != time:
                known = self._rubrics[path] = time, questions(self.course, assignment)
            return known[1]

    def settle(self, assignment: str, students: set[str]) -> None:
        """Make late penalties follow the points that were given."""
        for student in students:
            settle(self.course, self.engine, assignment, student)


@contextmanager
def opened(course: Course) -> Iterator[Books]:
    """Open the gradebook of `course`; raise `CourseError` if nothing is recorded in it."""
    url = configuration.url(course)
    nothing = CourseError("Nothing is recorded in the gradebook yet: run `make grade` first.")
    if not database.exists(url):
        raise nothing
    reader = Reader()
    with explaining_errors(), database.opened(url) as engine:
        if not inspect(engine).has_table(GRADE.name):
            raise nothing
        make_tables(engine)
        try:
            yield Books(course, engine, reader)
        finally:
            reader.close()
