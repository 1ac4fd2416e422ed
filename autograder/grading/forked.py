"""Grade a submission in a process of its own, with bounds on its time and memory.

It is forked from the process that keeps what is costly to make: the hidden tests, the warm process
and what suspects have replied. Only the forked one touches what a student wrote, and what the
student's process sends. If it never finishes, only its submission is affected.
"""

import struct
from collections.abc import Callable
from enum import IntEnum

from pydantic import ValidationError

from autograder.course import Course
from autograder.errors import AutograderError, ExaminerDied, GraderFault, SubmissionError
from autograder.grading.grader import Grader
from autograder.intake import submission
from autograder.intake.notebook import read_notebook
from autograder.intake.submission import Release
from autograder.report import Report
from autograder.sandbox.limits import Limits
from autograder.sandbox.wire import MAX_FRAME, WireError
from autograder.work import bounded

MAX_SENT = (32 << 20) + MAX_FRAME  # bytes of a report, and of what suspects replied
_HEAD = struct.Struct("!BQ")  # what is sent, and how many bytes it takes
_PATIENCE = 4  # times as many seconds may pass as may be computed


class _Sent(IntEnum):
    """What the forked process sends: the result, or the sentence of an error."""

    RESULT = 0
    REJECTION = 1  # of a SubmissionError
    FAULT = 2  # of any other error


def grade(grader: Grader, raw: bytes, student: str = "") -> Report:
    """Grade the notebook file with the bytes `raw`, as `Grader.grade` does.

    The calling process must have a single thread. Raises `SubmissionError` if `raw` is not a
    notebook of this assignment, `ExaminerDied` if the process doesn't finish within its bounds,
    and `GraderFault` if the grader fails otherwise.
    """
    grader.prepare()

    def graded() -> bytes:
        report = _sent(lambda: grader.grade(raw, student).to_json())
        return report + grader.examiner.memory.found()

    try:
        content, found = _received(graded, grader.limits, grader.student_seconds)
        report = Report.model_validate_json(content)
        grader.examiner.learn(report.exercises, found)
    except (ExaminerDied, ValidationError, WireError) as error:
        grader.restart()  # a student's process may have outlived the one that examined it
        if isinstance(error, ExaminerDied):
            raise
        raise ExaminerDied("It sent no report.") from None
    return report


def assignment_of(raw: bytes, course: Course, limits: Limits) -> str:
    """Return which assignment the notebook file with the bytes `raw` is of.

    Raises `SubmissionError` if it is of none, and what `grade` raises otherwise.
    """
    if not course.released():
        raise SubmissionError("No assignment is released yet: run `autograder release` first.")
    releases = [Release.load(course, name) for name in course.released()]

    def found() -> bytes:
        return _sent(lambda: submission.assignment_of(read_notebook(raw), releases).assignment)

    return _received(found, limits)[0].decode()


def _sent(work: Callable[[], str]) -> bytes:
    """Return the result of `work`, or the sentence of its error, after a head that says which."""
    try:
        kind, content = _Sent.RESULT, work()
    except SubmissionError as error:
        kind, content = _Sent.REJECTION, str(error)
    except AutograderError as error:
        kind, content = _Sent.FAULT, str(error)
    except MemoryError:  # a bound of this process was reached
        raise
    except Exception as error:
        kind, content = _Sent.FAULT, f"{type(error).__name__}: {error}"
    encoded = content.encode(errors="replace")
    return _HEAD.pack(kind, len(encoded)) + encoded


def _received(
    work: Callable[[], bytes], limits: Limits, student_seconds: float = 0
) -> tuple[bytes, bytes]:
    """Return what `work` has sent from a forked process, and what follows it.

    Raises the error that came instead; `student_seconds` are those that a student's code may take.
    """
    bounds = bounded.Bounds(
        seconds=_PATIENCE * (student_seconds + limits.grader_seconds),
        cpu_seconds=limits.grader_seconds,
        memory_mb=limits.grader_mb,
        max_bytes=MAX_SENT,
    )
    try:
        answer = bounded.call(work, bounds)
    except bounded.Unfinished as why:
        allowed = f"{bounds.cpu_seconds:g} s of computing and {bounds.memory_mb} MB are allowed"
        raise ExaminerDied(f"It could not be examined to the end: {why} ({allowed}).") from None
    kind, size = _HEAD.unpack_from(answer)
    end = _HEAD.size + size
    content = answer[_HEAD.size : end]
    if kind == _Sent.REJECTION:
        raise SubmissionError(content.decode())
    if kind == _Sent.FAULT:
        raise GraderFault(content.decode())
    return content, answer[end:]
