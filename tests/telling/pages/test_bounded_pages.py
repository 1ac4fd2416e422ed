"""No text of a student's takes a page more than its bounds, and none costs another page."""

import time
from dataclasses import replace
from typing import Any

import pytest
from bs4 import BeautifulSoup

from autograder.gradebook import feedback
from autograder.gradebook.recording import record
from autograder.report import Outcome
from autograder.telling.pages import press
from autograder.telling.pages.safe_html import MAX_TEXT, fenced, lexers, markdown2html
from tests.telling.pages.pathological import pathological
from tests.telling.pages.test_feedback_page import formgrader_page, page
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS

SECONDS = 2.0  # of the processor: a quadratic parser takes more for 20,000 characters
ENDLESS = "```mcschema\n<!--\n```"
ALLOWED = ("bash", "c", "diff", "json", "pycon", "python", "tex")
LONG = "x" * (MAX_TEXT + 1234)


def own_cell(source: str) -> dict[str, Any]:
    """A cell that a student added."""
    return {"cell_type": "markdown", "id": f"own{hash(source)}", "metadata": {}, "source": source}


def slow_ones(render: object, *options: str) -> list[str]:
    """The texts that take a renderer too long; one that never ends shows itself."""
    assert callable(render)
    found = []
    for text in pathological():
        start = time.process_time()
        render(text, *options)
        if time.process_time() - start > SECONDS:
            found.append(text[:20])
    return found


@pytest.mark.exhaustive
@pytest.mark.parametrize("language", ALLOWED)
def test_no_text_makes_a_lexer_slow(language: str) -> None:
    assert language in lexers()
    assert slow_ones(fenced, language) == []


@pytest.mark.exhaustive
def test_no_text_makes_markdown_slow() -> None:
    assert slow_ones(markdown2html) == []


def test_only_lexers_that_were_tried_are_used() -> None:
    names = {lexer.aliases[0] for lexer in lexers().values()}
    assert names == {*ALLOWED}


def test_a_block_in_any_other_language_is_plain() -> None:
    assert markdown2html(ENDLESS) == "<pre>&lt;!--\n</pre>\n"


@pytest.mark.parametrize(
    "text",
    [
        "![x](http://evil.example/x.png)",
        "![x][a]\n\n[a]: http://evil.example/x.png",
        "<img src='http://evil.example/x.png'>",
        "<img srcset='http://evil.example/x.png'>",
        "<p style='background: url(http://evil.example/x.png)'>x</p>",
        "<style>p { background: url(http://evil.example/x.png) }</style>",
        "<picture><source srcset='http://evil.example/x.png'></picture>",
        "<video poster='http://evil.example/x.png'></video>",
        "<link rel=stylesheet href='http://evil.example/x.css'>",
        "<table background='http://evil.example/x.png'><tr><td>x</td></tr></table>",
        "![x](attachment:x.png)",
    ],
)
def test_nothing_is_fetched_when_a_page_is_opened(text: str) -> None:
    soup = BeautifulSoup(markdown2html(text), "html.parser")
    assert soup.find_all(["img", "style", "link", "source", "video"]) == []
    fetching = ["src", "srcset", "style", "background", "poster"]
    assert [tag for tag in soup.find_all(True) if set(fetching) & set(tag.attrs)] == []


def test_nests_too_deep_for_a_browser_are_shown_as_text() -> None:
    assert markdown2html("<div>" * 200).startswith("<pre>&lt;div&gt;")


@pytest.mark.slow
def test_a_page_that_cannot_be_rendered_is_plain_and_the_others_are_as_ever(
    toys: ToyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eve's cells take half a second each, and together far more than a page may here."""
    monkeypatch.setattr(press, "BOUNDS", replace(press.BOUNDS, cpu_seconds=2))
    slow = [own_cell(f"{number} " + "\\begin{a}" * 2_200) for number in range(24)]
    toys.hand_in("ada", RIGHT | {"why": "**Because** twice is twice."})
    toys.hand_in("eve", RIGHT | {"why": "**Why?**"}, *slow)
    toys.hand_in("zoe", {"why": LONG})
    reports = [toys.report(student, *9 * [Outcome.PASSED]) for student in ("ada", "eve", "zoe")]
    assert record(toys.course, reports) == []
    (sentence,) = feedback.write_feedback(toys.course, [TOYS]).said
    assert sentence.startswith("eve's page on toys shows plain text")
    assert "too long" in sentence
    assert "**Why?**" in page(toys.course, "eve").get_text()
    assert "You have all 9 points so far" in page(toys.course, "eve").get_text()
    assert page(toys.course, "ada").find("strong", string="Because")
    assert "Cut here: 1,234 more" in page(toys.course, "zoe").get_text()


def test_an_endless_lexer_does_not_hang_the_formgrader(toys: ToyClass) -> None:
    toys.hand_in(
        "eve", RIGHT | {"why": f"**Why?**\n\n{ENDLESS}"}, own_cell("![x](http://evil.example/x)")
    )
    assert record(toys.course, [toys.report("eve", *9 * [Outcome.PASSED])]) == []
    shown = formgrader_page(toys.course, "eve").select("#notebook")[0]
    assert shown.find("strong", string="Why?")
    assert "<!--" in shown.get_text()
    assert shown.find_all("img") == []
