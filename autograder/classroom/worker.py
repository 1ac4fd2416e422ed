"""One submission, graded in a worker's process, by graders that serve one after the other."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from multiprocessing.util import Finalize
from pathlib import Path
from typing import ClassVar

from autograder.errors import GraderFault, SubmissionError
from autograder.grading.fingerprint import Fingerprint, fingerprint
from autograder.grading.grader import Grader
from autograder.grading.settings import Settings
from autograder.intake.notebook import read_file
from autograder.report import Report
from autograder.sandbox.host.probe import strongest, works
from autograder.sandbox.isolation import Isolation

_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class Job:
    """One submission to grade."""

    student: str
    assignment: str
    path: Path

    def read(self) -> bytes:
        """Return what was handed in; raise `SubmissionError` if there is nothing."""
        try:
            return read_file(self.path)
        except OSError as error:
            others = ", ".join(sorted(other.name for other in self.path.parent.glob("*.ipynb")))
            hint = f"rename {others}" if others else error.strerror
            name = self.path.name
            raise SubmissionError(f"There is no file {name} to read: {hint}.") from None


@dataclass(frozen=True)
class Graded:
    """What became of a job: a report, or the reason why there is none."""

    job: Job
    report: Report | None = None
    rejection: str = ""  # the file is no submission: its author has to hand in another
    fault: str = ""  # we failed: the next run tries again

    def summary(self) -> Graded:
        """Return this without what a table of the class does not show: classes are large."""
        if self.report is None:
            return self
        exercises = tuple(each.model_copy(update={"tests": ()}) for each in self.report.exercises)
        return replace(
            self, report=self.report.model_copy(update={"exercises": exercises, "cells": ()})
        )


def grade_one(job: Job, settings: Settings) -> Graded:
    """Grade one submission in this process; confine it as this machine can."""
    if not _ONE_AT_A_TIME.acquire(blocking=False):
        raise GraderFault("A worker grades one submission at a time: give it a single thread.")
    try:
        return _graded(job, settings)
    finally:
        _ONE_AT_A_TIME.release()


def _graded(job: Job, settings: Settings) -> Graded:
    if not works(settings.isolation) and settings.isolation is not Isolation.UNSAFE:
        settings = replace(settings, isolation=strongest())
    try:
        grader = _Graders.get(settings, job.assignment)
        return Graded(job, grader.grade(job.read(), job.student))
    except SubmissionError as error:
        return Graded(job, rejection=str(error))


class Core:
    """The core that this process works on, if it is a worker with one of its own."""

    number: int | None = None


class _Graders:
    """The graders of this process: one an assignment, as long as nothing that decides changes."""

    _kept: ClassVar[dict[str, tuple[Settings, Fingerprint, Grader]]] = {}

    @classmethod
    def get(cls, settings: Settings, assignment: str) -> Grader:
        current = fingerprint(settings, assignment)
        if assignment in cls._kept:
            known, made_by, grader = cls._kept[assignment]
            if known == settings and made_by == current:
                return grader
            grader.close()
        grader = Grader(settings, assignment, Core.number)
        Finalize(grader, grader.close, exitpriority=10)  # a worker process runs no `atexit`
        cls._kept[assignment] = (settings, current, grader)
        return grader
