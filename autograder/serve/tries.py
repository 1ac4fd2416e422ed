"""What students handed in, try by try: kept before anybody is told so, and which of them counts.

A try is a file, named by its hash in `.tries` beside the submission that counts, and a row about
it. The file is on the disk first, then the row, and only then is it acknowledged.
"""

import hashlib
import os
import shutil
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import IO, Any, Self
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Row, func, select

from autograder.course import Course
from autograder.course.locking import submissions_lock
from autograder.course.saving import on_the_disk, refuse_links, save_whole
from autograder.errors import SubmissionError
from autograder.gradebook.database import in_utc, now
from autograder.grading.submissions import is_about, load_report, save_report
from autograder.intake import times
from autograder.intake.notebook import MAX_NOTEBOOK, read_submitted
from autograder.intake.submission import sha256
from autograder.platforms.archives import MAX_EARLIER, SOURCE, Source, source_beside
from autograder.report import Report
from autograder.serve.store import Store
from autograder.serve.tables import TRIES, TryState

FOLDER = ".tries"  # hidden: nbgrader and the grader take nothing in it for a submission
PLATFORM = "serve"  # what a submission's `source.json` calls us
_CHUNK = 1 << 20
MAX_KEPT = 1 << 30  # bytes of all notebooks that a student hands in for an assignment
MAX_TRIES = 2000  # of these, and of tries
_NO_TRIES = "You have no tries left today: go on tomorrow."
_TOO_MANY = "You have handed in as much as is kept of one student: ask your instructor."


@dataclass(frozen=True)
class Try:
    """One try, as its row tells of it; times are in UTC, without a zone."""

    number: int
    student: str
    assignment: str
    at: datetime
    sha256: str
    by: str
    place: int
    state: TryState
    score: float | None
    max_score: float | None
    said: str
    finished: datetime | None
    chosen: datetime | None

    @classmethod
    def of(cls, row: Row[Any]) -> Self:
        return cls(**row._mapping)

    @property
    def is_graded(self) -> bool:
        return self.state in (TryState.GRADED, TryState.RECORDED)

    @property
    def is_graded_again(self) -> bool:
        """Whether it waits with what it had: that counts until there is something new."""
        return self.state is TryState.WAITING and self.score is not None


