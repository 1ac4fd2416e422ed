"""The ledger of recorded reports: a table of our own in the gradebook's database.

It tells a resumed run which reports are still to be recorded.
"""

from __future__ import annotations

import hashlib

from sqlalchemy import Column, Connection, Engine, MetaData, String, Table, inspect, select

from autograder.course import Course
from autograder.errors import SubmissionError
from autograder.gradebook import configuration, database
from autograder.gradebook.tables import ANSWERS, GIVEN, SHARES
from autograder.intake.beside import time_beside
from autograder.report import Report

_TABLE = Table(
    "autograder_recorded",
    MetaData(),
    Column("assignment", String(128), primary_key=True),
    Column("student", String(128), primary_key=True),
    Column("entry", String(64), nullable=False),  # the hash of everything that decides the grade
)


class Ledger:
    """The table as of the beginning of a run, which holds the write lock."""

    def __init__(self, course: Course) -> None:
        self._course, url = course, configuration.url(course)
        self._settings = configuration.path(course).read_bytes()
        self._entries: dict[tuple[str, str], str] = {}
        if database.exists(url):
            with database.opened(url) as engine, engine.connect() as connection:
                self._look(connection)

    def _look(self, connection: Connection) -> None:
        if inspect(connection).has_table(_TABLE.name):
            for assignment, student, entry in connection.execute(select(_TABLE)):
                self._entries[assignment, student] = entry

    def knows(self, report: Report) -> bool:
        """Tell whether the submission has an entry, whether or not it is up to date."""
        return (report.assignment, report.student) in self._entries

    def holds(self, report: Report) -> bool:
        """Tell whether this very report has been recorded, and nbgrader's notebook exists."""
        if self._entries.get((report.assignment, report.student)) != self._entry(report):
            return False
        name = report.assignment
        folder = self._course.root / "autograded" / report.student / name
        return (folder / f"{name}.ipynb").is_file()

    def note(self, connection: Connection, report: Report) -> None:
        """Note that `report` is recorded, in the transaction that completes the recording.

        An earlier entry about the submission must have been forgotten.
        """
        entry = self._entries[report.assignment, report.student] = self._entry(report)
        row = {"assignment": report.assignment, "student": report.student, "entry": entry}
        connection.execute(_TABLE.insert().values(row))

    def _entry(self, report: Report) -> str:
        """Return the hash of everything that decides the entry; lateness is settled afterwards."""
        handed_in = self._course.submission_path(report.student, report.assignment)
        try:
            handed_in_at = time_beside(handed_in.parent) or b""
        except (SubmissionError, OSError):  # who records it says so
            handed_in_at = b""
        parts = [report.to_json(), self._settings, handed_in_at]
        return hashlib.sha256(repr(parts).encode()).hexdigest()


def make_tables(engine: Engine) -> None:
    """Create our own tables if they are missing."""
    for table in (_TABLE, ANSWERS, GIVEN, SHARES):
        table.create(engine, checkfirst=True)


def forget(connection: Connection, assignment: str, student: str) -> None:
    """Delete the entry about a submission, before anything of the submission changes."""
    about = (_TABLE.c.assignment == assignment, _TABLE.c.student == student)
    connection.execute(_TABLE.delete().where(*about))
