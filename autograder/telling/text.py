"""What a student is told as text: lines, the Markdown of CI and of comments, a platform's box.

`as_markdown` and `as_html` escape text so that it looks the same there.
"""

import html
import re
from collections.abc import Iterator

from autograder.report import ExerciseReport, Report
from autograder.telling.record import Card, Summary, card_of

MAX_OUTPUT = 20_000  # characters about one exercise on a platform
_CODE_SPAN = re.compile(r"(`[^`\n]+`)")
_STRESS = re.compile(r"(?<![\w*])\*([A-Za-z][\w ,-]{0,60})\*(?![\w*])")
_MARKDOWN = re.compile(r"[`*_\[\]<>$~]|(?<=:)/")  # the slash, because URLs become links


def beginning(summary: Summary) -> Iterator[str]:
    """Yield where the student stands, and what to do next."""
    yield f"{summary.assignment}: {summary.standing}"
    if card := summary.next:
        yield f"Do this next: {card.name}. {summary.next_step}"


def outline(summary: Summary) -> Iterator[str]:
    """Yield the same, then the points and the mistakes of each exercise."""
    yield from beginning(summary)
    for card in summary.cards:
        yield f"{card.name}: {card.state if summary.points_from else card.points}"
        yield from (f"  → {mistake}" for mistake in card.mistakes)


def lines_of(card: Card) -> Iterator[str]:
    """Yield what is told about one exercise: the mistake first."""
    yield from (f"→ {mistake}" for mistake in card.mistakes)
    yield from card.notes
    yield from (f"✓ {point}" for point in card.earned)
    if card.comment:
        yield f"Your instructor: {card.comment}"
    for check in card.checks:
        worth = f" ({check.points})" if check.points else ""
        yield f"{check.sign} {check.title}{worth}"
        if check.message:
            yield f"    {check.message}"


def exercise_text(exercise: ExerciseReport) -> str:
    """Return what a student reads about `exercise` on a platform, cut at `MAX_OUTPUT`."""
    text = "\n".join(lines_of(card_of(exercise)))
    return text if len(text) <= MAX_OUTPUT else text[:MAX_OUTPUT] + "\n…"


def fault_lines(report: Report) -> list[str]:
    """Return a line for the instructor on each hidden test that failed through the grader."""
    return [
        f"{exercise.name}, {test.name}: {test.reason}"
        for exercise in report.exercises
        for test in exercise.faults
    ]


def comment_on(exercise: ExerciseReport) -> str:
    """Return the comment that nbgrader shows beside the checks, in Markdown: what was seen."""
    card = card_of(exercise)
    told = [as_markdown(text) for text in (*card.notes, *card.mistakes)]
    lines = told + [
        f"**{as_markdown(check.title)}** {as_markdown(check.message)}".rstrip()
        for check in card.checks
        if check.message or not (check.passed or check.is_later or told)
    ]
    return "\n".join(f"- {line}" for line in lines) or "All checks passed."


def markdown_of(summary: Summary) -> str:
    """Return what CI shows beside a run: Markdown, indented where a student's text may be."""
    whose = f": {as_markdown(summary.student)}" if summary.student else ""
    parts = [f"## {summary.assignment}{whose}\n", _literally(*beginning(summary))]
    if summary.kept_back:
        return "\n".join(parts)
    parts += [
        "| exercise | points |\n| --- | ---: |",
        *(f"| {card.name} | {card.points} |" for card in summary.cards),
        "",
        *(f"### {c.name}: {c.points}\n\n{_literally(*lines_of(c))}" for c in summary.cards),
    ]
    if summary.warnings:
        parts += ["### Notes\n", _literally(*summary.warnings)]
    return "\n".join(parts)


def _literally(*lines: str) -> str:
    return "".join(f"    {line}\n" for text in lines for line in text.splitlines())


def as_markdown(text: str) -> str:
    """Return markdown that renders as `text`; text between backticks becomes code."""
    return "".join(
        part if _CODE_SPAN.fullmatch(part) else _escaped(part) for part in _CODE_SPAN.split(text)
    )


def _escaped(text: str) -> str:
    # An entity, not `\\`: before a bracket, nbconvert takes that for the start of a formula.
    text = text.replace("&", "&amp;").replace("\\", "&bsol;")
    return _MARKDOWN.sub(r"\\\g<0>", text)


def as_html(text: str) -> str:
    """Return HTML that renders as `text`, with `this` as code and *this* stressed."""
    return "".join(
        f"<code>{part[1:-1]}</code>"
        if _CODE_SPAN.fullmatch(part)
        else _STRESS.sub(r"<em>\1</em>", part)
        for part in _CODE_SPAN.split(html.escape(text))
    )
