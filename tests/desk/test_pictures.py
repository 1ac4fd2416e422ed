"""Pictures that were handed in are shown at the desk and given back on the page."""

import json
import re

import pytest
from bs4 import BeautifulSoup

from autograder.gradebook import feedback
from autograder.gradebook.recording import record
from autograder.report import Outcome
from tests.desk.desks import WHY, reading
from tests.drawings import drawing, in_base64, shown_in
from tests.notebooks import filled
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS

pytestmark = pytest.mark.slow  # each makes a class of its own, which takes a second


def hand_in(school: ToyClass, why: str | None, *attached: bytes, **beside: bytes) -> None:
    """Hand in as student a; of pictures, the first is `image.png`."""
    answers = RIGHT if why is None else RIGHT | {"why": why}
    content = filled(school.course.release_path(TOYS), answers)
    for raw in attached:
        content["cells"][-1]["attachments"] = {"image.png": {"image/png": in_base64(raw)}}
    school.hand_in_bytes("a", json.dumps(content).encode())
    for name, raw in beside.items():
        path = school.course.submission_path("a", TOYS).parent / f"{name}.jpg"
        path.write_bytes(raw)
    assert record(school.course, [school.report("a", *9 * [Outcome.PASSED])]) == []


def sizes(soup: BeautifulSoup, within: str) -> list[tuple[int, int]]:
    return [shown_in(str(image["src"])).size for image in soup.select(f"{within} img")]


def test_a_pasted_picture_a_picture_in_the_text_and_a_photo_are_shown(school: ToyClass) -> None:
    data = f"![b](data:image/png;base64,{in_base64(drawing(size=(700, 300), compress_level=0))})"
    assert len(data) > 200_000  # more than a cell may hold
    text = f"**Because** ![a](attachment:image.png) {data} End."
    hand_in(school, text, drawing(size=(20, 10)), page=drawing("JPEG", (30, 10)))
    expected = [(20, 10), (700, 300), (30, 10)]
    with reading(school.course) as ada:
        assert sizes(ada.page, "#text") == expected
        assert ada.answer().startswith("Because End. page.jpg")
        policy = ada.http.get("/").headers["Content-Security-Policy"]
        assert "img-src data:" in policy
        assert "script-src 'self';" in policy
    assert feedback.write_feedback(school.course, [TOYS]).new == 1
    page = BeautifulSoup(school.course.feedback_path("a", TOYS).read_text(), "html.parser")
    assert sizes(page, "#answer-why") == expected[:2]
    assert sizes(page, "#beside") == expected[2:]


def test_a_blank_answer_with_a_photographed_page_waits_for_a_person(school: ToyClass) -> None:
    hand_in(school, None, page=drawing("JPEG", (30, 10)))
    with reading(school.course) as ada:
        assert "0 of 1 done" in ada.text
        assert ada.answer() == "Write your answer here. page.jpg"
        assert sizes(ada.page, "#text") == [(30, 10)]


def test_answers_with_other_pictures_are_not_graded_as_one(school: ToyClass) -> None:
    text = "See ![](attachment:image.png)"
    hand_in(school, text, drawing(size=(20, 10)))
    with reading(school.course) as ada:
        ada.earn("the *first* half.")
        hand_in(school, text, drawing(size=(40, 10)))
        ada.open(WHY)
        assert "handed in another answer" in ada.text
        assert sizes(ada.page, "#text") == [(40, 10)]


def test_a_picture_that_cannot_be_shown_hides_no_text(school: ToyClass) -> None:
    hand_in(school, "**Because** ![a sketch](attachment:image.png) so.", b"<svg/>")
    with reading(school.course) as ada:
        assert "[a sketch isn't shown: it is none of PNG, JPEG, WebP and GIF" in ada.answer()
        assert ada.page.select("#text strong")


def test_a_photo_that_is_replaced_is_read_again_and_comes_back_on_a_new_page(
    school: ToyClass,
) -> None:
    hand_in(school, None, page=drawing("JPEG", (30, 10)))
    with reading(school.course) as ada:
        ada.earn("the *first* half.")
        feedback.write_feedback(school.course, [TOYS])
        hand_in(school, None, page=drawing("JPEG", (10, 30)))
        ada.open(WHY)
        assert "handed in another answer" in ada.text
        assert sizes(ada.page, "#text") == [(10, 30)]
    assert feedback.write_feedback(school.course, [TOYS]).new == 1
    page = BeautifulSoup(school.course.feedback_path("a", TOYS).read_text(), "html.parser")
    assert sizes(page, "#beside") == [(10, 30)]


def test_a_pdf_can_be_saved_and_is_never_opened(school: ToyClass) -> None:
    hand_in(school, None)
    folder = school.course.submission_path("a", TOYS).parent
    (folder / 'p"\r\nX: y.PDF').write_bytes(b"%PDF-1.7 <script>")
    (folder / "secret.pdf").symlink_to("/etc/passwd")
    assert record(school.course, [school.report("a", *9 * [Outcome.PASSED])]) == []
    with reading(school.course) as ada:
        (link,) = ada.page.select("#answer ~ p a[download]")
        found = ada.http.get(str(link["href"]))
        assert found.content == b"%PDF-1.7 <script>"
        assert re.fullmatch(
            r'attachment; filename="answer-\w{8}\.pdf"', found.headers["Content-Disposition"]
        )
        assert found.headers["Content-Type"] == "application/octet-stream"
        assert found.headers["X-Content-Type-Options"] == "nosniff"
        assert found.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
        assert "X" not in found.headers
        ada.open(str(link["href"])[:-1])
        assert (ada.status, "isn't there any more" in ada.text) == (422, True)
