"""Grade one submission in a worker process, which keeps its graders for later submissions."""

from __future__ import annotations

import ast
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, replace
from multiprocessing.util import Finalize
from pathlib import Path

from autograder.course import Course
from autograder.course.loading import modules_imported
from autograder.errors import GraderFault, SubmissionError, shown
from autograder.grading import forked
from autograder.grading.fingerprint import Fingerprint, fingerprint
from autograder.grading.grader import Grader
from autograder.grading.settings import Settings
from autograder.intake.notebook import read_file, read_submitted
from autograder.report import Report
from autograder.sandbox.host.probe import strongest, works
from autograder.sandbox.limits import Isolation, Limits
from autograder.work.processes import Core, call_beside

_ONE_AT_A_TIME = threading.Lock()
MAX_NAMED = 5  # of files that may be meant


@dataclass(frozen=True)
class Job:
    """One submission to grade."""

    student: str
    assignment: str
    path: Path

    def read(self) -> bytes:
        """Return the bytes of the notebook; raise `SubmissionError` if it can't be read."""
        try:
            return read_submitted(self.path)
        except OSError as error:
            names = sorted(other.name for other in self.path.parent.glob("*.ipynb"))
            others = ", ".join(map(shown, names[:MAX_NAMED]))
            hint = f"rename {others}" if others else error.strerror
            name = self.path.name
            raise SubmissionError(f"{name} can't be read: {hint}.") from None


@dataclass(frozen=True)
class Graded:
    """The result of a job: a report, or the reason why there is none."""

    job: Job
    report: Report | None = None
    rejection: str = ""  # the file is not a submission: its author has to hand in another
    fault: str = ""  # the grader failed: the next run tries again

    def summary(self) -> Graded:
        """Return a copy without what the class table doesn't show: classes are large.

        Of the hidden tests, those remain that could not be run.
        """
        if self.report is None:
            return self
        exercises = tuple(
            each.model_copy(update={"tests": each.faults}) for each in self.report.exercises
        )
        update = {"exercises": exercises, "cells": (), "fingerprint": {}}
        return replace(self, report=self.report.model_copy(update=update))


def grade_one(job: Job, settings: Settings) -> Graded:
    """Grade one submission, at the strongest isolation that works if need be.

    This process must have a single thread; the submission gets a process of its own.
    """
    if not _ONE_AT_A_TIME.acquire(blocking=False):
        raise GraderFault(
            "A worker grades one submission at a time: start it with a single thread."
        )
    try:
        if not works(settings.isolation) and settings.isolation is not Isolation.UNSAFE:
            settings = replace(settings, isolation=strongest())
        grader = _grader(settings, job.assignment)
        return Graded(job, forked.grade(grader, job.read(), job.student))
    except SubmissionError as error:
        return Graded(job, rejection=str(error))
    finally:
        _ONE_AT_A_TIME.release()


def check_file(path: Path, settings: Settings) -> Report:
    """Grade the notebook at `path`, which may be of any assignment of the course."""
    try:
        raw = read_file(path)
    except OSError as error:
        raise SubmissionError(f"The file can't be read ({error.strerror}).") from None
    return grade_alone(raw, settings)


def grade_alone(raw: bytes, settings: Settings, assignment: str = "") -> Report:
    """Grade a notebook file of `assignment`, or of any assignment of the course if none is given.

    Nothing is stored. Raises `SubmissionError` if it isn't a notebook of it, and `GraderFault` if
    the grader fails.
    """
    try:
        return call_beside(_grade_bytes, raw, settings, assignment)
    except BrokenExecutor:
        raise GraderFault("The process that graded it was killed: try again.") from None


def _grade_bytes(raw: bytes, settings: Settings, assignment: str) -> Report:
    if not assignment:
        assignment = forked.assignment_of(raw, settings.course, settings.limits or Limits())
    return forked.grade(_grader(settings, assignment), raw)


def modules_to_import(course: Course, assignments: Iterable[str]) -> set[str]:
    """Return the modules that graders of `assignments` import: ours, and those of hidden tests."""
    folders = [course.exercises / name for name in assignments]
    files = [course.exercises / "conftest.py", *(folder / "conftest.py" for folder in folders)]
    for folder in folders:
        files += folder.glob("hidden_tests/*.py")
    return {__name__, *(name for path in files if path.is_file() for name in _imported_by(path))}


def _imported_by(path: Path) -> Iterator[str]:
    try:
        body = ast.parse(path.read_text("utf-8")).body
    except (SyntaxError, ValueError):  # reported when the file is imported
        return
    for statement in body:
        yield from modules_imported(statement)


_graders: dict[str, tuple[Settings, Fingerprint, Grader]] = {}  # of this process, by assignment


def _grader(settings: Settings, assignment: str) -> Grader:
    """Return the grader of an assignment: the same until its settings or fingerprint change."""
    current = fingerprint(settings, assignment)
    if assignment in _graders:
        old_settings, old_fingerprint, grader = _graders[assignment]
        if old_settings == settings and old_fingerprint == current:
            return grader
        grader.close()
    grader = Grader(settings, assignment, Core.number)
    Finalize(grader, grader.close, exitpriority=10)  # a worker process runs no `atexit`
    _graders[assignment] = (settings, current, grader)
    return grader
