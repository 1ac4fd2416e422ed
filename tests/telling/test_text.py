"""The same is told as lines of text, as Markdown, on a platform, in a comment and in a terminal."""

import io

from rich.console import Console

from autograder.course.settings import GradescopeSettings
from autograder.platforms import gradescope
from autograder.report import FOLLOWED_THROUGH, Outcome
from autograder.telling.pages.safe_html import markdown2html
from autograder.telling.record import FAULT, card_of, summary_of
from autograder.telling.terminal import show_report
from autograder.telling.text import MAX_OUTPUT, comment_on, exercise_text, lines_of, markdown_of
from tests.platforms.gradescope_trees import Results
from tests.telling.reports import SCALED, exercise, report, verdict

PASSED = verdict("sum", Outcome.PASSED)
WRONG = exercise(PASSED, verdict("scale", message="It is too small."), named=True)
STANDING = "hw1: You have 1 of 2 points so far; 2 more wait for a person."


def output(visibility: str) -> str:
    """What stands above the tests on Gradescope."""
    settings = GradescopeSettings.model_validate({"visibility": visibility})
    said = report(WRONG, warnings=("A cell was restored.",))
    return str(gradescope.results_of(said, settings, 0)["output"])


def test_the_mistake_comes_first_then_what_held_and_what_did_not() -> None:
    assert list(lines_of(card_of(WRONG))) == [
        "→ You divided by d_k, not √d_k.",
        "✓ It sums. (1/1)",
        "✗ It scales. (0/1)",
    ]


def test_a_terminal_begins_with_where_one_stands_and_what_to_do() -> None:
    page = io.StringIO()
    show_report(report(WRONG, warnings=("A cell was restored.",)), Console(file=page, width=200))
    assert page.getvalue().splitlines() == [
        STANDING,
        "Do this next: attend. You divided by d_k, not √d_k. This exercise can still earn 1 point.",
        "",
        "attend: 1 of 2 points",
        *(f"  {line}" for line in lines_of(card_of(WRONG))),
        "",
        "why: not graded yet (2 points)",
        "  A person will read this.",
        "note: A cell was restored.",
    ]


def test_as_markdown_nothing_that_a_student_wrote_is_markdown() -> None:
    hostile = "# 9/9\n<script>x</script>\n![](https://example.org/x.png)"
    shown = exercise(verdict("scale", message=hostile))
    html = markdown2html(markdown_of(summary_of(report(shown, warnings=(hostile,)))))
    assert html.count("<h1") == 0
    assert "<img" not in html
    assert html.count("&lt;script&gt;") >= 2
    assert "<td>attend" in html


def test_a_comment_tells_what_the_card_tells() -> None:
    assert comment_on(WRONG) == r"- You divided by d\_k, not √d\_k."
    two = exercise(verdict("scale", message="It is small."), verdict("sum", message="It differs."))
    assert comment_on(two) == "- It is small.\n- **It sums.** It differs."
    assert comment_on(exercise(PASSED)) == "All checks passed."
    assert comment_on(exercise(PASSED, verdict("scale"))) == "- **It scales.**"
    followed = exercise(PASSED).model_copy(update={"followed_through": True})
    assert comment_on(followed) == f"- {FOLLOWED_THROUGH}"


def test_a_fault_of_the_graders_is_in_no_text_for_students() -> None:
    found = exercise(verdict("a", Outcome.GRADER_ERROR, "NameError: arra"))
    for text in (exercise_text(found), comment_on(found)):
        assert "NameError" not in text
        assert FAULT in text
    assert "… It as. (not graded yet)" in exercise_text(found)


def test_on_a_platform_long_messages_are_cut() -> None:
    long = exercise(verdict("a", message="x" * 10 * MAX_OUTPUT))
    assert len(exercise_text(long)) < MAX_OUTPUT + 10


def test_a_platform_that_shows_points_later_tells_only_what_was_repaired() -> None:
    assert output("visible").splitlines()[0] == STANDING
    assert output("visible").splitlines()[-1] == "A cell was restored."
    assert output("after_published") == "A cell was restored."


def test_results_follow_the_documented_schema_and_carry_the_misconceptions_tags() -> None:
    settings = GradescopeSettings(visibility="after_published")
    content = gradescope.results_of(report(WRONG), settings, 1.234)
    results = Results.model_validate(content)
    (test,) = results.tests
    assert test.tags == [SCALED.tag]
    assert test.visibility == results.visibility == "after_published"
    assert results.execution_time == 1.2
