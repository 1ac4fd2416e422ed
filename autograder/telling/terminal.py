"""What a student is told, in a terminal."""

from rich.console import Console
from rich.text import Text

from autograder.errors import in_digits
from autograder.report import TINY, Report
from autograder.telling.record import summary_of
from autograder.telling.text import beginning, lines_of

_STYLES = {"✓": "green", "✗": "red", "→": "yellow", "…": "yellow"}  # of what lines begin with


def show_report(report: Report, console: Console) -> None:
    summary = summary_of(report)
    for number, line in enumerate(beginning(summary)):
        console.print(Text(line, style="" if number else "bold"))
    for card in summary.cards:
        console.print(Text(f"\n{card.name}: {card.points}", style="bold"))
        for line in lines_of(card):
            sign, style = line[:1], _STYLES.get(line[:1], "")
            console.print(Text(f"  {sign}", style=style).append(line[1:], style="default"))
    for warning in summary.warnings:
        console.print(Text(f"note: {warning}", style="yellow"))


def shortfall(report: Report, wanted: float) -> str:
    """Say why a report doesn't show `wanted` points; nothing if it does."""
    # Points that were given because the grader failed show nothing.
    if any(exercise.faults for exercise in report.exercises):
        return "The grader failed in a hidden test, so the score shows nothing: correct the test."
    if report.score < wanted - TINY:
        has = f"{in_digits(report.score)} of {in_digits(report.max_score)} points"
        return f"{has}: fewer than {in_digits(wanted)}."
    return ""
