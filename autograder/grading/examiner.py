"""Examine a student's answers: hidden tests, then follow-through, then diagnosis."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from autograder.diagnosis.case import Finding
from autograder.diagnosis.diagnosis import Diagnosis
from autograder.grading.containers import found_in_containers, is_repaired
from autograder.grading.follow_through import Oracle
from autograder.grading.hidden_tests import HiddenTests
from autograder.grading.one_change import (
    MAX_GUESSES,
    MAX_SECONDS,
    Failing,
    breaks_off,
    proven_change,
    spared,
)
from autograder.grading.session import SandboxSession
from autograder.report import (
    NOT_GRADED,
    ONE_CHANGE,
    ExerciseReport,
    Misconception,
    Outcome,
    Verdict,
)
from autograder.sandbox.host.in_process import InProcess

FAULT = f"This check could not be run, so the exercise is {NOT_GRADED}. It costs you nothing."


@dataclass
class Examiner:
    diagnosis: Diagnosis  # of answers to the same assignment
    skip_slow: bool = False  # leave out slow hidden tests

    @cached_property
    def tests(self) -> HiddenTests:
        return HiddenTests(self.diagnosis.course, self.diagnosis.assignment)

    def learn_from_solution(self) -> None:
        """Make what examining a right answer takes, which then takes no time."""
        self.tests.learn(self._solution_channel(), self.diagnosis.course.seed)

    def learn(self, reports: Iterable[ExerciseReport], found: bytes) -> None:
        """Learn what the memory of a forked examiner `found`, and load the suspects that it needed.

        Raises `WireError` if `found` isn't what a memory gives.
        """
        for report in reports:
            if _needs_diagnosis(report):
                self.diagnosis.suspects_of(report.name)
        self.diagnosis.memory.learn(found)

    def examine(
        self, session: SandboxSession, announce: Callable[[str], None] = lambda name: None
    ) -> dict[str, ExerciseReport]:
        """Examine each exercise, and `announce` it when that is done for the first time."""
        reports: dict[str, ExerciseReport] = {}
        postponed: dict[str, tuple[Finding, ...]] = {}
        failing: dict[str, Failing] = {}
        for name in session.exercises:
            raw, found = self._findings_in_containers(name, session)
            announce(name)
            if not found:  # all of its tests are slow and were skipped
                continue
            reports[name] = self._report(name, found)
            failing[name] = Failing.of(found)
            if _uses_wrong(name, found, reports, session):
                postponed[name] = found
            else:
                reports[name] = self._diagnosed(reports[name], raw, found)
        if postponed:
            self._follow_through(postponed, reports, session)
        session.finish()
        if not session.outputs.missing:  # a module that the grader lacks is no slip
            last = time.process_time() + MAX_SECONDS
            for name, report in reports.items():
                if self._may_be_nearly_right(report):
                    left = max(0.0, last - time.process_time())
                    reports[name] = self._with_change(report, session, failing[name], left)
        if session.submission.is_early:
            return self._with_later(reports, session.exercises)
        return reports

    def _with_later(
        self, reports: Mapping[str, ExerciseReport], exercises: Iterable[str]
    ) -> dict[str, ExerciseReport]:
        """Return the reports with what stands for tests that wait."""
        return {
            name: known.with_tests((*known.tests, *later))
            for name in exercises
            if (later := self.tests.later(name)) or name in reports
            for known in [reports.get(name, ExerciseReport.of(name, ()))]
        }

    def _follow_through(
        self,
        first: Mapping[str, tuple[Finding, ...]],
        reports: dict[str, ExerciseReport],
        session: SandboxSession,
    ) -> None:
        """Examine exercises again, with right ones in the place of wrong ones.

        `first` is what was found of each before.
        """
        oracle = Oracle(self._solution_channel())
        with session.with_oracle(oracle, first.keys()) as again:
            for name, report in list(reports.items()):
                if name in first:
                    raw, found = self._findings_in_containers(name, again)
                    followed = self._report(name, found)
                    if followed.score > report.score and _is_the_same(first[name], found):
                        report = followed.model_copy(update={"followed_through": True})
                    reports[name] = self._diagnosed(report, raw, found)
                if not _is_full(report) and oracle.can_answer(name):
                    oracle.names += (name,)

    def _diagnosed(
        self, report: ExerciseReport, raw: tuple[Finding, ...], found: tuple[Finding, ...]
    ) -> ExerciseReport:
        """Return the report with the mistakes that explain `raw`, and what is `found` repaired.

        A slip costs the points of its own idea, if the report is of what is explained.
        """
        if not _needs_diagnosis(report):
            return report
        named = self.diagnosis.of(report.name, raw)
        if found is raw and report.tests == tuple(each.verdict for each in raw):
            slip = self.diagnosis.slip(report.name, named, raw)
            verdicts = slip.spares(report.tests, self.tests.ideas[report.name])
            report = report.with_tests(verdicts)
        left = self.diagnosis.unexplained(report.name, named, raw)
        is_explained = named and left == ()
        if found is not raw and not is_explained:
            # what still fails, whatever the container, has causes of its own
            rest = [each for each in found if not is_repaired(each)]
            others = self.diagnosis.of(report.name, rest)
            left = self.diagnosis.unexplained(report.name, others, rest)
            if not named:
                repaired = (each.verdict.name for each in found if is_repaired(each))
                left = (*(left or ()), *repaired)
            named = tuple({each.tag: each for each in (*named, *others)}.values())
        return report.model_copy(update={"misconceptions": named, "unexplained": left or ()})

    def _may_be_nearly_right(self, report: ExerciseReport) -> bool:
        """Tell whether to look for a change: nothing is named, or an exception costs too much."""
        outcomes = {verdict.outcome for verdict in report.tests}
        if not (_needs_diagnosis(report) and report.max_score) or report.followed_through:
            return False
        if outcomes & {Outcome.TIMEOUT, Outcome.MEMORY, Outcome.GRADER_ERROR}:
            return False
        return not report.misconceptions or self._spared(report) != report

    def _spared(self, report: ExerciseReport) -> ExerciseReport:
        """Return the report as it would be of an answer that one change makes right."""
        if not breaks_off(report.tests):
            return report
        own = self.diagnosis.ideas_of(report.name, report.misconceptions)
        return report.with_tests(spared(report.tests, self.tests.ideas[report.name], own))

    def _with_change(
        self, report: ExerciseReport, session: SandboxSession, failing: Failing, seconds: float
    ) -> ExerciseReport:
        """Return the report with the one change that makes the answer right, if there is any.

        To find it, so many `seconds` may be computed here, and as many by the student's code.
        What breaks off shows nothing of what is right in an answer: its slip costs one idea.
        """
        examine = self._examination(report.name, session)
        helping = proven_change(session, report.name, failing, examine, seconds, self.skip_slow)
        if helping is None:
            return report
        if helping.guesses <= MAX_GUESSES:
            report = self._spared(report)
        if not all(each.tag.startswith("crash-") for each in report.misconceptions):
            return report
        change = helping.change
        told = Misconception(tag=f"{ONE_CHANGE}{change.kind}", message=change.told)
        failed = [each for each in report.tests if each.score < each.max_score]
        # of what the checks say, the first is a fact to begin with, and the rest the same again
        fact = min(failed, key=lambda each: each.outcome is not Outcome.ERROR).name
        return report.model_copy(
            update={
                "misconceptions": (*report.misconceptions, told),
                "unexplained": () if report.misconceptions else (fact,),
            }
        )

    def _findings_in_containers(
        self, name: str, session: SandboxSession
    ) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
        """Return what hidden tests find, and the same if a wrong container costs points once."""
        return found_in_containers(
            partial(self._examination(name, session), skip_slow=self.skip_slow),
            partial(session.channel_of, name),
            right=lambda: self.diagnosis.suspects_of(name)[0],
            solution=self._solution_channel,
        )

    def _examination(
        self, name: str, session: SandboxSession
    ) -> Callable[..., tuple[Finding, ...]]:
        """Return what runs the hidden tests of an exercise on a channel to an answer."""
        return partial(
            self.tests.examine,
            name,
            seed=self.diagnosis.course.seed,
            is_early=session.submission.is_early,
        )

    def _report(self, exercise: str, findings: tuple[Finding, ...]) -> ExerciseReport:
        """Sum up; a hidden test's own exception is laid on us if it raises on the solution too.

        So is a name that a hidden test calls and the solution doesn't have.
        """
        verdicts = tuple(found.verdict for found in findings)
        if any(map(_is_fault, verdicts)):
            channel = self._solution_channel()
            rights = self.tests.examine(
                exercise, lambda: channel, self.diagnosis.course.seed, skip_slow=self.skip_slow
            )
            found = (each.verdict for each in rights)
            ours = {verdict.name: verdict for verdict in found if _is_fault(verdict)}
            verdicts = tuple(
                _attributed(v, ours.get(v.name)) if _is_fault(v) else v for v in verdicts
            )
        verdicts = tuple(
            _laid_on_us(verdict, f"It calls `{name}`, which the solution doesn't have.")
            if (name := self._unknown_name(found))
            else verdict
            for verdict, found in zip(verdicts, findings, strict=True)
        )
        return ExerciseReport.of(exercise, verdicts)

    def _unknown_name(self, found: Finding) -> str:
        """Return the name with which a test broke off, if the solution has none like it, or ""."""
        last = found.exchanges[-1] if found.exchanges else None
        if last is None or last.failure is None or last.request["op"] != "call":
            return ""
        name: str = last.request["name"]
        return "" if name in self.diagnosis.solved else name

    def _solution_channel(self) -> InProcess:
        """Return a channel of its own, on which nobody reaches a module made for another."""
        folder = self.diagnosis.course.solutions / self.diagnosis.assignment
        return InProcess((), namespace=dict(self.diagnosis.solved), folder=folder)


def _uses_wrong(
    exercise: str,
    findings: Iterable[Finding],
    reports: Mapping[str, ExerciseReport],
    session: SandboxSession,
) -> bool:
    """Tell whether `exercise` lost points, and it, or a test of it, uses others that did."""
    called = {exchange.name for found in findings for exchange in found.exchanges}
    needed = session.dependencies.exercises_of(exercise, called)
    return not _is_full(reports[exercise]) and any(
        not _is_full(report) for name, report in reports.items() if name in needed
    )


def _is_the_same(first: Sequence[Finding], again: Sequence[Finding]) -> bool:
    """Tell whether an answer that calls right ones still does right what it did before.

    One that doesn't is another answer, as it may see who answers it: it gets no second try. A time
    limit tells nothing, since right ones that are called from outside are slower.
    """
    return not any(
        before.passed and now.verdict.outcome in (Outcome.FAILED, Outcome.ERROR)
        for before, now in zip(first, again, strict=True)
    )


def _is_full(report: ExerciseReport) -> bool:
    return report.score >= report.max_score


def _is_fault(verdict: Verdict) -> bool:
    return verdict.outcome is Outcome.GRADER_ERROR


def _needs_diagnosis(report: ExerciseReport) -> bool:
    return report.outcome not in (Outcome.PASSED, Outcome.NOT_ATTEMPTED)


def _attributed(verdict: Verdict, ours: Verdict | None) -> Verdict:
    """Return the verdict: our fault costs no points, a value that no test can use is an error.

    `ours` is the test's verdict on the solution, if it fails there too, with that traceback.
    """
    if ours is None:
        return verdict.model_copy(update={"outcome": Outcome.ERROR, "fault": ""})
    return _laid_on_us(verdict, ours.fault)


def _laid_on_us(verdict: Verdict, fault: str) -> Verdict:
    """Return the verdict of a test that could not be run, which costs no points."""
    return verdict.model_copy(
        update={
            "outcome": Outcome.GRADER_ERROR,
            "score": verdict.max_score,
            "message": FAULT,
            "fault": fault,
        }
    )
