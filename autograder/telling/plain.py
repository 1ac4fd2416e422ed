"""What a student is told, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.report import Outcome
from autograder.telling.record import Card, Check, Summary

SIGNS = {
    Outcome.PASSED: "✓",
    Outcome.FAILED: "✗",
    Outcome.ERROR: "✗",
    Outcome.TIMEOUT: "✗",
    Outcome.MEMORY: "✗",
    Outcome.NOT_ATTEMPTED: "–",
    Outcome.GRADER_ERROR: "…",
}


def of_submission(summary: Summary) -> Iterator[str]:
    """Yield all that is told about a submission."""
    yield from beginning(summary)
    for card in summary.cards:
        yield f"\n{card.name}: {card.points}"
        yield from (f"  {line}" for line in of_card(card))
    yield from (f"note: {warning}" for warning in summary.warnings)


def beginning(summary: Summary) -> Iterator[str]:
    """Yield where the student stands, and what to do next."""
    yield f"{summary.assignment}: {summary.standing}"
    if card := summary.next:
        yield f"Do this next: {card.name}. {summary.next_step}"


def of_card(card: Card) -> Iterator[str]:
    """Yield what is told about one exercise: the mistake first."""
    yield from (f"→ {mistake}" for mistake in card.mistakes)
    yield from card.notes
    yield from (f"✓ {point}" for point in card.earned)
    if card.comment:
        yield f"Your instructor: {card.comment}"
    for check in card.checks:
        yield from _of_check(check)


def _of_check(check: Check) -> Iterator[str]:
    yield f"{SIGNS[check.outcome]} {check.title} ({check.points})"
    if check.message:
        yield f"    {check.message}"
