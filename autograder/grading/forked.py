"""Grade a submission in a process of its own, with bounds on its time and memory.

It is forked from the process that keeps what is costly to make: the hidden tests, the warm process
and what suspects have replied. Only the forked one touches what a student wrote, and what the
student's process sends. If it comes to no end, that is its submission's problem alone.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import partial

from pydantic import ValidationError

from autograder.course import Course
from autograder.errors import AutograderError, ExaminerDied, GraderFault, SubmissionError
from autograder.grading.grader import Grader
from autograder.intake import submission
from autograder.intake.notebook import read_notebook
from autograder.intake.submission import Release
from autograder.report import Record, Report
from autograder.sandbox.limits import Limits
from autograder.sandbox.wire import WireError
from autograder.work import bounded

MAX_CONTENT = 32 << 20  # bytes of a report
MAX_NEWS = 64 << 20  # bytes of what suspects replied
_SIZE = struct.Struct("!Q")
_PATIENCE = 4  # times as many seconds may pass as may be computed


class _Outcome(Record):
    """What became of a submission: what was asked for, or the sentence of an error."""

    content: str = ""
    rejection: str = ""  # of a SubmissionError
    fault: str = ""  # of any other error


def grade(grader: Grader, raw: bytes, student: str = "") -> Report:
    """Grade the notebook file with the bytes `raw`, as `Grader.grade` does.

    The calling process must have a single thread. Raises `SubmissionError` if `raw` is not a
    notebook of this assignment, `ExaminerDied` if the process comes to no end within its bounds,
    and `GraderFault` if the grader fails otherwise.
    """
    grader.prepare()
    bounds = _bounds(grader.limits, grader.limits.notebook_seconds + grader.slow_seconds)
    try:
        answer = _called(partial(_graded, grader, raw, student), bounds)
        content, news = _content_of(answer)
        report = Report.model_validate_json(content)
        grader.learn(report, news)
    except (ExaminerDied, ValidationError, WireError) as error:
        grader.restart()  # a student's process may have outlived the one that examined it
        raise _death(error) from None
    return report


def assignment_of(raw: bytes, course: Course, limits: Limits) -> str:
    """Return which assignment the notebook file with the bytes `raw` is of.

    Raises `SubmissionError` if it is of none, and what `grade` raises otherwise.
    """
    if not course.released():
        raise SubmissionError("No assignment is released yet: run `autograder release` first.")
    releases = [Release.load(course, name) for name in course.released()]

    def found() -> bytes:
        return _packed(lambda: submission.assignment_of(read_notebook(raw), releases).assignment)

    return _content_of(_called(found, _bounds(limits)))[0]


def _graded(grader: Grader, raw: bytes, student: str) -> bytes:
    return _packed(lambda: grader.grade(raw, student).to_json()) + grader.news(MAX_NEWS)


def _packed(work: Callable[[], str]) -> bytes:
    """Return what came of `work`, and before it how many bytes that takes."""
    try:
        outcome = _Outcome(content=work())
    except SubmissionError as error:
        outcome = _Outcome(rejection=str(error))
    except AutograderError as error:
        outcome = _Outcome(fault=str(error))
    except MemoryError:  # a bound of this process was reached
        raise
    except Exception as error:
        outcome = _Outcome(fault=f"{type(error).__name__}: {error}")
    content = outcome.model_dump_json().encode()
    return _SIZE.pack(len(content)) + content


def _called(work: Callable[[], bytes], bounds: bounded.Bounds) -> bytes:
    try:
        return bounded.call(work, bounds)
    except bounded.Unfinished as why:
        allowed = f"{bounds.cpu_seconds:g} s of computing and {bounds.memory_mb} MB are allowed"
        raise ExaminerDied(f"It could not be examined to the end: {why} ({allowed}).") from None


def _content_of(answer: bytes) -> tuple[str, bytes]:
    """Return the content of an answer, and what follows it; raise the error that came instead."""
    (size,) = _SIZE.unpack_from(answer)
    end = _SIZE.size + size
    outcome = _Outcome.model_validate_json(answer[_SIZE.size : end])
    if outcome.rejection:
        raise SubmissionError(outcome.rejection)
    if outcome.fault:
        raise GraderFault(outcome.fault)
    return outcome.content, answer[end:]


def _death(error: Exception) -> ExaminerDied:
    return error if isinstance(error, ExaminerDied) else ExaminerDied("It sent no report.")


def _bounds(limits: Limits, student_seconds: float = 0) -> bounded.Bounds:
    return bounded.Bounds(
        seconds=_PATIENCE * (student_seconds + limits.grader_seconds),
        cpu_seconds=limits.grader_seconds,
        memory_mb=limits.grader_mb,
        max_bytes=MAX_CONTENT + MAX_NEWS,
    )
