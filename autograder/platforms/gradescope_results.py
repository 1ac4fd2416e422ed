"""A report as Gradescope's `results.json`: a test for each exercise.

A test that is shown later, because its visibility says so, hides the total until then. Where the
grader failed, students therefore see no total before grades are published; what failed stands in a
test that they never see, and that is worth nothing.
"""

from __future__ import annotations

from typing import Any

from autograder.course.settings import GradescopeSettings
from autograder.report import ExerciseReport, Outcome, Report
from autograder.telling.record import summary_of
from autograder.telling.text import beginning, exercise_text, fault_lines

Json = dict[str, Any]

_UNTIL_PUBLISHED = "after_published"


def of_report(report: Report, settings: GradescopeSettings, seconds: float) -> Json:
    """Return the results of a submission that was graded."""
    visibility = settings.visibility
    tests = [_test(number, e, visibility) for number, e in enumerate(report.exercises, 1)]
    if details := fault_lines(report):
        tests.append(_for_instructor("\n".join(details)))
    told = beginning(summary_of(report)) if visibility == "visible" else ()
    said = "\n".join([*told, *report.warnings])
    return _results(report.score, said, tests, visibility) | {"execution_time": round(seconds, 1)}


def of_rejection(sentence: str) -> Json:
    """Return the results of a submission that can't be graded: its author hands in another."""
    return _results(0, sentence, [_unmarked("Your submission", sentence, "visible")])


def of_fault(details: str) -> Json:
    """Return the results where the grader itself failed: nothing is graded, and no total shown."""
    sentence = (
        "Not graded yet: the grader failed, not you. Your instructor can see what happened, and "
        "can run it again."
    )
    shown = _unmarked("Not graded yet", sentence, _UNTIL_PUBLISHED)
    return _results(0, sentence, [shown, _for_instructor(details)])


def _results(score: float, output: str, tests: list[Json], visibility: str = "visible") -> Json:
    return {
        "score": score,
        "output": output,
        "output_format": "text",
        "visibility": visibility,
        "stdout_visibility": "hidden",
        "tests": tests,
    }


def _test(number: int, exercise: ExerciseReport, visibility: str) -> Json:
    passed = exercise.outcome is Outcome.PASSED
    return {
        "name": exercise.name,
        "number": str(number),
        "score": exercise.score,
        "max_score": exercise.max_score,
        "status": "passed" if passed else "failed",
        "output": exercise_text(exercise),
        "output_format": "text",
        "tags": [mistake.tag for mistake in exercise.misconceptions],
        "visibility": _UNTIL_PUBLISHED if exercise.faults else visibility,
    }


def _for_instructor(details: str) -> Json:
    return _unmarked("For the instructor: the grader failed", details, "hidden")


def _unmarked(name: str, output: str, visibility: str) -> Json:
    return {
        "name": name,
        "score": 0,
        "max_score": 0,
        "status": "failed",
        "output": output,
        "output_format": "text",
        "visibility": visibility,
    }
