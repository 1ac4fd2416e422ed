"""Record stored reports in the gradebook: what is new of them, many at a time.

Whatever is stored and not recorded is recorded by the next run, so an interrupted one loses
nothing. The lock on the gradebook is held only while it is written.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain, groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from sqlalchemy import Connection, bindparam, inspect, select

from autograder.course import Course
from autograder.errors import SubmissionError
from autograder.gradebook import configuration, database
from autograder.gradebook.lateness import settle_course
from autograder.gradebook.tables import RECORDED
from autograder.grading.worker import Graded
from autograder.intake.times import timestamp
from autograder.report import Report

if TYPE_CHECKING:
    from autograder.gradebook.recorder import Recorder

MAX_BATCH = 50  # submissions in one transaction
MAX_WAIT = 1.0  # seconds for which a report waits for others, if more come at all
_DOUBTED = ""  # an entry that holds no report
_ROW = RECORDED.c.assignment == bindparam("on"), RECORDED.c.student == bindparam("by")
_DELETE = RECORDED.delete().where(*_ROW)
_DOUBT = RECORDED.update().where(*_ROW).values(entry=_DOUBTED)
_INSERT = RECORDED.insert().values(
    assignment=bindparam("on"), student=bindparam("by"), entry=bindparam("says")
)


def record_class(
    course: Course, results: Generator[Graded, None, None]
) -> tuple[list[Graded], list[str]]:
    """Record the reports of `results`, which come while the others are still being graded.

    Returns the results, reduced to what the class table shows, and a sentence for each submission
    that could not be recorded.
    """
    kept: list[Graded] = []

    def reports() -> Iterator[Report]:
        for graded in results:
            kept.append(graded.summary())
            if graded.report is not None:
                yield graded.report

    with closing(results):
        return kept, record(course, reports())


@database.explaining_errors()
def record(course: Course, reports: Iterable[Report]) -> list[str]:
    """Record the submissions of `reports` in the gradebook and under `autograded/`.

    The reports must be stored; those that are already recorded are skipped. If nbgrader can't
    accept a submission, the others are still recorded; returns a sentence for each that failed.
    """
    with database.write_lock(course):
        ledger = Ledger(course)
    new = (report for report in reports if not ledger.holds(report))
    first = next(new, None)
    failures = [] if first is None else _record(course, chain([first], new), ledger)
    with database.write_lock(course):
        settle_course(course)
    return failures


def _record(course: Course, reports: Iterable[Report], ledger: Ledger) -> list[str]:
    from autograder.gradebook.recorder import Recorder  # here: it takes seconds to import

    recorders: dict[str, Recorder] = {}
    failures: list[str] = []
    with database.shared_engine(configuration.url(course)) as engine:
        for batch in _batches(reports):
            with database.write_lock(course):
                for assignment, each in groupby(batch, key=attrgetter("assignment")):
                    if assignment not in recorders:
                        recorders[assignment] = Recorder(course, assignment, ledger, engine)
                    failures += recorders[assignment].record(list(each))
    return failures


def _batches(reports: Iterable[Report]) -> Iterator[list[Report]]:
    """Yield what came together, by assignment; where reports come slowly, each as it comes."""
    batch: list[Report] = []
    since = time.monotonic()
    for report in reports:
        batch.append(report)
        if len(batch) == MAX_BATCH or time.monotonic() - since > MAX_WAIT:
            yield sorted(batch, key=attrgetter("assignment"))
            batch, since = [], time.monotonic()
    if batch:
        yield sorted(batch, key=attrgetter("assignment"))


class Ledger:
    """Which reports are recorded: a table of our own in the gradebook's database.

    It is read when it is made. Reports that another run records meanwhile are recorded once more,
    which changes nothing.
    """

    def __init__(self, course: Course) -> None:
        self._course, url = course, configuration.url(course)
        self._settings = configuration.path(course).read_bytes()
        self._entries: dict[tuple[str, str], str] = {}
        if database.exists(url):
            with database.opened(url) as engine, engine.connect() as connection:
                if inspect(connection).has_table(RECORDED.name):
                    for assignment, student, entry in connection.execute(select(RECORDED)):
                        self._entries[assignment, student] = entry

    def knows(self, report: Report) -> bool:
        """Tell whether the submission has an entry, whether or not it is up to date."""
        return _about(report) in self._entries

    def holds(self, report: Report) -> bool:
        """Tell whether this very report has been recorded, and nbgrader's notebook exists."""
        if self._entries.get(_about(report)) != self._entry(report):
            return False
        return self._course.graded_path(report.student, report.assignment).is_file()

    def doubt(self, connection: Connection, reports: Iterable[Report]) -> None:
        """Take it that none of `reports` is recorded, before anything of the submissions changes.

        They stay known: what the gradebook holds of them is of an earlier report.
        """
        about = [_about(report) for report in reports]
        connection.execute(_DOUBT, [{"on": on, "by": by} for on, by in about])
        self._entries |= {each: _DOUBTED for each in about if each in self._entries}

    def note(self, connection: Connection, reports: Iterable[Report]) -> None:
        """Note that `reports` are recorded, in the transaction that completes the recording."""
        entries = {_about(report): self._entry(report) for report in reports}
        rows = [{"on": on, "by": by, "says": says} for (on, by), says in entries.items()]
        connection.execute(_DELETE, rows)
        connection.execute(_INSERT, rows)
        self._entries |= entries

    def _entry(self, report: Report) -> str:
        """Return the hash of everything that decides the entry; lateness is settled afterwards."""
        handed_in = self._course.submission_path(report.student, report.assignment)
        try:
            handed_in_at = timestamp(handed_in.parent) or b""
        except (SubmissionError, OSError):  # who records it says so
            handed_in_at = b""
        parts = [report.to_json(), self._settings, handed_in_at]
        return hashlib.sha256(repr(parts).encode()).hexdigest()


def forget(connection: Connection, assignment: str, student: str) -> None:
    """Delete the entry about a submission, before anything of the submission changes."""
    connection.execute(_DELETE, {"on": assignment, "by": student})


def _about(report: Report) -> tuple[str, str]:
    return report.assignment, report.student
