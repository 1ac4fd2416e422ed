"""Which reports are recorded: a table of our own in the gradebook's database."""

import hashlib
from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, bindparam, select

from autograder.course import Course
from autograder.errors import SubmissionError
from autograder.gradebook import configuration, database
from autograder.gradebook.tables import ASSIGNMENT, RECORDED, SUBMISSION, SUBMITTED
from autograder.intake.attachments import hashes_of
from autograder.intake.times import timestamp
from autograder.report import Report

_DOUBTED = ""  # an entry that holds no report
_ROW = RECORDED.c.assignment == bindparam("on"), RECORDED.c.student == bindparam("by")
# nbgrader's own commands take submissions out, and know nothing of the entries about them.
_THERE = select(ASSIGNMENT.c.name, SUBMISSION.c.student_id).select_from(SUBMITTED)
_DELETE = RECORDED.delete().where(*_ROW)
_DOUBT = RECORDED.update().where(*_ROW).values(entry=_DOUBTED)
_INSERT = RECORDED.insert().values(
    assignment=bindparam("on"), student=bindparam("by"), entry=bindparam("says")
)


class Ledger:
    """The ledger of a course as it was when this was made; to record twice changes nothing."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._entries = dict(_recorded(course))
        self._settings = (course.root / configuration.FILE).read_bytes()

    def knows(self, report: Report) -> bool:
        """Tell whether the submission has an entry, whether or not it is up to date."""
        return _about(report) in self._entries

    def holds(self, report: Report) -> bool:
        """Tell whether this very report has been recorded, and nbgrader's notebook exists."""
        if self._entries.get(_about(report)) != self._entry(report):
            return False
        return self._course.graded_path(report.student, report.assignment).is_file()

    def doubt(self, connection: Connection, reports: Iterable[Report]) -> None:
        """Take it that none of `reports` is recorded, before anything changes; they stay known."""
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
        folder = self._course.submission_path(report.student, report.assignment).parent
        parts: list[object] = [report.to_json(), self._settings]
        try:
            parts += [timestamp(folder) or b"", *hashes_of(folder).items()]
        except (SubmissionError, OSError):  # who records it says so
            parts += [b""]
        return hashlib.sha256(repr(parts).encode()).hexdigest()


def forget(connection: Connection, assignment: str, student: str) -> None:
    """Delete the entry about a submission, before anything of the submission changes."""
    connection.execute(_DELETE, {"on": assignment, "by": student})


def _recorded(course: Course) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the entries of submissions that the gradebook still has, by assignment and student."""
    with database.gradebook_of(course, RECORDED) as engine:
        if engine is None:
            return
        with engine.connect() as connection:
            there = {tuple(each) for each in connection.execute(_THERE)}
            for assignment, student, entry in connection.execute(select(RECORDED)):
                if (assignment, student) in there:
                    yield (assignment, student), entry


def _about(report: Report) -> tuple[str, str]:
    return report.assignment, report.student
