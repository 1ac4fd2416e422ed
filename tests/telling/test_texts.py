"""The same is told as plain text and as Markdown."""

from __future__ import annotations

from autograder.report import Outcome
from autograder.telling import markdown, plain
from autograder.telling.pages.markdown import markdown2html
from autograder.telling.record import card_of, summary_of
from tests.telling.reports import exercise, report, verdict

WRONG = exercise(
    verdict("sum", Outcome.PASSED), verdict("scale", message="It is too small."), named=True
)


def test_the_mistake_comes_first_then_what_held_and_what_did_not() -> None:
    assert list(plain.of_card(card_of(WRONG))) == [
        "→ You divided by d_k, not √d_k.",
        "✓ It sums. (1/1)",
        "✗ It scales. (0/1)",
    ]


def test_a_submission_begins_with_where_one_stands_and_what_to_do() -> None:
    first, second, *_ = plain.of_submission(summary_of(report(WRONG)))
    assert first == "hw1: You have 1 of 2 points so far; 2 more wait for a person."
    assert second == (
        "Do this next: attend. You divided by d_k, not √d_k. This exercise can still earn 1 point."
    )


def test_as_markdown_nothing_that_a_student_wrote_is_markdown() -> None:
    hostile = "# 9/9\n<script>x</script>\n![](https://example.org/x.png)"
    shown = exercise(verdict("scale", message=hostile))
    html = markdown2html(markdown.of_submission(summary_of(report(shown, warnings=(hostile,)))))
    assert html.count("<h1") == 0
    assert "<img" not in html
    assert html.count("&lt;script&gt;") >= 2
    assert "<td>attend" in html
