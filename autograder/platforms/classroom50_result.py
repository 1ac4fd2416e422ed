"""A report as Classroom 50's `result.json`, and as the text of its release.

The format has whole numbers only: scores are in hundredths of a point, rounded down, so that no
answer with a flaw gets all of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from autograder.errors import CourseError
from autograder.report import Outcome, Report
from autograder.telling.record import summary_of
from autograder.telling.text import markdown_of

Json = dict[str, Any]

SCHEMA = "classroom50/result/v1"
SCALE = 100
_TINY = 1e-6  # of a hundredth: what a sum of floats may be short of
_NEEDED = ("CLASSROOM", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL")


def identity(environment: Mapping[str, str], assignment: str, now: datetime) -> Json:
    """Return whose result it is and of what, as the runner says in the environment.

    Raises `CourseError` if it doesn't.
    """
    missing = [name for name in _NEEDED if not environment.get(name)]
    if missing:
        raise CourseError(
            f"The environment lacks {', '.join(missing)}: set what Classroom 50's runner sets."
        )
    return {
        "schema": SCHEMA,
        "classroom": environment["CLASSROOM"],
        "assignment": environment.get("ASSIGNMENT") or assignment,
        "assignment_type": environment.get("ASSIGNMENT_TYPE") or "individual",
        "owner": environment.get("OWNER") or environment.get("USERNAME") or "",
        "submission": environment["SUBMISSION_TAG"],
        "commit": environment["COMMIT_URL"],
        "release": environment["RELEASE_URL"],
        "review": environment.get("REVIEW_URL") or environment["COMMIT_URL"],
        "datetime": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


def tests_of(report: Report) -> list[Json]:
    """Return a test for each exercise."""
    return [
        _test(each.name, each.score, each.max_score, each.outcome is Outcome.PASSED)
        for each in report.exercises
    ]


def none_passed(points: Mapping[str, float]) -> list[Json]:
    """Return the tests of a submission that can't be graded, by the points of each exercise."""
    return [_test(name, 0, most, False) for name, most in points.items()]


def totals(tests: Iterable[Json]) -> Json:
    """Return `tests` with their sums."""
    each = list(tests)
    return {
        "score": sum(test["score"] for test in each),
        "max-score": sum(test["max-score"] for test in each),
        "tests": each,
    }


def body_of(report: Report) -> str:
    """Return Markdown for the student."""
    return markdown_of(summary_of(report))


def _test(name: str, score: float, most: float, passed: bool) -> Json:
    return {
        "test-name": name,
        "passed": passed,
        "score": _hundredths(score),
        "max-score": _hundredths(most),
    }


def _hundredths(points: float) -> int:
    return math.floor(points * SCALE + _TINY)
