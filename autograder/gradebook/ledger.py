"""Which reports the gradebook holds: a table of ours in its database, gone when that is gone.

A run that was cut off finds here what is still to be recorded.
"""

from __future__ import annotations

import hashlib

from sqlalchemy import Column, Connection, MetaData, String, Table, inspect, select, text

from autograder.course import Course
from autograder.gradebook import configuration, database
from autograder.report import Report

_TABLE = Table(
    "autograder_recorded",
    MetaData(),
    Column("assignment", String(128), primary_key=True),
    Column("student", String(128), primary_key=True),
    Column("entry", String(64), nullable=False),  # the hash of all that made it
)


class Ledger:
    """The table as it is when a run begins; nobody else writes it meanwhile."""

    def __init__(self, course: Course) -> None:
        self._course, url = course, configuration.url(course)
        self._settings = configuration.path(course).read_bytes()
        self._due: dict[str, str] = {}  # when each assignment is due: a late penalty is made of it
        self._entries: dict[tuple[str, str], str] = {}
        if database.exists(url):
            with database.opened(url) as engine, engine.connect() as connection:
                self._look(connection)

    def _look(self, connection: Connection) -> None:
        tables = inspect(connection)
        if tables.has_table("assignment"):
            rows = connection.execute(text("SELECT name, duedate FROM assignment"))
            self._due = {name: str(due) for name, due in rows if due is not None}
        if tables.has_table(_TABLE.name):
            for assignment, student, entry in connection.execute(select(_TABLE)):
                self._entries[assignment, student] = entry

    def holds(self, report: Report) -> bool:
        """Tell whether the gradebook was given this very report, and nbgrader's notebook is there.

        Where entries are the same, so is what is asked for here.
        """
        if self._entries.get((report.assignment, report.student)) != self._entry(report):
            return False
        return (self._course.root / "autograded" / report.student / report.assignment).is_dir()

    def note(self, connection: Connection, report: Report) -> None:
        """Take down that the gradebook holds `report`, in the transaction that enters it."""
        _TABLE.create(connection, checkfirst=True)
        about = (_TABLE.c.assignment == report.assignment, _TABLE.c.student == report.student)
        connection.execute(_TABLE.delete().where(*about))
        row = {"assignment": report.assignment, "student": report.student}
        connection.execute(_TABLE.insert().values(row | {"entry": self._entry(report)}))

    def _entry(self, report: Report) -> str:
        """Return the hash of what a grade is made of: the report, and what makes it late."""
        handed_in = self._course.submission_path(report.student, report.assignment)
        timestamp = handed_in.with_name("timestamp.txt")
        parts = [report.to_json().encode(), self._due.get(report.assignment, "").encode()]
        parts += [timestamp.read_bytes() if timestamp.is_file() else b"", self._settings]
        return hashlib.sha256(repr(parts).encode()).hexdigest()
