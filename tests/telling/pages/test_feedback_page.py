"""The pages that students get back say what matters, and run nothing that a student wrote."""

import re
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup, Tag
from hypothesis import given
from hypothesis import strategies as st
from nbconvert.exporters import HTMLExporter
from nbgrader.server_extensions.formgrader.handlers import template_path
from traitlets.config import Config

from autograder.course import Course
from autograder.gradebook import configuration
from autograder.telling.pages.safe_html import markdown2html
from autograder.telling.text import as_html, as_markdown
from tests.hostile.pages import live_parts
from tests.toy_class import SCRIPT

Render = Callable[[Course, str], BeautifulSoup]
PUNCTUATION = r"alt \`*_[]()<>$&;:/hp~"


def page(course: Course, student: str) -> BeautifulSoup:
    path = course.feedback / student / "toys" / "toys.html"
    return BeautifulSoup(path.read_text(), "html.parser")


def formgrader_page(course: Course, student: str) -> BeautifulSoup:
    """The page on which the formgrader shows a submission."""
    config = Config(configuration.load_settings(course))
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [template_path]
    exporter = HTMLExporter(config=config)  # type: ignore[no-untyped-call]
    notebook = course.root / "autograded" / student / "toys" / "toys.ipynb"
    resources = {"notebook_id": "toys", "base_url": "/", "index": 0, "total": 1}
    html, _ = exporter.from_filename(str(notebook), resources=resources)
    return BeautifulSoup(html, "html.parser")


def test_feedback_says_the_score_and_why(recorded: Course) -> None:
    text = page(recorded, "partly").get_text(" ", strip=True)
    assert "You have 7 of 11 points." in text
    assert "Do this next: double law_3 is <broken> here ." in text
    assert "This exercise can still earn 2 points." in text
    assert "double 3 of 5 points" in text
    assert "✗ Law 3 holds. (0/1)" in text
    assert "✓ Law 2 holds. (1/1)" in text


def test_feedback_tells_what_had_to_be_repaired(recorded: Course) -> None:
    assert "A cell was <lost>." in page(recorded, "çağla").get_text()


@pytest.mark.parametrize("render", [page, formgrader_page])
def test_nothing_that_a_student_wrote_runs_in_a_browser(render: Render, recorded: Course) -> None:
    soup = render(recorded, "hostile").select("#notebook")[0]
    assert live_parts(soup) == []
    assert soup.get_text().count("<script>") >= 3  # in code, output and error: shown as text
    assert "Why?" in soup.get_text()


def test_live_parts_would_be_found() -> None:
    link = "<a href='javascript:alert(1)'>x</a>"
    assert len(live_parts(BeautifulSoup(SCRIPT + link, "html.parser"))) == 3


def test_markdown_keeps_its_looks_and_its_formulas() -> None:
    html = markdown2html(
        "# A\n\n**b** `c` $\\frac{a}{b} < 1$\n\n```python\nx = 1\n```\n\n|a|\n|-|\n|1|"
    )
    for part in (
        "<h1>",
        "<strong>b",
        "<code>c",
        "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>",
        '<span class="mi">1',
        "<td>1",
    ):
        assert part in html


@pytest.mark.parametrize(
    "formula",
    [
        r"$\text{<script>alert(1)</script>}$",
        r"$$\href{javascript:alert(1)}{x}$$",
        r"$\text{<img src=x onerror=alert(1)>}$",
        r"$\style{background:url(//x)}{x}$",
        r"<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    ],
)
def test_nothing_in_a_formula_runs_either(formula: str) -> None:
    html = markdown2html(formula)
    assert live_parts(BeautifulSoup(html, "html.parser")) == []
    assert "<style" not in html
    assert "//x" not in html


def test_what_is_no_formula_is_shown_as_it_was() -> None:
    assert "$x_{$" in markdown2html("It costs $x_{$ or more")


def test_a_page_says_that_nothing_in_it_may_run(recorded: Course) -> None:
    soup = page(recorded, "ada")
    assert soup.find_all("script") == []
    policy = soup.find("meta", {"http-equiv": "Content-Security-Policy"})
    assert isinstance(policy, Tag)
    assert "default-src 'none'" in str(policy["content"])


def test_a_student_cannot_dress_up_as_nbgrader() -> None:
    html = markdown2html(
        "# double_test\n\n<div class='panel-heading' id='why' style='top:0'>9/9</div>"
    )
    assert "id=" not in html
    assert "panel" not in html
    assert "style" not in html


@given(st.text(PUNCTUATION, max_size=14))
def test_text_in_a_comment_reads_as_it_was(text: str) -> None:
    html = markdown2html(f"- **x** {as_markdown(text)} y")
    shown = BeautifulSoup(html, "html.parser").get_text()
    assert squeezed(shown) == squeezed(f"x{text}y")


@given(st.text(PUNCTUATION, max_size=14))
def test_text_in_a_verdict_reads_as_it_was(text: str) -> None:
    soup = BeautifulSoup(f"<p>{as_html(text)}</p>", "html.parser")
    assert squeezed(soup.get_text()).replace("*", "") == squeezed(text).replace("*", "")


def test_what_is_stressed_in_a_verdict_is_shown_so() -> None:
    told = as_html("Put the *oldest first*; `2 *n* m`, 2 *3* 4 and a*b*c stay.")
    assert told == "Put the <em>oldest first</em>; <code>2 *n* m</code>, 2 *3* 4 and a*b*c stay."


def squeezed(text: str) -> str:
    """The text without white space and without the backticks around code."""
    return re.sub(r"[\s`]+", "", text)
