"""The ledger of recorded reports: a table of our own in the gradebook's database.

It tells a resumed run which reports are still to be recorded.
"""

from __future__ import annotations

import hashlib

from sqlalchemy import Column, Connection, Engine, MetaData, String, Table, inspect, select, text

from autograder.course import Course
from autograder.gradebook import configuration, database
from autograder.report import Report

_TABLE = Table(
    "autograder_recorded",
    MetaData(),
    Column("assignment", String(128), primary_key=True),
    Column("student", String(128), primary_key=True),
    Column("entry", String(64), nullable=False),  # the hash of everything that decides the grade
)

_DUE = text("SELECT name, duedate FROM assignment WHERE duedate IS NOT NULL")
_EXTENSIONS = text(
    "SELECT assignment.name, student_id, extension FROM submitted_assignment "
    "JOIN assignment ON assignment.id = assignment_id WHERE extension IS NOT NULL"
)


class Ledger:
    """The table as of the beginning of a run, which holds the write lock."""

    def __init__(self, course: Course) -> None:
        self._course, url = course, configuration.url(course)
        self._settings = configuration.path(course).read_bytes()
        self._due: dict[str, str] = {}
        self._extensions: dict[tuple[str, str], str] = {}
        self._entries: dict[tuple[str, str], str] = {}
        if database.exists(url):
            with database.opened(url) as engine, engine.connect() as connection:
                self._look(connection)

    def _look(self, connection: Connection) -> None:
        tables = inspect(connection)
        if tables.has_table("submitted_assignment"):
            self._due = {name: str(due) for name, due in connection.execute(_DUE)}
            for assignment, student, extension in connection.execute(_EXTENSIONS):
                self._extensions[assignment, student] = str(extension)
        if tables.has_table(_TABLE.name):
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
        """Return the hash of everything that decides the grade: the report, and its lateness."""
        handed_in = self._course.submission_path(report.student, report.assignment)
        timestamp = handed_in.with_name("timestamp.txt")
        parts = [report.to_json(), *self._lateness(report), self._settings]
        parts += [timestamp.read_bytes() if timestamp.is_file() else b""]
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def _lateness(self, report: Report) -> list[str]:
        """Return everything that decides whether the submission is late, and the penalty."""
        settings = self._course.settings
        policy = repr(settings.late_policy(report.assignment))
        if settings.due(report.assignment) is not None:
            return [policy, str(settings.due(report.assignment, report.student))]
        extension = self._extensions.get((report.assignment, report.student), "")
        return [policy, self._due.get(report.assignment, ""), extension]


def make_table(engine: Engine) -> None:
    """Create the table if it is missing."""
    _TABLE.create(engine, checkfirst=True)


def forget(connection: Connection, assignment: str, student: str) -> None:
    """Delete the entry about a submission, before anything of the submission changes."""
    about = (_TABLE.c.assignment == assignment, _TABLE.c.student == student)
    connection.execute(_TABLE.delete().where(*about))
