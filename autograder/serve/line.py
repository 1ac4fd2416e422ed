"""The queue: who is graded next, what is being graded, and what becomes of it.

What waits is a row, and so is what came of it: this process may be killed at any moment, and the
next goes on where it was. One thread grades, another records: they meet in the rows alone.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from autograder.gradebook.database import now
from autograder.gradebook.recording import record
from autograder.grading.run import grade_in_worker, modules_to_import
from autograder.grading.settings import Settings
from autograder.grading.submissions import Graded, Job, students_of
from autograder.serve.tables import TryState
from autograder.serve.threads import Threads
from autograder.serve.tries import Tries, Try, may_count
from autograder.work.pool import Failed, Waiting, run_all
from autograder.work.processes import Processes, Workers, processes

MAX_PROGRESS = 20_000  # bytes of what an examiner notes
_FIRST_GUESS = 10.0  # seconds that a submission takes, before any was timed
_PAUSE = 0.5  # seconds between two looks for what is to be recorded
_EVERY = 60.0  # seconds between two looks for what became due
_AFTER_FAILURE = 60.0  # seconds until a try that couldn't be recorded is tried again


@dataclass(frozen=True)
class TryStanding:
    """Where a try stands at this moment: what a page tells while somebody waits."""

    state: str  # that of its row, or "running"
    place: int = 0  # in the queue, from 1
    seconds: int = 0  # until it is graded, as far as one can tell; 0: it should be by now
    examined: tuple[str, ...] = ()  # exercises, while it is running


@dataclass
class _Running:
    found: Try
    since: float = field(default_factory=time.monotonic)


class Line(Waiting[Job]):
    """What waits, in a fair order: first the student who was graded least recently, then by place.

    What is graded again comes after all that wasn't graded yet.
    """

    suspects_first = True

    def __init__(self, tries: Tries, workers: int) -> None:
        super().__init__()
        self.tries, self.workers, self.is_closed = tries, workers, False
        self._notes = tries.course.work / "serve"
        self._running: dict[Job, _Running] = {}
        self._turns: dict[str, int] = {}  # by student: which turn was their last
        self._seconds = _FIRST_GUESS
        self._lock = threading.Lock()

    def begin_anew(self) -> None:
        """Take it that nothing is running, and remove what told how far it was."""
        with self._lock:
            self._running.clear()
        for note in self._notes.glob("*"):
            note.unlink(missing_ok=True)

    def has_jobs(self) -> bool:
        return not self.is_closed

    def next(self) -> Job | None:
        found = None if self.is_closed else next(iter(self.order()), None)
        if found is None:
            return None
        path, note = self.tries.path(found), self._note(found.number)
        note.parent.mkdir(parents=True, exist_ok=True)
        note.unlink(missing_ok=True)
        is_early = self.tries.course.settings.is_early(found.assignment, found.student)
        job = Job(found.student, found.assignment, path, note, is_early)
        with self._lock:
            self._turns[found.student] = 1 + max(self._turns.values(), default=0)
            self._running[job] = _Running(found)
        return job

    def order(self) -> list[Try]:
        """Return what waits and isn't begun, the next one first."""
        waiting = self.tries.in_state(TryState.WAITING)
        with self._lock:
            begun = {each.found.number for each in self._running.values()}
            turns = dict(self._turns)
        left = [each for each in waiting if each.number not in begun]
        # Whoever waits for a first result goes before what is graded again.
        return sorted(left, key=lambda t: (t.is_graded_again, turns.get(t.student, 0), t.place))

    def number_of(self, job: Job) -> int:
        return self._running[job].found.number

    def finished(self, job: Job, *, timed: bool) -> None:
        """Take a job out of what is running, once its row says what became of it."""
        with self._lock:
            running = self._running.pop(job)
            if timed:
                self._seconds += 0.2 * (time.monotonic() - running.since - self._seconds)
        self._note(running.found.number).unlink(missing_ok=True)

    def standings(self) -> dict[int, TryStanding]:
        """Return where each try stands that waits or runs, by its number."""
        found = {}
        for place, each in enumerate(self.order(), start=1):
            turns = -(-place // self.workers) + 1
            found[each.number] = TryStanding("waiting", place, round(turns * self._seconds))
        with self._lock:
            running = list(self._running.values())
        for begun in running:
            left = max(0.0, self._seconds - (time.monotonic() - begun.since))
            examined = self._examined(begun.found.number)
            found[begun.found.number] = TryStanding("running", 0, round(left), examined)
        return found

    def _note(self, number: int) -> Path:
        return self._notes / str(number)

    def _examined(self, number: int) -> tuple[str, ...]:
        """Return the exercises that have been examined; an examiner wrote them, so with a bound."""
        try:
            with self._note(number).open("rb") as file:
                lines = file.read(MAX_PROGRESS).decode(errors="replace").splitlines()
        except OSError:
            return ()
        return tuple(dict.fromkeys(line for line in lines if line.isidentifier()))


class Grading:
    """The threads that grade and record what comes in, and see what became due."""

    def __init__(self, settings: Settings, line: Line) -> None:
        self._settings, self.line, self._tries = settings, line, line.tries
        self._pool: Processes | None = None
        self._not_recorded: dict[int, float] = {}  # when it failed, by the number of the try
        self._complete: set[int] = set()  # tries that were graded early, and by all tests
        self._threads = Threads(self._grade, self._record, self._grade_what_is_due)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Grade and record; what is being graded at the end is graded anew next time."""
        self._take_up()
        with self._threads.running():
            try:
                yield
            finally:
                self.line.is_closed = True
                self._threads.stopping.set()
                if self._pool:
                    self._pool.kill()

    def _take_up(self) -> None:
        """Go on where a killed process was, and take in what was collected elsewhere."""
        for each in self._tries.in_state(TryState.GRADED):
            if self._tries.report(each) is None:  # the machine failed before it was on the disk
                self._tries.update(each.number, state=TryState.WAITING)
        for assignment in self._tries.course.released():
            for student in students_of(self._tries.course, assignment):
                self._tries.adopt(student, assignment)

    def _grade(self) -> None:
        self.line.begin_anew()  # whatever ended this before
        work = partial(grade_in_worker, settings=self._settings)
        with closing(run_all(self.line, work, self._open_workers)) as results:
            for job, outcome in results:
                self._keep_result(job, outcome)

    @contextmanager
    def _open_workers(self) -> Iterator[Workers]:
        course = self._settings.course
        modules = modules_to_import(course, course.released())
        with processes(self.line.workers, modules) as self._pool:
            # one job each: what waits longer may still be replaced, or overtaken
            yield Workers(self._pool, self.line.workers, in_flight=1)

    def _keep_result(self, job: Job, outcome: Graded | Failed) -> None:
        said: dict[str, Any] = {"state": TryState.FAILED, "finished": now()}
        if isinstance(outcome, Failed):
            said["said"] = outcome.reason
        elif outcome.report is None:
            said |= {"state": TryState.REJECTED, "said": outcome.rejection}
        else:
            report = outcome.report
            self._tries.save_report(report)
            said = {"state": TryState.GRADED, "score": report.score, "max_score": report.max_score}
        number = self.line.number_of(job)
        self._complete.discard(number)  # since an extension, it may be early again
        if self._tries.may_be_told(number):
            self._tries.update(number, **said)
        self.line.finished(job, timed=isinstance(outcome, Graded))

    def _grade_what_is_due(self) -> None:
        """Let tries wait again that tests are left for, since they were graded before it was due.

        Only what may count is graded again.
        """
        course = self._tries.course
        for assignment in course.released():
            if course.settings.due(assignment) is None:
                continue
            for student, tries in self._tries.by_student(assignment).items():
                if not course.settings.is_early(assignment, student):
                    for found in may_count(tries, course.settings.serve.counts):
                        self._complete_one(found)
        self._threads.stopping.wait(_EVERY)

    def _complete_one(self, found: Try) -> None:
        if found.number in self._complete or found.is_graded_again:
            return
        report = self._tries.report(found)
        if report is None or not report.is_early:
            self._complete.add(found.number)
        else:
            self._tries.update(found.number, found.state, state=TryState.WAITING)

    def _record(self) -> None:
        """Record all that is graded by now, the try that counts of each student."""
        late = time.monotonic() - _AFTER_FAILURE
        graded = [
            each
            for each in self._tries.in_state(TryState.GRADED)
            if self._not_recorded.get(each.number, late) <= late
        ]
        if not graded:
            self._threads.stopping.wait(_PAUSE)
            return
        reports = []
        for student, assignment in sorted({(each.student, each.assignment) for each in graded}):
            self._tries.adopt(student, assignment)
            with suppress(FileNotFoundError):  # the student was forgotten meanwhile
                reports.append(self._tries.place(student, assignment))
        failures = record(self._tries.course, (report for report in reports if report))
        for each in graded:
            about = f"{each.student}, {each.assignment}: "
            said = next((why for why in failures if why.startswith(about)), "")
            done = {"state": TryState.RECORDED, "said": "", "finished": now()}
            if said:  # the instructor is told, and it is tried again
                done = {"said": said}
                self._not_recorded[each.number] = time.monotonic()
            self._tries.update(each.number, TryState.GRADED, **done)
