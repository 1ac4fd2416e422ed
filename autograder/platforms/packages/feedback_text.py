"""What a student reads on a platform about one exercise: plain text, the mistake's name first."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.report import FOLLOWED_THROUGH, ExerciseReport, Outcome, Report

NOT_GRADED_YET = (
    "Not graded yet: something is wrong with a hidden test, not with your answer, and it costs you "
    "no points. Your instructor can see what happened."
)
MAX_TEXT = 20_000  # characters about one exercise
_SIGNS = {Outcome.PASSED: "✓", Outcome.GRADER_ERROR: "!", Outcome.NOT_ATTEMPTED: "–"}


def exercise_text(exercise: ExerciseReport) -> str:
    """Return what a student reads about `exercise`."""
    text = "\n".join(_lines(exercise))
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "\n…"


def _lines(exercise: ExerciseReport) -> Iterator[str]:
    if exercise.outcome is Outcome.NOT_ATTEMPTED:
        yield "You haven't written this one yet."
        return
    for mistake in exercise.misconceptions:
        yield f"→ {mistake.message}\n"
    if exercise.faults:
        yield f"{NOT_GRADED_YET}\n"
    if exercise.followed_through:
        yield f"{FOLLOWED_THROUGH}\n"
    reasons = exercise.reasons()
    for test in exercise.tests:
        sign = _SIGNS.get(test.outcome, "✗")
        yield f"{sign} {test.title} ({test.score:g}/{test.max_score:g})"
        if test.message and test.outcome is not Outcome.GRADER_ERROR:
            yield f"    {test.message if test in reasons else 'As above.'}"


def faults(report: Report) -> list[str]:
    """Return a line for the instructor on each hidden test that failed through the grader."""
    return [
        f"{exercise.name}, {test.name}: {test.reason}"
        for exercise in report.exercises
        for test in exercise.faults
    ]


def notes(report: Report) -> list[str]:
    """Return what a student reads about the whole submission, a sentence each."""
    waiting = [
        f"`{answer.name}` ({answer.max_score:g} points) is not graded yet: a person reads it. The "
        "total is of the points graded so far."
        for answer in report.manual
    ]
    return [*report.warnings, *waiting]
