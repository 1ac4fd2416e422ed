"""What one student wrote costs the desk its bounds at most, and no other student anything."""

from dataclasses import replace

import pytest

from autograder.gradebook.recording import record
from autograder.report import Outcome
from autograder.telling.pages import press
from autograder.telling.pages.safe_html import MAX_TEXT
from tests.desk.desks import POINTS, WHY, Person, answered, desk, reading
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS

pytestmark = pytest.mark.slow  # each makes a class of its own, which takes a second


def open_answer(person: Person, text: str) -> None:
    """Go to the first answer with this text in it."""
    person.open(WHY, show="all")
    for _ in range(10):
        if text in person.answer():
            return
        person.open(str(person.page.select("[aria-keyshortcuts=n]")[0]["href"]))
    raise AssertionError(f"no answer has {text} in it")


def test_answers_are_rendered_as_feedback_renders_them(school: ToyClass) -> None:
    answered(school, {"a": "**Because** $x < 2$ <img src='http://evil.example/x'>"})
    with reading(school.course) as ada:
        (shown,) = ada.page.select("#text")
        assert shown.find("strong", string="Because")
        assert shown.find("math")
        assert shown.find_all("img") == []


def test_an_answer_that_is_too_long_is_cut(school: ToyClass) -> None:
    answered(school, {"a": "x" * (MAX_TEXT + 7)})
    with reading(school.course) as ada:
        assert "Cut here: 7 more characters" in ada.answer()
        ada.earn(POINTS[0])
        assert "1 of 1 done" in ada.text


def test_a_notebook_that_takes_too_long_is_shown_as_text(
    school: ToyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(press, "BOUNDS", replace(press.BOUNDS, cpu_seconds=1))
    slow = [
        {
            "cell_type": "markdown",
            "id": f"own{number}",
            "metadata": {},
            "source": f"{number} " + "\\begin{a}" * 2_200,
        }
        for number in range(24)
    ]
    school.hand_in("eve", RIGHT | {"why": "**Why?**"}, *slow)
    record(school.course, [school.report("eve", *9 * [Outcome.PASSED])])
    with reading(school.course) as ada:
        link = str(ada.page.select("[aria-keyshortcuts=o]")[0]["href"])
        ada.open(link.partition("#")[0])
        assert (ada.status, "**Why?**" in ada.text) == (200, True)
        open_answer(ada, "Why?")


@pytest.mark.parametrize("content", [b'{"cells": [3]}', b"[" * 100_000])
def test_a_graded_notebook_that_is_damaged_hides_nobody_elses_answer(
    school: ToyClass, content: bytes
) -> None:
    answered(school, {"a": "Because.", "b": "Why not?"})
    path = school.course.root / "autograded" / "a" / TOYS / f"{TOYS}.ipynb"
    path.write_bytes(content)
    with desk(school.course) as opened, opened.person() as ada:
        open_answer(ada, "Why not?")
        ada.earn(POINTS[0])
        assert "1 of 2 done" in ada.text
        assert "This answer is being recorded again" in ada.text
        ada.earn(POINTS[0])
        assert (ada.status, "Nothing was saved" in ada.text) == (409, True)
        ada.open(f"/appeals/{TOYS}", find="a")
        ada.open(str(ada.page.select("tbody a")[0]["href"]))
        assert ada.status == 200


def test_what_is_graded_again_is_read_again(one_answer: ToyClass) -> None:
    with reading(one_answer.course) as ada:
        assert ada.answer() == "Because."
        answered(one_answer, {"a": "Therefore."})
        ada.open(WHY)
        assert ada.answer() == "Therefore."