@dataclass(frozen=True)
class Tries:
    store: Store
    _keeping: dict[tuple[str, str], threading.Lock] = field(default_factory=dict)

    @property
    def course(self) -> Course:
        return self.store.course

    def find(self, number: int) -> Try | None:
        return next(iter(self._select(TRIES.c.number == number)), None)

    def of(self, student: str, assignment: str) -> list[Try]:
        """Return somebody's tries, the newest first."""
        return self._select(TRIES.c.student == student, TRIES.c.assignment == assignment)[::-1]

    def on(self, assignment: str) -> list[Try]:
        """Return everybody's tries, the oldest first."""
        return self._select(TRIES.c.assignment == assignment)

    def by_student(self, assignment: str) -> dict[str, list[Try]]:
        """Return everybody's tries, in order of students, the oldest first."""
        in_order = sorted(self.on(assignment), key=lambda each: each.student)
        return {who: list(tries) for who, tries in groupby(in_order, lambda each: each.student)}

    def in_state(self, *states: TryState) -> list[Try]:
        return self._select(TRIES.c.state.in_(states))

    def _select(self, *about: Any) -> list[Try]:
        wanted = select(TRIES).where(*about).order_by(TRIES.c.number)
        return [Try.of(row) for row in self.store.rows(wanted)]

    def update(self, number: int, only_in: TryState | None = None, /, **columns: object) -> None:
        """Change the row of a try; with a state, only if the try is still in it."""
        change = TRIES.update().where(TRIES.c.number == number)
        if only_in:
            change = change.where(TRIES.c.state == only_in)
        self.store.write(change.values(**columns))

    def left_today(self, student: str, assignment: str) -> int | None:
        """Return how many tries are left until midnight where the course is; None: no limit."""
        most = self.course.settings.serve.tries_a_day
        if most is None:
            return None
        with self.store.engine.connect() as connection:
            return max(0, most - self._used_today(connection, student, assignment))

    def _used_today(self, connection: Connection, student: str, assignment: str) -> int:
        here = datetime.now(ZoneInfo(self.course.settings.time_zone))
        midnight = here.replace(hour=0, minute=0, second=0, microsecond=0)
        since = in_utc(midnight)
        free = (TryState.REPLACED, TryState.REJECTED, TryState.FAILED)
        mine = (TRIES.c.student == student, TRIES.c.assignment == assignment)
        counted = (TRIES.c.at >= since, TRIES.c.state.not_in(free))
        return connection.scalar(select(func.count()).where(*mine, *counted)) or 0

    def may_be_told(self, number: int) -> bool:
        """Tell whether the result of a try is for its student.

        One that was replaced while it was graded is one more of today's tries, if any are left.
        """
        found = self.find(number)
        if found is None or found.state is not TryState.REPLACED:
            return True
        return self.left_today(found.student, found.assignment) != 0

    def keep(self, student: str, assignment: str, upload: IO[bytes], by: str) -> Try:
        """Keep what is handed in, and let it wait in place of an earlier one that does.

        The same bytes as last time are that try. Raises `SubmissionError` for too many bytes, and
        for one try too many; what is refused doesn't stay on the disk.
        """
        folder = self._folder(student, assignment)
        # One after the other, or else many at once would all find room.
        with self._keeping.setdefault((student, assignment), threading.Lock()):
            is_over = self.left_today(student, assignment) == 0
            digest = _write_through(upload, folder, is_over=is_over)
            return self._enter(student, assignment, digest, by, now(), replaces=True)

    def adopt(self, student: str, assignment: str) -> None:
        """Make what somebody else put where submissions belong a try among the others."""
        path = self.course.submission_path(student, assignment)
        try:
            raw = read_submitted(path)
            time = times.handed_in_at(path.parent, self.course.settings.time_zone)
            handed_in = time or datetime.fromtimestamp(path.stat().st_mtime, UTC)
        except (OSError, SubmissionError):  # there is nothing, or `grade` tells what is wrong
            return
        digest = sha256(raw)
        if any(each.sha256 == digest for each in self.of(student, assignment)):
            return
        source = source_beside(path)
        save_whole(raw, self._folder(student, assignment) / f"{digest}.ipynb")
        report = load_report(self.course, student, assignment)
        if report and not (report.notebook_sha256 == digest and report.is_graded):
            report = None
        if report:
            self.save_report(report)
        by = source.platform[:16] if source else "folder"
        self._enter(student, assignment, digest, by, in_utc(handed_in), report)

    def _enter(
        self,
        student: str,
        assignment: str,
        digest: str,
        by: str,
        at: datetime,
        report: Report | None = None,
        *,
        replaces: bool = False,
    ) -> Try:
        """Enter a try, which waits unless there is a report on it."""
        mine = (TRIES.c.student == student, TRIES.c.assignment == assignment)
        row = {"student": student, "assignment": assignment, "sha256": digest, "by": by, "at": at}
        row |= {"state": TryState.WAITING, "place": 0, "said": ""}
        if report:
            scored = {"score": report.score, "max_score": report.max_score}
            row |= {"state": TryState.GRADED, **scored}
        with self.store.writing() as connection:
            newest = select(TRIES).where(*mine).order_by(TRIES.c.number.desc()).limit(1)
            last = connection.execute(newest.with_for_update()).first()
            if last and last.sha256 == digest and last.state != TryState.FAILED:
                return Try.of(last)
            most = self.course.settings.serve.tries_a_day
            if replaces and most and self._used_today(connection, student, assignment) >= most:
                raise SubmissionError(_NO_TRIES)
            number_of = select(func.count()).where(*mine)
            if replaces and (connection.scalar(number_of) or 0) >= MAX_TRIES:
                raise SubmissionError(_TOO_MANY)
            (number,) = connection.execute(TRIES.insert().values(row)).inserted_primary_key or (0,)
            places = [number]
            if replaces:
                # One that is graded again keeps what it has.
                ungraded = TRIES.c.state == TryState.WAITING, TRIES.c.score.is_(None)
                waits = (*mine, *ungraded, TRIES.c.number < number)
                places += connection.scalars(select(TRIES.c.place).where(*waits))
                connection.execute(TRIES.update().where(*waits).values(state=TryState.REPLACED))
            entered = TRIES.update().where(TRIES.c.number == number)
            connection.execute(entered.values(place=min(places)))
            wanted = select(TRIES).where(TRIES.c.number == number)
            return Try.of(connection.execute(wanted).one())

    # The files of a try

    def path(self, found: Try) -> Path:
        return self._folder(found.student, found.assignment) / f"{found.sha256}.ipynb"

    def report(self, found: Try) -> Report | None:
        """Return the report on a try; None if it isn't graded."""
        try:
            return Report.model_validate_json(self.path(found).with_suffix(".json").read_bytes())
        except (OSError, ValueError):
            return None

    def save_report(self, report: Report) -> None:
        folder = self._folder(report.student, report.assignment)
        save_whole(report.to_json().encode(), folder / f"{report.notebook_sha256}.json")

    def _folder(self, student: str, assignment: str) -> Path:
        path = self.course.submission_path(student, assignment)
        return refuse_links(path, self.course.submitted).parent / FOLDER

    # Which try counts

    def counting(self, student: str, assignment: str) -> Try | None:
        return counting(self.of(student, assignment), self.course.settings.serve.counts)

    def place(self, student: str, assignment: str) -> Report | None:
        """Put the try that counts, and its report, where all else looks for them.

        Returns the report, if there is any. To do it twice changes nothing.
        """
        found = self.counting(student, assignment)
        report = self.report(found) if found else None
        if found is None or report is None:
            return None
        others = [each.sha256 for each in self.of(student, assignment)[::-1]]
        earlier = [each for each in dict.fromkeys(others) if each != found.sha256]
        source = Source(platform=PLATFORM, entry=f"{found.number}", earlier=earlier[-MAX_EARLIER:])
        target = self.course.submission_path(student, assignment)
        with submissions_lock(self.course):
            if not is_about(report, target):
                time = found.at.replace(tzinfo=UTC).isoformat()
                save_whole(source.model_dump_json().encode(), target.with_name(SOURCE))
                save_whole(f"{time}\n".encode(), target.with_name(times.FILE))
                target.with_name(times.LATE).unlink(missing_ok=True)
                save_whole(self.path(found).read_bytes(), target)
        save_report(self.course, report)
        return report


