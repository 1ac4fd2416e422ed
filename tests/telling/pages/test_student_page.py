"""The page that a student gets back: first what to do next, then each exercise, then their work."""

from itertools import pairwise
from typing import Any

from bs4 import BeautifulSoup, Tag
from nbformat import NotebookNode, from_dict

from autograder.report import ExerciseReport, Outcome
from autograder.telling.pages.student_page import page_of, sections_of
from autograder.telling.record import summary_of
from tests.intake.test_notebook import png
from tests.telling.reports import SCALED, exercise, report, verdict

RIGHT = exercise(verdict("sum", Outcome.PASSED), name="sum")
WRONG = exercise(
    verdict("sum", Outcome.PASSED), verdict("scale", message="It is too small."), named=True
)


def cell(
    kind: str, source: str, mark: dict[str, Any] | None = None, name: str = "", *pictures: str
) -> dict[str, Any]:
    """A cell as in a notebook's JSON; `mark` is nbgrader's."""
    drawn = [
        {"output_type": "display_data", "data": {"image/png": each}, "metadata": {}}
        for each in pictures
    ]
    content = {"cell_type": kind, "source": source, "id": name}
    metadata = {"nbgrader": mark} if mark else {}
    return content | {"metadata": metadata} | ({"outputs": drawn} if kind == "code" else {})


def notebook() -> NotebookNode:
    """A graded notebook with two sections."""
    made: NotebookNode = from_dict(  # type: ignore[no-untyped-call]
        {
            "cells": [
                cell("markdown", "# Attention\n\nRead this."),
                cell("code", "import numpy", {"grade_id": "imports", "locked": True}),
                cell("markdown", "## 1. *Scores*\n\n### A detail"),
                cell(
                    "code", "def attend():\n    return 1", {"grade_id": "attend", "solution": True}
                ),
                cell("code", "assert attend()", {"grade_id": "attend_test", "grade": True}),
                cell("code", "plot(helper)", None, "", png()),
                cell("code", "attend() + 1", name="own-5-0"),
                cell("markdown", "Because.", {"grade_id": "why", "solution": True, "grade": True}),
            ]
        }
    )
    return made


def shown(*exercises: ExerciseReport) -> BeautifulSoup:
    page = page_of(notebook(), summary_of(report(*exercises)), False)
    return BeautifulSoup(page, "html.parser")


def test_the_first_thing_on_the_page_is_where_one_stands_then_what_to_do_next() -> None:
    headings = [tag.get_text(" ", strip=True) for tag in shown(RIGHT, WRONG).find_all(["h1", "h2"])]
    assert headings == [
        "You have 2 of 3 points so far; 2 more wait for a person.",
        "Do this next: attend",
        "Each exercise",
        "Your notebook",
    ]


def test_a_card_tells_the_mistake_and_folds_what_held_and_what_did_not() -> None:
    card = shown(WRONG).select_one("#card-attend")
    assert isinstance(card, Tag)
    folded = card.find("details")
    assert isinstance(folded, Tag)
    assert "✗ It scales. (0/1)" in folded.get_text()
    assert "It is too small." not in card.get_text()
    folded.extract()
    assert SCALED.message in card.get_text()


def test_a_card_shows_what_points_are_given_for_as_the_notebook_says_it() -> None:
    right = verdict("sum", Outcome.PASSED, idea="rows sum to $1$, in `softmax`")
    (ideas,) = shown(exercise(right, verdict("scale", idea="the scale"))).select(".ideas")
    said = [" ".join(item.get_text(" ").split()) for item in ideas.select("li")]
    assert said == ["✓ rows sum to 1 , in softmax 1 of 1", "✗ the scale 0 of 1"]


def test_each_card_leads_to_the_answer_and_back() -> None:
    soup = shown(WRONG)
    assert {str(tag["href"]) for tag in soup.select(".card a")} == {"#answer-attend", "#answer-why"}
    for link in soup.find_all("a", href=True):
        assert soup.find(id=str(link["href"])[1:]), link


def test_given_code_and_visible_checks_are_left_out_but_not_what_they_drew() -> None:
    first, second = sections_of(notebook())
    assert [each.kind for each in first.cells] == ["prose"]
    kinds = ["prose", "answer", "picture", "own", "answer"]
    assert [each.kind for each in second.cells] == kinds
    text = shown(WRONG).get_text()
    for left_out in ("import numpy", "assert attend", "plot(helper)"):
        assert left_out not in text
    assert len(shown(WRONG).find_all("img")) == 1


def test_a_section_has_its_heading_once_and_no_heading_jumps_a_level() -> None:
    soup = shown(WRONG)
    assert [tag.get_text() for tag in soup.select(".section > summary")] == [
        "Attention",
        "1. Scores",
    ]
    assert soup.get_text().count("1. Scores") == 1
    levels = [int(tag.name[1]) for tag in soup.find_all(["h1", "h2", "h3", "h4", "h5", "h6"])]
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_a_heading_keeps_the_underscores_of_a_name() -> None:
    written = from_dict({"cells": [cell("markdown", "## `fit_line` _now_")]})  # type: ignore[no-untyped-call]
    (section,) = sections_of(written)
    assert section.title == "fit_line now"


def test_full_marks_leave_nothing_to_do() -> None:
    soup = shown(RIGHT)
    assert soup.select(".next") == []
    assert "You have all 1 point so far" in soup.get_text()
