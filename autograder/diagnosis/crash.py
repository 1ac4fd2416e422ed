"""The step that looks at exceptions: tests that fail break off in one explained way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from autograder.diagnosis.case import Case, Check
from autograder.report import Misconception, Outcome
from autograder.testing.crashes import Explanation
from autograder.testing.failures import StudentRaised

# Exceptions for sizes that don't fit, under whichever step comes upon them first.
_SIZES = frozenset({"crash-shapes", "crash-broadcast", "crash-reshape"})
_NAME = re.compile(r"name '(\w{1,60})' is not defined")


def crash(case: Case) -> tuple[Misconception, ...]:
    """Name the kind of exception with which every test that fails breaks off."""
    raised = [error for test in case.failed if (error := _exception_of(test)) is not None]
    explained = [found for error in raised if (found := _explanation(error, case)) is not None]
    if not explained or len(explained) < len(case.failed):
        return ()
    tag = _tag_of(explained)
    if not tag:
        return ()
    every = "The check that fails" if len(raised) == 1 else "Every check that fails"
    places = {error.place for error in raised}
    if len(places) > 1:
        where = "with an error of the same kind"
    else:
        where = f"at {raised[0].place}" if raised[0].place else "with an error"
    told = next(each for each in explained if each.tag == tag)
    is_only = len({each.meaning for each in explained}) == 1
    first = "" if is_only else "The first one: " if told is explained[0] else "One of them: "
    return (Misconception(tag=tag, message=f"{every} breaks off {where}. {first}{told.meaning}"),)


def _tag_of(explained: Sequence[Explanation]) -> str:
    """Return the tag that all have; of several for sizes that don't fit, the most frequent."""
    tags = Counter(each.tag for each in explained)
    return tags.most_common(1)[0][0] if len(tags) == 1 or tags.keys() <= _SIZES else ""


def _explanation(error: StudentRaised, case: Case) -> Explanation | None:
    """Return what an exception means; a name that the module has as an attribute lacks `self`."""
    name = _NAME.search(error.detail)
    if name and name[1] in _attributes(case):
        return Explanation(
            "crash-missing-self",
            f"There is no `{name[1]}` here, though your module has an attribute of this name. "
            "What does a method write before the name of what belongs to its module?",
        )
    return error.explanation


def _attributes(case: Case) -> set[str]:
    """Return the attributes of the student's modules for which weights were set."""
    requests = [
        exchange.request
        for test in case.tests
        for exchange in test.finding.exchanges
        if exchange.request["op"] == "load" and "error" not in exchange.reply
    ]
    return {key.split(".")[0] for request in requests for key in request["state"]}


def _exception_of(test: Check) -> StudentRaised | None:
    """Return the exception that ended a test, unless it is no more than time, memory or a stub."""
    if test.finding.verdict.outcome is not Outcome.ERROR or not test.finding.exchanges:
        return None
    failure = test.finding.exchanges[-1].failure
    return failure if isinstance(failure, StudentRaised) else None
