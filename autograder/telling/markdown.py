"""What a student is told, as Markdown: what CI shows beside a run."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.telling import plain
from autograder.telling.record import Card, Summary


def of_submission(summary: Summary) -> str:
    """Return Markdown; text is indented, so that none that a student wrote is Markdown."""
    return "\n".join(_parts(summary))


def _parts(summary: Summary) -> Iterator[str]:
    yield f"## {summary.assignment}\n"
    yield _literally(*plain.beginning(summary))
    yield "| exercise | points |\n| --- | ---: |"
    yield from (f"| {card.name} | {card.points} |" for card in summary.cards)
    yield ""
    yield from (_card(card) for card in summary.cards)
    if summary.warnings:
        yield "### Notes\n"
        yield _literally(*summary.warnings)


def _card(card: Card) -> str:
    return f"### {card.name}: {card.points}\n\n{_literally(*plain.of_card(card))}"


def _literally(*lines: str) -> str:
    return "".join(f"    {line}\n" for text in lines for line in text.splitlines())
