"""The unit of work: the bytes of a notebook in, a report out.

It uses no gradebook and needs to write no file, so it can run anywhere; the same notebook, tests
and seed always give the same report.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from autograder.course.loading import hash_of
from autograder.diagnosis.diagnosis import Diagnosis
from autograder.diagnosis.memory import Memory, ReplyFile
from autograder.errors import within_sentence
from autograder.grading.dependencies import in_running_order
from autograder.grading.examiner import Examiner
from autograder.grading.fingerprint import Fingerprint, fingerprint
from autograder.grading.session import SandboxSession
from autograder.grading.settings import Settings
from autograder.grading.submissions import NOBODYS, Job
from autograder.grading.traps import traps_in
from autograder.grading.warming import needed_by_many, warm_process
from autograder.intake.notebook import read_notebook
from autograder.intake.release import Release
from autograder.intake.submission import normalise, sha256
from autograder.report import NOT_GRADED, ExerciseReport, Report, WrittenAnswer, totals
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.limits import Limits

LEARNS_AFTER = 5  # notebooks: to learn from the solution takes as long as it saves in five or more


@dataclass
class Grader(AbstractContextManager["Grader"]):
    """Grades notebooks of one assignment, one after the other, from one warm process."""

    settings: Settings
    assignment: str
    core: int | None = None  # the core to run on; None: any
    _prepared: int = 0  # how often it was

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if (warm := self.__dict__.pop("warm", None)) is not None:
            warm.close()

    @cached_property
    def release(self) -> Release:
        return Release.load(self.settings.course, self.assignment)

    @cached_property
    def limits(self) -> Limits:
        return self.settings.limits_on(self.assignment)

    @cached_property
    def _fingerprint(self) -> Fingerprint:
        return fingerprint(self.settings, self.assignment)

    @cached_property
    def warm(self) -> WarmProcess:
        """The warm process, which gets ready while the hidden tests are collected."""
        warm = warm_process(self.settings, self.release, needed_by_many(self.release))
        if self.core is not None:  # grader and student take turns, and share the core's caches
            cores = sorted(os.sched_getaffinity(0))
            with suppress(OSError):  # it only saves a quarter of the time
                os.sched_setaffinity(0, {cores[self.core % len(cores)]})
        return warm

    @property
    def student_seconds(self) -> float:
        """The seconds that a student's code may take: slow hidden tests have theirs on top."""
        return self.limits.notebook_seconds + self.examiner.tests.seconds

    def prepare(self) -> None:
        """Make what all submissions need, and have the warm process ready."""
        warm = self.warm
        if self._prepared == 0:
            _ = self._fingerprint  # of the course as it is before its tests are collected
            self.examiner.tests.collect()
        elif self._prepared == LEARNS_AFTER:
            self.examiner.learn_from_solution()
        self._prepared += 1
        warm.be_ready()

    @cached_property
    def examiner(self) -> Examiner:
        course, skip_slow = self.settings.course, self.settings.skip_slow
        setup = [cell.source for cell in self.release.setup]
        name = hash_of(repr(part).encode() for part in sorted(self._fingerprint.items()))
        kept = ReplyFile(course.work / "known_replies" / self.assignment / f"{name}.db")
        return Examiner(Diagnosis(course, self.assignment, setup, Memory(kept)), skip_slow)

    def grade(self, raw: bytes, job: Job = NOBODYS) -> Report:
        """Grade a notebook file; raise `SubmissionError` if it isn't one of this assignment.

        `job` says whose it is; the file that it names for its progress gets a line with the name of
        each exercise that has been examined.
        """
        submission = normalise(read_notebook(raw), self.release)
        cells = in_running_order(submission.cells)
        submission = replace(submission, cells=cells, is_early=job.is_early)
        warm = self.warm  # first: it gets ready while the hidden tests are collected
        limits = replace(self.limits, notebook_seconds=self.student_seconds)
        exercises, forbidden = tuple(self.release.exercises), self.examiner.tests.forbidden
        session = SandboxSession(warm, submission, exercises, forbidden, limits)
        with closing(session):
            found = self.examiner.examine(session, partial(_note, job.progress))
        reports, blank = tuple(found.values()), submission.blank_written(self.release)
        score, max_score = totals(reports)
        warnings = (
            *submission.warnings,
            *session.outputs.warnings,
            *_warnings(session, reports),
        )
        return Report(
            assignment=self.assignment,
            student=job.student,
            score=score,
            max_score=max_score,
            exercises=reports,
            manual=tuple(
                WrittenAnswer(name=name, max_score=most, is_blank=name in blank)
                for name, most in self.release.written.items()
            ),
            warnings=tuple(dict.fromkeys(warnings)),  # cells by the thousand may earn the same
            missing_modules=tuple(sorted(set(session.outputs.missing.values()))),
            cells=tuple(session.outputs.by_name.values()),
            isolation=self.settings.isolation,
            notebook_sha256=sha256(raw),
            fingerprint=self._fingerprint,
        )


def _note(progress: Path | None, exercise: str) -> None:
    if progress:
        with progress.open("a", encoding="utf-8") as file:
            file.write(f"{exercise}\n")


def _warnings(session: SandboxSession, reports: Sequence[ExerciseReport]) -> Iterator[str]:
    """Yield what else a student should know: what is bound again, missing, skipped, or a fault."""
    for name in session.exercises:
        if cell := session.dependencies.bound_later(name, name):
            where = within_sentence(cell.title)
            yield (
                f"`{name}` is defined again in {where}. It was graded as its own cell defines it: "
                "what you hand in as its answer belongs there."
            )
    for name in session.exercises:
        if not any(report.name == name for report in reports):
            why = "all of its hidden tests are slow, and those were skipped"
            yield f"`{name}` was not graded: {why}."
    if any(report.score < report.max_score for report in reports):
        for module in sorted(set(session.outputs.missing.values())):
            yield (
                f"The grader has no module `{module}`. If it is a file of yours, put its code into "
                "the notebook. If it isn't, do without it, or ask your instructor to install it: "
                "then this notebook is graded again."
            )
        yield from traps_in(session.submission.sources)
    for report in reports:
        if not report.is_graded:
            why = "a check of it could not be run. It costs you nothing"
            yield f"`{report.name}` is {NOT_GRADED}: {why}."
