"""The step that compares with a right answer alone, whatever the exercise."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.diagnosis.calls import Calls
from autograder.diagnosis.case import Case
from autograder.diagnosis.observed import Observed
from autograder.diagnosis.relations import relation_in
from autograder.diagnosis.suspect import Suspect
from autograder.report import Misconception


def relation(case: Case) -> tuple[Misconception, ...]:
    """Name the relation between the student's replies and right ones, if there is one."""
    tests = case.by_size
    if all(test.passed for test in tests):
        return ()
    observed = [list(_observed(test.calls, case.right)) for test in tests]
    found = relation_in(observed, [test.passed for test in tests])
    return (found,) if found else ()


def _observed(calls: Calls, right: Suspect) -> Iterator[Observed]:
    """Put each call of a test beside the reply of a right answer."""
    for place, exchange in enumerate(calls.exchanges):
        yield Observed(
            exchange,
            right.reply(calls, place),
            is_train=calls.in_train[place],
            is_random=right.is_random(calls, place),
        )
