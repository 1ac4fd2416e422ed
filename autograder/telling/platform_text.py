"""What a student reads on a platform: plain text, the mistake first."""

from __future__ import annotations

from autograder.report import ExerciseReport, Report
from autograder.telling import plain
from autograder.telling.record import card_of, summary_of

MAX_TEXT = 20_000  # characters about one exercise


def exercise_text(exercise: ExerciseReport) -> str:
    """Return what a student reads about `exercise`."""
    text = "\n".join(plain.of_card(card_of(exercise)))
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "\n…"


def faults(report: Report) -> list[str]:
    """Return a line for the instructor on each hidden test that failed through the grader."""
    return [
        f"{exercise.name}, {test.name}: {test.reason}"
        for exercise in report.exercises
        for test in exercise.faults
    ]


def notes(report: Report, *, may_tell: bool) -> list[str]:
    """Return what a student reads about the whole submission, a sentence each.

    Unless that `may_tell` how they did, it is only what had to be repaired.
    """
    return [*(plain.beginning(summary_of(report)) if may_tell else ()), *report.warnings]
