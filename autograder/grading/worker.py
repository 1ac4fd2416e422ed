"""Grade one submission in a worker process, which keeps its graders for later submissions.

Each submission gets a forked process with bounds: only that touches what a student wrote or sends.
If it never finishes, only its submission is affected.
"""

from collections.abc import Callable
from dataclasses import replace
from multiprocessing.util import Finalize

from pydantic import ValidationError

from autograder.errors import AutograderError, ExaminerDied, GraderFault, SubmissionError
from autograder.grading.fingerprint import Fingerprint, fingerprint
from autograder.grading.grader import Grader
from autograder.grading.settings import Settings
from autograder.grading.submissions import NOBODYS, Graded, Job
from autograder.intake.notebook import read_notebook
from autograder.intake.release import Release
from autograder.intake.submission import assignment_of
from autograder.report import ExerciseReport, Record, Report
from autograder.sandbox.host.probe import strongest, why_not
from autograder.sandbox.limits import Isolation, Limits
from autograder.sandbox.wire import MAX_FRAME, WireError
from autograder.work import bounded
from autograder.work.processes import Core

FILE_MB = 1  # of each file: right answers and known mistakes may write some, as students' do
MAX_SENT = (32 << 20) + MAX_FRAME  # bytes of a report, and of what suspects replied
_PATIENCE = 4  # times as many seconds may pass as may be computed


class Told(Record):
    """What a forked process tells of a submission: one of these."""

    assignment: str = ""
    report: Report | None = None
    exercises: tuple[ExerciseReport, ...] = ()
    rejection: str = ""  # the sentence of a `SubmissionError`
    fault: str = ""  # the sentence of any other error


def grade_one(job: Job, settings: Settings) -> Graded:
    """Grade one submission, at the strongest isolation if need be, from a single thread."""
    if settings.isolation is not Isolation.UNSAFE and why_not(settings.isolation):
        settings = replace(settings, isolation=strongest())
    try:
        grader = _grader(settings, job.assignment)
        report = grade_forked(grader, job.read(), job)
    except SubmissionError as error:
        return Graded(job, rejection=str(error))
    return Graded(job, report)


def grade_bytes(raw: bytes, settings: Settings, assignment: str = "") -> Report:
    """Grade a notebook file of `assignment`, or of whichever it is, with a grader that is kept.

    Raises `SubmissionError` if it isn't one, and `GraderFault` if the grader fails.
    """
    return grade_forked(_grader(settings, assignment or assignment_in(raw, settings)), raw)


def assignment_in(raw: bytes, settings: Settings) -> str:
    """Return the assignment of the course that a notebook file is of, or raise as above."""
    course = settings.course
    if not course.released():
        raise SubmissionError("No assignment is released yet: run `autograder release` first.")
    releases = [Release.load(course, name) for name in course.released()]
    told, _ = _forked(
        lambda: Told(assignment=assignment_of(read_notebook(raw), releases).assignment),
        settings.limits or Limits(),
    )
    return told.assignment


def grade_forked(grader: Grader, raw: bytes, job: Job = NOBODYS) -> Report:
    """Grade a notebook as `Grader.grade` does, in a forked process, from a single thread.

    Raises `ExaminerDied` if that doesn't finish, and `GraderFault` if the grader fails otherwise.
    If that was because somebody killed its warm process, it is tried once more.
    """

    def work() -> Told:
        return Told(report=grader.grade(raw, job))

    grader.prepare()
    try:
        return _report_of(grader, work)
    except GraderFault as error:
        if isinstance(error, ExaminerDied) or not grader.warm.has_ended():
            raise
    grader.prepare()
    return _report_of(grader, work)


def _report_of(grader: Grader, work: Callable[[], Told]) -> Report:
    found_by = grader.examiner.diagnosis.memory.found
    try:
        told, found = _forked(work, grader.limits, grader.student_seconds, found_by)
        if told.report is None:
            raise ExaminerDied("It sent no report.")
        grader.examiner.learn(told.report.exercises, found)
    except (ExaminerDied, ValidationError, WireError) as error:
        grader.warm.restart()  # a student's process may have outlived the one that examined it
        if isinstance(error, ExaminerDied):
            raise
        raise ExaminerDied("It sent no report.") from None
    return told.report


def _forked(
    work: Callable[[], Told],
    limits: Limits,
    student_seconds: float = 0,
    found: Callable[[], bytes] = bytes,
) -> tuple[Told, bytes]:
    """Return what `work` tells in a forked process, and what it `found`, or raise its error."""
    seconds = _PATIENCE * (student_seconds + limits.grader_seconds)
    try:
        return forked(work, limits, seconds, found)
    except bounded.Unfinished as why:
        allowed = f"{limits.grader_seconds:g} s of computing and {limits.grader_mb} MB are allowed"
        raise ExaminerDied(f"It could not be examined to the end: {why} ({allowed}).") from None


def forked(
    work: Callable[[], Told], limits: Limits, seconds: float, found: Callable[[], bytes]
) -> tuple[Told, bytes]:
    """Return the same, within so many `seconds` in all; raise `bounded.Unfinished` if nothing."""
    bounds = bounded.Bounds(seconds, limits.grader_seconds, limits.grader_mb, MAX_SENT, FILE_MB)
    answer = bounded.call(lambda: _told_by(work) + b"\n" + found(), bounds)
    line, _, rest = answer.partition(b"\n")
    told = Told.model_validate_json(line)
    if told.rejection:
        raise SubmissionError(told.rejection)
    if told.fault:
        raise GraderFault(told.fault)
    return told, rest


def _told_by(work: Callable[[], Told]) -> bytes:
    """Return what `work` tells, or the sentence of its error, as a line of JSON."""
    try:
        told = work()
    except MemoryError:  # a bound of this process was reached
        raise
    except Exception as error:
        is_ours = isinstance(error, AutograderError)
        sentence = str(error) if is_ours else f"{type(error).__name__}: {error}"
        sentence = sentence.encode(errors="replace").decode()
        is_rejection = isinstance(error, SubmissionError)
        told = Told(rejection=sentence) if is_rejection else Told(fault=sentence)
    return told.model_dump_json(by_alias=True).encode()


_graders: dict[str, tuple[Fingerprint, Grader]] = {}  # of this process, by assignment


def _grader(settings: Settings, assignment: str) -> Grader:
    """Return the grader of an assignment: the same until its settings or fingerprint change."""
    current = fingerprint(settings, assignment)
    if assignment in _graders:
        old, grader = _graders[assignment]
        if (old, grader.settings) == (current, settings):
            return grader
        grader.close()
    grader = Grader(settings, assignment, Core.number)
    Finalize(grader, grader.close, exitpriority=10)  # a worker process runs no `atexit`
    _graders[assignment] = current, grader
    return grader
