"""The command line's output: one report in full, or a class as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from autograder.errors import shown
from autograder.gradebook.marks import Marks
from autograder.grading.worker import Graded
from autograder.report import NOT_GRADED, TINY, ExerciseReport, Outcome, Report
from autograder.statistics.faults import Fault
from autograder.telling import plain
from autograder.telling.record import summary_of

_SIGNS = {
    Outcome.PASSED: ("✓", "green"),
    Outcome.FAILED: ("✗", "red"),
    Outcome.ERROR: ("E", "red"),
    Outcome.TIMEOUT: ("T", "red"),
    Outcome.MEMORY: ("M", "red"),
    Outcome.NOT_ATTEMPTED: ("–", "dim"),
    Outcome.GRADER_ERROR: ("…", "yellow"),
}
_STYLES = {"✓": "green", "✗": "red", "→": "yellow", "…": "yellow"}  # of what lines begin with
_MAX_NAMED = 10  # of those of whom one sentence is true
_FAULT, _WAITS, _BY_HAND = "!", "…", "*"
_LEGEND = (
    "✓ all passed  ✗ some failed  E error  T timeout  M memory  – not attempted\n"
    f"{_WAITS} {NOT_GRADED}: a person has to  {_FAULT} {NOT_GRADED}: a fault of the grader  "
    f"{_BY_HAND} given by hand"
)
Marked = Mapping[tuple[str, str], Marks]  # what the gradebook has, by assignment and student


def show_report(report: Report, console: Console) -> None:
    """Print what a student is told about a submission."""
    summary = summary_of(report)
    for number, line in enumerate(plain.beginning(summary)):
        console.print(Text(line, style="" if number else "bold"))
    for card in summary.cards:
        console.print(Text(f"\n{card.name}: {card.points}", style="bold"))
        for line in plain.of_card(card):
            sign, style = line[:1], _STYLES.get(line[:1], "")
            console.print(Text(f"  {sign}", style=style).append(line[1:], style="default"))
    for warning in summary.warnings:
        console.print(Text(f"note: {warning}", style="yellow"))


def shortfall(report: Report, wanted: float) -> str:
    """Say why a report doesn't show `wanted` points; nothing if it does.

    Points that were given because the grader failed show nothing.
    """
    if any(exercise.faults for exercise in report.exercises):
        return "The grader failed in a hidden test, so the score shows nothing: correct the test."
    if report.score < wanted - TINY:
        return f"{report.score:g} of {report.max_score:g} points: fewer than {wanted:g}."
    return ""


def show_class(results: Sequence[Graded], console: Console, marked: Marked) -> None:
    """Print a table for each assignment: a row per student, a column per exercise and answer."""
    for assignment in sorted({graded.job.assignment for graded in results}):
        mine = [graded for graded in results if graded.job.assignment == assignment]
        mine.sort(key=lambda graded: graded.job.student)
        console.print(_table(assignment, mine, marked))
    told: dict[tuple[str, str], list[str]] = {}
    for graded in results:
        reason = graded.rejection or graded.fault
        if reason:
            told.setdefault((graded.job.assignment, reason), []).append(graded.job.student)
    for (assignment, reason), students in told.items():
        console.print(Text(shown(f"{_listed(students)}, {assignment}: {reason}")))


def _listed(students: Sequence[str]) -> str:
    """Return the first of many ids, in order, and how many more there are."""
    more = len(students) - _MAX_NAMED
    named = ", ".join(sorted(students)[:_MAX_NAMED])
    return f"{named} and {more} more" if more > 0 else named


def show_faults(faults: Iterable[Fault], console: Console) -> None:
    """Print a banner for each fault of the grader, with its traceback: for the instructor."""
    for fault in faults:
        lines = Text(fault.traceback, style="default")
        title = Text("! FAULT OF THE GRADER", style="bold red")
        console.print(Text(f"\n! {fault.headline}", style="bold red"))
        console.print(Panel(lines, title=title, border_style="red"))


def _table(assignment: str, results: Sequence[Graded], marked: Marked) -> Table:
    reports = {graded.job.student: graded.report for graded in results}
    first = next((report for report in reports.values() if report), None)
    names = [exercise.name for exercise in first.exercises] if first else []
    written = [answer.name for answer in first.manual] if first else []
    table = Table(title=assignment, caption=_LEGEND)
    table.add_column("student")
    for name in (*names, *written):
        table.add_column(name, justify="right", overflow="fold")
    table.add_column("points graded so far", justify="right")
    for student, report in reports.items():
        if report is None:
            table.add_row(Text(student), *["" for _ in (*names, *written)], "not graded")
            continue
        marks = marked.get((assignment, student))
        cells = [_exercise_cell(exercise, marks) for exercise in report.exercises]
        cells += [_written_cell(name, marks) for name in written]
        total = marks or report
        table.add_row(Text(student), *cells, f"{total.score:g}/{total.max_score:g}")
    return table


def _exercise_cell(exercise: ExerciseReport, marks: Marks | None) -> Text:
    """Return the points with a sign: those that a person gave go before the grader's."""
    mark = marks[exercise.name] if marks else None
    if mark is not None and mark.by_hand:
        return _written_cell(exercise.name, marks)
    if not exercise.is_graded:
        return Text(f"/{exercise.max_score:g} ").append(_FAULT, style="bold red")
    sign, style = _SIGNS[exercise.outcome]
    points = f"{exercise.score:g}/{exercise.max_score:g} "
    return Text(points).append(sign, style=style)


def _written_cell(name: str, marks: Marks | None) -> Text:
    mark = marks[name] if marks else None
    if mark is None:
        return Text(_WAITS, style="yellow")
    if mark.score is None:
        return Text(f"/{mark.max_score:g} ").append(_WAITS, style="yellow")
    sign = _BY_HAND if mark.by_hand else _SIGNS[Outcome.NOT_ATTEMPTED][0]
    return Text(f"{mark.score:g}/{mark.max_score:g} {sign}")