def counting(tries: Sequence[Try], policy: str) -> Try | None:
    """Return the try that counts, of all that somebody handed in for an assignment.

    `policy` is "last", "best", or "chosen", which is the last one until somebody chooses.
    """
    found = (each for each in tries if each.is_graded or each.is_graded_again)
    graded = sorted(found, key=lambda each: each.at)
    if not graded:
        return None
    if policy == "best":  # before a late penalty; of equal ones, the earliest
        return max(graded, key=lambda each: each.score or 0)
    chosen = [each for each in graded if each.chosen] if policy == "chosen" else []
    return max(chosen, key=lambda each: each.chosen or each.at, default=graded[-1])


def may_count(tries: Sequence[Try], policy: str) -> list[Try]:
    """Return the graded tries that count, or may once all tests have run."""
    if policy == "best":
        return [each for each in tries if each.is_graded]
    found = counting(tries, policy)
    return [found] if found else []


def _write_through(upload: IO[bytes], folder: Path, *, is_over: bool) -> str:
    """Write a file that is named by its hash, down to the disk; return the hash.

    Raises `SubmissionError` for one that isn't there yet if there is no room, or no try is left.
    """
    digest = hashlib.sha256()
    while chunk := upload.read(_CHUNK):
        digest.update(chunk)
    size = upload.tell()
    if size > MAX_NOTEBOOK:
        raise SubmissionError(
            f"The file is larger than {MAX_NOTEBOOK >> 20} MB: clear its outputs, save it, and "
            "hand it in again."
        )
    path = folder / f"{digest.hexdigest()}.ipynb"
    if not path.exists():
        kept = [each.stat().st_size for each in folder.glob("*.ipynb")]
        if is_over:
            raise SubmissionError(_NO_TRIES)
        if len(kept) >= MAX_TRIES or sum(kept) + size > MAX_KEPT:
            raise SubmissionError(_TOO_MANY)
    upload.seek(0)
    with on_the_disk(path) as file:
        shutil.copyfileobj(upload, file, _CHUNK)
    for place in (folder, *folder.parents[:3]):  # up to `submitted/`: names are on the disk, too
        _sync(place)
    return digest.hexdigest()


def _sync(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
