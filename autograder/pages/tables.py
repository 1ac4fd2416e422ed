"""The command line's output: one report in full, or a class as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.classroom.worker import Graded
from autograder.report import FOLLOWED_THROUGH, ExerciseReport, Outcome, Report

_SIGNS = {
    Outcome.PASSED: ("✓", "green"),
    Outcome.FAILED: ("✗", "red"),
    Outcome.ERROR: ("E", "red"),
    Outcome.TIMEOUT: ("T", "red"),
    Outcome.MEMORY: ("M", "red"),
    Outcome.NOT_ATTEMPTED: ("–", "dim"),
    Outcome.GRADER_ERROR: ("!", "yellow"),
}
_TINY = 1e-9  # what a sum of floats may be short of
_LEGEND = (
    "✓ all passed  ✗ some failed  E error  T timeout  M memory  ! grader error  – not attempted"
)


def show_report(report: Report, console: Console) -> None:
    """Print one report: each exercise with its checks, passed and failed."""
    for exercise in report.exercises:
        _show_exercise(exercise, console)
    for answer in report.manual:
        console.print(Text(f"{answer.name}  to be graded by hand ({answer.max_score:g} points)"))
    for warning in report.warnings:
        console.print(Text(f"note: {warning}", style="yellow"))
    console.print(Text(f"\n{report.assignment}: {report.score:g} of {report.max_score:g} points"))


def _show_exercise(exercise: ExerciseReport, console: Console) -> None:
    score = f"{exercise.score:g}/{exercise.max_score:g}"
    console.print(Text(f"\n{exercise.name}  {score}  {exercise.outcome}", style="bold"))
    if exercise.outcome is Outcome.NOT_ATTEMPTED:
        return
    if exercise.followed_through:
        console.print(Text(f"  {FOLLOWED_THROUGH}"))
    for mistake in exercise.misconceptions:
        console.print(Text("  → ", style="yellow").append(mistake.message, style="default"))
    reasons = exercise.reasons()
    for test in exercise.tests:
        sign, style = _SIGNS[test.outcome]
        console.print(Text(f"  {sign} ", style=style).append(test.title, style="default"))
        if test.message:
            message = test.message if test in reasons else "As above."
            console.print(Text(f"      {message}"))


def shortfall(report: Report, wanted: float) -> str:
    """Say why a report doesn't show `wanted` points; nothing if it does.

    Points that were given because the grader failed show nothing.
    """
    if any(t.outcome is Outcome.GRADER_ERROR for e in report.exercises for t in e.tests):
        return "The grader failed in a hidden test, so the score shows nothing: correct the test."
    if report.score < wanted - _TINY:
        return f"{report.score:g} of {report.max_score:g} points: fewer than {wanted:g}."
    return ""


def show_class(results: Sequence[Graded], console: Console) -> None:
    """Print a table for each assignment: a row per student, a column per exercise."""
    for assignment in sorted({graded.job.assignment for graded in results}):
        mine = [graded for graded in results if graded.job.assignment == assignment]
        mine.sort(key=lambda graded: graded.job.student)
        console.print(_table(assignment, mine))
    for graded in results:
        reason = graded.rejection or graded.fault
        if reason:
            console.print(Text(f"{graded.job.student}, {graded.job.assignment}: {reason}"))


def _table(assignment: str, results: Iterable[Graded]) -> Table:
    reports = {graded.job.student: graded.report for graded in results}
    names = next(([e.name for e in r.exercises] for r in reports.values() if r), [])
    table = Table(title=assignment, caption=_LEGEND)
    table.add_column("student")
    for name in names:
        table.add_column(name, justify="right", overflow="fold")
    table.add_column("score", justify="right")
    for student, report in reports.items():
        if report is None:
            table.add_row(Text(student), *["" for _ in names], "not graded")
            continue
        cells = [_exercise_cell(exercise) for exercise in report.exercises]
        table.add_row(Text(student), *cells, f"{report.score:g}/{report.max_score:g}")
    return table


def _exercise_cell(exercise: ExerciseReport) -> Text:
    sign, style = _SIGNS[exercise.outcome]
    points = f"{exercise.score:g}/{exercise.max_score:g} "
    return Text(points).append(sign, style=style)
