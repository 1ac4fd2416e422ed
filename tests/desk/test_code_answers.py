"""Code that a person grades is read at the desk as it was written, with what it drew."""

import json
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from autograder.course import Course
from autograder.gradebook import feedback
from autograder.gradebook.recording import record
from autograder.report import CellOutput, Outcome
from tests.desk.desks import reading
from tests.desk.test_pictures import sizes
from tests.drawings import drawing, in_base64
from tests.gradebook.books import comment, grades
from tests.notebooks import filled
from tests.toy_class import ToyClass, in_the_gradebook
from tests.toys import CODE_BY_HAND, RIGHT, TOYS, course_of

pytestmark = pytest.mark.slow  # each makes a class of its own, which takes a second

LOOP = "for x in (1, 2):\n    draw(x)\nprint('done')"
WITHIN = "for x in (1, 2):\n    draw(x)\n    print('done')"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return in_the_gradebook(course_of(tmp_path_factory.mktemp("code"), CODE_BY_HAND))


@pytest.fixture
def school(asked: Course, tmp_path: Path) -> ToyClass:
    return ToyClass.like(asked, tmp_path)


def hand_in(school: ToyClass, student: str, why: str | None, *drawn: bytes) -> None:
    content = filled(school.course.release_path(TOYS), RIGHT | ({"why": why} if why else {}))
    content["cells"][-1]["outputs"] = [
        {"output_type": "display_data", "data": {"image/png": in_base64(raw)}, "metadata": {}}
        for raw in drawn
    ]
    school.hand_in_bytes(student, json.dumps(content).encode())
    cells = (CellOutput(cell="why", text="done\n"),)
    assert record(school.course, [school.report(student, *9 * [Outcome.PASSED], cells=cells)]) == []


def test_it_is_shown_as_code_with_its_pictures_and_graded_by_the_rubric(school: ToyClass) -> None:
    hand_in(school, "a", f"{LOOP}  # <b>", drawing(size=(30, 10)))
    assert grades(school.course, "a")["why"] == (None, True)
    with reading(school.course) as ada:
        (shown,) = ada.page.select("#text pre")
        assert shown.get_text().rstrip() == f"{LOOP}  # <b>"
        assert shown.find("span", string="for")
        assert sizes(ada.page, "#text") == [(30, 10)]
        model = ada.page.select(".ours .highlight")[0].get_text()
        assert model.strip() == "plt.plot(secret_model)"
        ada.earn("it shows **all** of the data")
        assert "1 of 1 done" in ada.text
    assert feedback.write_feedback(school.course, [TOYS]).new == 1
    page = BeautifulSoup(school.course.feedback_path("a", TOYS).read_text(), "html.parser")
    (answer,) = page.select("#answer-why")
    assert answer.find("span", string="for")
    assert answer.select_one("img[src^='data:image/png']")
    assert "done" in answer.select(".printed")[0].get_text()


def test_what_differs_in_layout_alone_is_not_graded_as_one(school: ToyClass) -> None:
    for student, why in {"a": LOOP, "b": WITHIN, "c": f"{LOOP}  "}.items():
        hand_in(school, student, why)
    with reading(school.course) as ada:
        places = [ada.page.select("#grade [name=seen]")]
        ada.open(str(ada.page.select("[aria-keyshortcuts=n]")[0]["href"]))
        places.append(ada.page.select("#grade [name=seen]"))
    assert sorted(map(len, places)) == [1, 2]


def test_who_writes_nothing_gets_no_points_and_waits_for_nobody(school: ToyClass) -> None:
    hand_in(school, "a", None)
    assert grades(school.course, "a")["why"] == (0, False)
    assert comment(school.course, "a", "why") == "No response."
