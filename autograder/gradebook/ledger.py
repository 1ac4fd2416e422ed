"""Which reports the gradebook holds: a table of ours in its database, gone when that is gone.

A run that was cut off finds here what is still to be recorded.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Engine,
    MetaData,
    String,
    Table,
    create_engine,
    inspect,
    select,
    text,
)
from sqlalchemy.engine import make_url

from autograder.course import Course
from autograder.gradebook import configuration
from autograder.report import Report

_TABLE = Table(
    "autograder_recorded",
    MetaData(),
    Column("assignment", String(128), primary_key=True),
    Column("student", String(128), primary_key=True),
    Column("entry", String(64), nullable=False),  # the hash of all that made it
)


def holds(course: Course, report: Report) -> bool:
    """Tell whether the gradebook was given this very report, and nbgrader's notebook is there."""
    notebook = course.root / "autograded" / report.student / report.assignment
    url = _url(course)
    database = make_url(url).database
    if not notebook.is_dir() or (url.startswith("sqlite") and not Path(database or "").is_file()):
        return False
    engine = _engine(url)
    if not inspect(engine).has_table(_TABLE.name):
        return False
    with engine.connect() as connection:
        found = connection.scalar(select(_TABLE.c.entry).where(*_is_about(report)))
        return found == _entry(course, report, connection)


def note(course: Course, report: Report) -> None:
    """Take down that the gradebook holds `report`."""
    engine = _engine(_url(course))
    _TABLE.create(engine, checkfirst=True)
    with engine.begin() as connection:
        connection.execute(_TABLE.delete().where(*_is_about(report)))
        row = {"assignment": report.assignment, "student": report.student}
        entry = _entry(course, report, connection)
        connection.execute(_TABLE.insert().values(row | {"entry": entry}))


def _entry(course: Course, report: Report, connection: Connection) -> str:
    """Return the hash of what a grade is made of: the report, and what decides a late penalty."""
    due = text("SELECT duedate FROM assignment WHERE name = :name")
    handed_in = course.submission_path(report.student, report.assignment)
    parts = [report.to_json(), str(connection.scalar(due, {"name": report.assignment}))]
    for path in (handed_in.with_name("timestamp.txt"), configuration.path(course)):
        parts.append(path.read_text("utf-8") if path.is_file() else "")
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _is_about(report: Report) -> tuple[ColumnElement[bool], ...]:
    return _TABLE.c.assignment == report.assignment, _TABLE.c.student == report.student


def _url(course: Course) -> str:
    return str(configuration.load(course).CourseDirectory.db_url)


@cache
def _engine(url: str) -> Engine:
    return create_engine(url)
