"""The step that looks at exceptions: all tests that fail break off in one explained way."""

from __future__ import annotations

from autograder.diagnosis.case import Case, Check
from autograder.report import Misconception, Outcome
from autograder.testing.failures import StudentRaised


def crash(case: Case) -> tuple[Misconception, ...]:
    """Name the kind of exception with which every test that fails breaks off."""
    raised = [error for test in case.failed if (error := _exception_of(test)) is not None]
    explained = [error.explanation for error in raised if error.explanation is not None]
    tags = {explanation.tag for explanation in explained}
    if not explained or len(explained) < len(case.failed) or len(tags) > 1:
        return ()
    every = "The check that fails" if len(raised) == 1 else "Every check that fails"
    places = {error.place for error in raised}
    if len(places) > 1:
        where = "with an error of the same kind"
    else:
        where = f"at {raised[0].place}" if raised[0].place else "with an error"
    first = "" if len({each.meaning for each in explained}) == 1 else "The first one: "
    message = f"{every} breaks off {where}. {first}{explained[0].meaning}"
    return (Misconception(tag=explained[0].tag, message=message),)


def _exception_of(test: Check) -> StudentRaised | None:
    """Return the exception that ended a test, unless it is no more than time, memory or a stub."""
    if test.finding.verdict.outcome is not Outcome.ERROR or not test.finding.exchanges:
        return None
    failure = test.finding.exchanges[-1].failure
    return failure if isinstance(failure, StudentRaised) else None
