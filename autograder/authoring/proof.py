"""Run the hidden tests on the solution: an assignment that nobody can solve isn't released."""

from __future__ import annotations

import json
from collections.abc import Sequence

from autograder.course import Course, solution
from autograder.errors import ReleaseError
from autograder.grading.fingerprint import parts_that_decide
from autograder.grading.hidden_tests import HiddenTests
from autograder.report import Outcome, Verdict
from autograder.sandbox.host.in_process import InProcess

_FILE = "proven.json"  # the parts, by assignment, for which the solution last passed


def prove(course: Course, assignment: str, *, skip_slow: bool = False) -> None:
    """Raise `ReleaseError` unless the solution gets full marks."""
    path = course.work / _FILE
    try:
        proven = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        proven = {}
    current = parts_that_decide(course, assignment) | {"slow tests": str(not skip_slow)}
    if proven.get(assignment) in (current, current | {"slow tests": "True"}):
        return
    tests = HiddenTests(course, assignment)
    sources, folder = solution.sources(course, assignment), course.solutions / assignment
    channel = InProcess(sources.values(), tests.forbidden, folder=folder)
    try:
        found = tests.run(tests.points, lambda _: channel, course.seed, skip_slow=skip_slow)
    finally:
        channel.close()
    for exercise, verdicts in found.items():
        failed = [verdict for verdict in verdicts if verdict.outcome is not Outcome.PASSED]
        if failed:
            left_out = course.settings.assignment(assignment).left_out
            raise ReleaseError(_reason(assignment, exercise, failed) + _hint(left_out))
    course.work.mkdir(exist_ok=True)
    path.write_text(json.dumps(proven | {assignment: current}), encoding="utf-8")


def _reason(assignment: str, exercise: str, failed: list[Verdict]) -> str:
    first = failed[0]
    more = f" and {len(failed) - 1} more" if len(failed) > 1 else ""
    return (
        f"{assignment} is not released: the solution to {exercise} fails {first.name}{more} "
        f"({first.message}). Correct the solution or the hidden test."
    )


def _hint(left_out: Sequence[str]) -> str:
    if not left_out:
        return ""
    return f" course.toml leaves out {', '.join(left_out)}: does the solution need any of those?"
