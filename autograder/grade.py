"""The unit of work: the bytes of a notebook in, a report out.

It touches no gradebook and no file of the course but what it reads, so it can run anywhere; the
same notebook, tests and seed always give the same report.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import TracebackType

from autograder import hidden_tests
from autograder.attempt import Attempt
from autograder.course import Course
from autograder.diagnosis import Diagnosis
from autograder.errors import SubmissionError
from autograder.hidden_tests import Finding
from autograder.notebook import Kind, Notebook, read
from autograder.report import ExerciseReport, Outcome, Report, Verdict, WrittenAnswer
from autograder.sandbox.isolation import Isolation
from autograder.sandbox.launch import WarmProcess
from autograder.sandbox.limits import Limits
from autograder.student import InProcess
from autograder.submission import Release, assignment_of, normalise, sha256


@dataclass(frozen=True)
class Settings:
    """What decides a report besides the submission, the release and the hidden tests."""

    course: Course
    isolation: Isolation
    seed: int = 0
    limits: Limits = field(default_factory=Limits)


@dataclass
class Grader:
    """Grades notebooks of one assignment, one after the other, from one warm process."""

    settings: Settings
    assignment: str

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
    def _warm(self) -> WarmProcess:
        return WarmProcess(
            self.settings.isolation, self.settings.limits, preload=_imports(self.release)
        )

    @cached_property
    def _guarded(self) -> tuple[str, ...]:
        return hidden_tests.forbidden_of(self.assignment)

    def grade(self, raw: bytes, student: str = "") -> Report:
        """Grade the notebook file with the bytes `raw`.

        Raises `SubmissionError` if it is not a notebook of this assignment.
        """
        return self.grade_notebook(read(raw), student, sha256(raw))

    def grade_notebook(self, notebook: Notebook, student: str = "", digest: str = "") -> Report:
        """Grade a notebook that was read already."""
        submission = normalise(notebook, self.release)
        exercises = tuple(self.release.exercises)
        attempt = Attempt(self._warm, submission, exercises, self._guarded, self.settings.limits)
        try:
            findings = hidden_tests.examine(
                self.assignment, exercises, attempt.channel_of, self.settings.seed
            )
        finally:
            attempt.close()
        reports = [self._report_on(name, findings[name]) for name in exercises]
        faults = [f"Grader fault: {v.message}" for r in reports for v in r.tests if _is_fault(v)]
        return Report(
            assignment=self.assignment,
            student=student,
            score=sum(report.score for report in reports),
            max_score=sum(report.max_score for report in reports),
            exercises=tuple(reports),
            manual=tuple(
                WrittenAnswer(name=name, max_score=points)
                for name, points in self.release.written.items()
            ),
            warnings=(*submission.warnings, *attempt.warnings, *faults),
            cells=tuple(attempt.outputs.values()),
            isolation=self.settings.isolation,
            seed=self.settings.seed,
            notebook_sha256=digest,
        )

    def _report_on(self, exercise: str, findings: tuple[Finding, ...]) -> ExerciseReport:
        verdicts = self._settled(exercise, tuple(found.verdict for found in findings))
        report = ExerciseReport.of(exercise, verdicts)
        if report.outcome in (Outcome.PASSED, Outcome.NOT_ATTEMPTED):
            return report
        asked = [exchange for found in findings for exchange in found.exchanges]
        named = self._diagnosis.of(exercise, asked)
        return report.model_copy(update={"misconceptions": named})

    def _settled(self, exercise: str, verdicts: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
        """Say whose fault it is that a hidden test raised: ours, if it does on the solution too."""
        if not any(map(_is_fault, verdicts)):
            return verdicts
        ours = {v.name for v in self._verdicts_on_solution[exercise] if _is_fault(v)}
        return tuple(_blame(v, v.name in ours) if _is_fault(v) else v for v in verdicts)

    @cached_property
    def _diagnosis(self) -> Diagnosis:
        given = [cell.source for cell in self.release.cells if cell.kind is Kind.SETUP]
        return Diagnosis(self.assignment, given)

    @cached_property
    def _verdicts_on_solution(self) -> dict[str, tuple[Verdict, ...]]:
        from autograder import solution  # here: a fault is rare, and jupytext slow to import

        solved = solution.sources(self.settings.course, self.assignment)
        channel = InProcess(solved.values(), self._guarded)
        try:
            return hidden_tests.run(
                self.assignment,
                self.release.exercises,
                lambda exercise: channel,
                self.settings.seed,
            )
        finally:
            channel.close()


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


def _is_fault(verdict: Verdict) -> bool:
    return verdict.outcome is Outcome.GRADER_ERROR


def _blame(verdict: Verdict, ours: bool) -> Verdict:
    """A fault of ours costs no points; a value that no test can work with is the student's."""
    update = {"score": verdict.max_score} if ours else {"outcome": Outcome.ERROR}
    return verdict.model_copy(update=update)


def _imports(release: Release) -> tuple[str, ...]:
    """Return the modules that the given cells import: the warm process has them ready."""
    modules: dict[str, None] = {}
    for cell in release.cells:
        if cell.kind is Kind.SETUP:
            for node in ast.walk(ast.parse(cell.source)):
                if isinstance(node, ast.Import):
                    modules |= {alias.name: None for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module:
                    modules[node.module] = None
    return tuple(modules)
