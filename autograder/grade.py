"""The unit of work: the bytes of a notebook in, a report out.

It touches no gradebook and no file of the course but what it reads, so it can run anywhere; the
same notebook, tests and seed always give the same report.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import TracebackType

from autograder.attempt import Attempt
from autograder.course import Course
from autograder.errors import SubmissionError
from autograder.examination import Examiner, is_fault
from autograder.notebook import Cell, Kind, Notebook, read
from autograder.report import Report, WrittenAnswer
from autograder.rules import rules_of
from autograder.sandbox import kernel
from autograder.sandbox.isolation import Isolation
from autograder.sandbox.launch import WarmProcess
from autograder.sandbox.limits import Limits
from autograder.submission import Release, assignment_of, normalise, sha256


@dataclass(frozen=True)
class Settings:
    """What decides a report besides the submission, the release and the hidden tests."""

    course: Course
    isolation: Isolation
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    brief: bool = False  # leave out the hidden tests that need long, and their points


@dataclass
class Grader:
    """Grades notebooks of one assignment, one after the other, from one warm process."""

    settings: Settings
    assignment: str
    core: int | None = None  # to work on, if not on any

    def __enter__(self) -> Grader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the warm process, if there is one."""
        warm = self.__dict__.pop("_warm", None)
        if warm is not None:
            warm.close()

    @cached_property
    def release(self) -> Release:
        """What the students received."""
        return Release.load(self.settings.course, self.assignment)

    @cached_property
    def _rules(self) -> str:
        return rules_of(self.settings, self.assignment)

    @cached_property
    def _warm(self) -> WarmProcess:
        """The process that makes itself ready while the hidden tests are collected."""
        warm = WarmProcess(
            self.settings.isolation, self.settings.limits, preload=_imports(self.release)
        )
        if self.core is not None:
            kernel.stay_on_one_core(self.core)
        return warm

    @cached_property
    def _examiner(self) -> Examiner:
        given = [cell.source for cell in self.release.cells if cell.kind is Kind.SETUP]
        settings = self.settings
        return Examiner(settings.course, self.assignment, given, settings.seed, settings.brief)

    def grade(self, raw: bytes, student: str = "") -> Report:
        """Grade the notebook file with the bytes `raw`.

        Raises `SubmissionError` if it is not a notebook of this assignment.
        """
        return self.grade_notebook(read(raw), student, sha256(raw))

    def grade_notebook(self, notebook: Notebook, student: str = "", digest: str = "") -> Report:
        """Grade a notebook that was read already."""
        warm, limits = self._warm, self.settings.limits
        submission = normalise(notebook, self.release)
        seconds = limits.notebook_seconds + self._examiner.seconds
        attempt = Attempt(
            warm,
            submission,
            tuple(self.release.exercises),
            self._examiner.guarded,
            replace(limits, notebook_seconds=seconds),
        )
        try:
            reports = tuple(self._examiner.examine(attempt).values())
        finally:
            attempt.close()
        faults = [f"Grader fault: {v.message}" for r in reports for v in r.tests if is_fault(v)]
        return Report(
            assignment=self.assignment,
            student=student,
            score=sum(report.score for report in reports),
            max_score=sum(report.max_score for report in reports),
            exercises=reports,
            manual=tuple(
                WrittenAnswer(name=name, max_score=points)
                for name, points in self.release.written.items()
            ),
            warnings=(*submission.warnings, *attempt.warnings, *faults),
            cells=tuple(attempt.outputs.values()),
            isolation=self.settings.isolation,
            seed=self.settings.seed,
            notebook_sha256=digest,
            rules=self._rules,
        )


def check_file(path: Path, settings: Settings) -> Report:
    """Grade the notebook at `path`, whichever assignment of the course it is."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SubmissionError(f"The file can't be read ({error.strerror}).") from None
    course, notebook = settings.course, read(raw)
    releases = [Release.load(course, name) for name in course.released()]
    assignment = assignment_of(notebook, releases).assignment
    with Grader(settings, assignment) as grader:
        return grader.grade_notebook(notebook, digest=sha256(raw))


def _imports(release: Release) -> tuple[str, ...]:
    """Return the modules that the release's cells import: the warm process has them ready."""
    modules: dict[str, None] = {}
    for cell in release.cells:
        for node in ast.walk(_parsed(cell)):
            if isinstance(node, ast.Import):
                modules |= {alias.name: None for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                modules[node.module] = None
    return tuple(modules)


def _parsed(cell: Cell) -> ast.Module:
    try:
        return ast.parse(cell.source if cell.cell_type == "code" else "")
    except SyntaxError:  # a magic: what such a cell imports takes a little longer, no more
        return ast.parse("")
