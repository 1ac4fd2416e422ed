"""Examine a student's answers: hidden tests, then follow-through, then diagnosis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from autograder import hidden_tests, solution
from autograder.attempt import Attempt
from autograder.course import Course
from autograder.diagnosis import Diagnosis
from autograder.follow_through import Oracle
from autograder.hidden_tests import Finding
from autograder.report import ExerciseReport, Outcome, Verdict
from autograder.student import InProcess


@dataclass
class Examiner:
    """Examines answers to one assignment, one student after the other."""

    course: Course
    assignment: str
    given: Sequence[str]  # the assignment's setup cells
    seed: int
    brief: bool  # leave out the hidden tests that need long

    @cached_property
    def seconds(self) -> float:
        """How long hidden tests may take together beyond what every call may."""
        return hidden_tests.seconds_of(self.assignment)

    @cached_property
    def guarded(self) -> tuple[str, ...]:
        """Every built-in that some exercise forbids."""
        return hidden_tests.forbidden_of(self.assignment)

    def examine(self, attempt: Attempt) -> dict[str, ExerciseReport]:
        """Report on every exercise, in the order of the notebook."""
        findings = self._findings(attempt.exercises, attempt)
        reports: dict[str, ExerciseReport] = {}
        for name in attempt.exercises:
            found = findings[name]
            report = self._report(name, found)
            if _short(report) and (wrong := _wrong_before(name, found, reports, attempt)):
                attempt.follow_through(name, Oracle(self._solved(), wrong))
                found = self._findings([name], attempt)[name]
                report = _better(report, self._report(name, found))
            reports[name] = self._diagnosed(report, found)
        return reports

    def _findings(
        self, exercises: Iterable[str], attempt: Attempt
    ) -> dict[str, tuple[Finding, ...]]:
        return hidden_tests.examine(
            self.assignment, exercises, attempt.channel_of, self.seed, brief=self.brief
        )

    def _report(self, exercise: str, findings: tuple[Finding, ...]) -> ExerciseReport:
        verdicts = tuple(found.verdict for found in findings)
        if any(map(is_fault, verdicts)):
            verdicts = self._settled(exercise, verdicts)
        return ExerciseReport.of(exercise, verdicts)

    def _settled(self, exercise: str, verdicts: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
        """Say whose fault it is that a hidden test raised: ours, if it does on the solution too."""
        ours = {v.name for v in self._verdicts_on_solution[exercise] if is_fault(v)}
        return tuple(_blame(v, v.name in ours) if is_fault(v) else v for v in verdicts)

    def _diagnosed(self, report: ExerciseReport, findings: Iterable[Finding]) -> ExerciseReport:
        if report.outcome in (Outcome.PASSED, Outcome.NOT_ATTEMPTED):
            return report
        named = self._diagnosis.of(report.name, findings)
        return report.model_copy(update={"misconceptions": named})

    @cached_property
    def _diagnosis(self) -> Diagnosis:
        return Diagnosis(self.assignment, self.given)

    @cached_property
    def _solution(self) -> tuple[str, ...]:
        return tuple(solution.sources(self.course, self.assignment).values())

    def _solved(self) -> InProcess:
        return InProcess(self._solution)

    @cached_property
    def _verdicts_on_solution(self) -> dict[str, tuple[Verdict, ...]]:
        names, channel = hidden_tests.points_of(self.assignment), self._solved()
        return hidden_tests.run(
            self.assignment, names, lambda _: channel, self.seed, brief=self.brief
        )


def _wrong_before(
    exercise: str,
    findings: Iterable[Finding],
    reports: Mapping[str, ExerciseReport],
    attempt: Attempt,
) -> tuple[str, ...]:
    """Return the earlier exercises that are wrong and that `exercise`, or a test of it, uses."""
    used = attempt.dependencies
    called = {e.name for found in findings for e in found.exchanges} & used.keys()
    needed = used[exercise].union(called, *(used[other] for other in called))
    return tuple(name for name, report in reports.items() if name in needed and _short(report))


def is_fault(verdict: Verdict) -> bool:
    """Tell whether a hidden test failed by the grader's fault."""
    return verdict.outcome is Outcome.GRADER_ERROR


def _short(report: ExerciseReport) -> bool:
    return report.score < report.max_score


def _better(report: ExerciseReport, followed: ExerciseReport) -> ExerciseReport:
    if followed.score <= report.score:
        return report
    return followed.model_copy(update={"followed_through": True})


def _blame(verdict: Verdict, ours: bool) -> Verdict:
    """A fault of ours costs no points; a value that no test can work with is the student's."""
    update = {"score": verdict.max_score} if ours else {"outcome": Outcome.ERROR}
    return verdict.model_copy(update=update)
