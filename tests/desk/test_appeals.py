"""Appeals: an override goes before the grader's points, and no regrade takes it away."""

import json
from typing import Any

import pytest

from autograder.course import Course
from autograder.gradebook import feedback
from autograder.gradebook.marks import Mark, marks_to_export, read_marks
from autograder.gradebook.recording import record
from autograder.report import Outcome
from tests.desk.desks import Person, desk
from tests.gradebook.books import book_of
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS

pytestmark = pytest.mark.slow  # each makes a class of its own, which takes a second

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED
PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)
FORM = "#double form"


def graded(school: ToyClass, *outcomes: Outcome, code: str = RIGHT["double"]) -> ToyClass:
    """Grade a student who has these outcomes in `double`."""
    school.hand_in("a", RIGHT | {"double": code})
    report = school.report("a", *outcomes, *(9 - len(outcomes)) * [PASSED])
    assert record(school.course, [report]) == []
    return school


def mark(course: Course) -> Mark:
    (marks,) = read_marks(course, [TOYS])
    found = marks["double"]
    assert found is not None
    return found


def open_submission(person: Person) -> None:
    person.open(f"/appeals/{TOYS}")
    person.open(str(person.page.select("tbody a")[0]["href"]))


def test_verdicts_and_code_stand_beside_the_override(school: ToyClass) -> None:
    graded(school, PASSED, FAILED, code="def double(x):\n    return x * x")
    with desk(school.course) as opened, opened.person() as ada:
        open_submission(ada)
        card = ada.page.select("#double")[0].get_text(" ", strip=True)
    assert "4 of 5 points" in card
    assert "✗ Law 1 holds. (0/1)" in card
    assert "law_1 is <broken> here ." in card
    assert "return x * x" in " ".join(card.split())


def test_an_override_holds_through_every_regrade_and_its_reason_is_on_the_card(
    school: ToyClass,
) -> None:
    graded(school, *5 * [FAILED])
    with desk(school.course) as opened, opened.person() as ada:
        open_submission(ada)
        ada.send(FORM, points="4.5", comment="Your reading of the *task* is fair.")
        assert "4.5 of 5 points · by ada, instead of 0" in ada.text
    for outcome in (PASSED, Outcome.GRADER_ERROR, FAILED):
        graded(school, *5 * [outcome])
        assert (mark(school.course).score, mark(school.course).by_hand) == (4.5, True)
    with book_of(school.course) as book:
        grade = book.find_grade("double_test", TOYS, TOYS, "a")
        assert (grade.score, grade.needs_manual_grade) == (4.5, False)
    feedback.write_feedback(school.course, [TOYS])
    page = (school.course.feedback / "a" / TOYS / f"{TOYS}.html").read_text()
    assert "Your reading of the <em>task</em> is fair." in page
    assert marks_to_export(school.course, TOYS)["a"].score == 8.5


def test_an_override_was_for_the_answer_that_was_looked_at(school: ToyClass) -> None:
    graded(school, FAILED)
    with desk(school.course) as opened, opened.person() as ada:
        open_submission(ada)
        ada.send(FORM, points="5", comment="Fair.")
        graded(school, FAILED, code="def double(x):\n    return 3 * x")
        open_submission(ada)
        assert "another answer since points were given" in ada.text
    assert mark(school.course).score is None


def test_an_override_needs_points_and_a_reason(school: ToyClass) -> None:
    graded(school, FAILED)
    with desk(school.course) as opened, opened.person() as ada:
        open_submission(ada)
        ada.send(FORM, points="5")
        assert (ada.status, "Say why double gets other points" in ada.text) == (422, True)
        assert ada.page.select(f"{FORM} [name=points]")[0]["value"] == "5"
        ada.send(FORM, points="", comment="Fair.")
        assert (ada.status, "say how many of 5 it gets" in ada.text) == (422, True)
        ada.send(FORM, points="6", comment="Fair.")
        assert (ada.status, "give a number from 0 to 5" in ada.text) == (422, True)
    assert (mark(school.course).score, mark(school.course).by_hand) == (4, False)


def test_an_override_taken_back_leaves_the_graders_points(school: ToyClass) -> None:
    graded(school, FAILED)
    with desk(school.course) as opened, opened.person() as ada:
        open_submission(ada)
        ada.send(FORM, points="5", comment="Fair.")
        ada.send(FORM, withdraw="1")
        assert (mark(school.course).score, mark(school.course).comment) == (4, "")
        ada.undo()
        assert (mark(school.course).score, mark(school.course).comment) == (5, "Fair.")


def test_undoing_an_override_counts_what_was_graded_meanwhile(school: ToyClass) -> None:
    graded(school, FAILED)
    with desk(school.course) as opened, opened.person() as ada:
        open_submission(ada)
        ada.send(FORM, points="1", comment="Fair.")
        graded(school, PASSED)
        ada.undo()
        assert ada.status == 200, ada.text
    assert (mark(school.course).score, mark(school.course).by_hand) == (5, False)


def test_two_overrides_at_once_are_not_lost_on_each_other(school: ToyClass) -> None:
    graded(school, FAILED)
    with desk(school.course) as opened, opened.person() as ada, opened.person() as bob:
        open_submission(ada)
        open_submission(bob)
        ada.send(FORM, points="5", comment="Fair.")
        bob.send(FORM, points="0", comment="Unfair.")
        assert (bob.status, "Changed meanwhile: ada gave 5 of 5" in bob.text) == (409, True)
        assert "Unfair." in bob.page.select(f"{FORM} textarea")[0].get_text()
    assert (mark(school.course).score, mark(school.course).comment) == (5, "Fair.")


def test_students_are_found_by_a_part_of_their_id(school: ToyClass) -> None:
    graded(school)
    with desk(school.course) as opened, opened.person() as ada:
        ada.open(f"/appeals/{TOYS}", find="A")
        assert [link.get_text() for link in ada.page.select("tbody a")] == ["a"]
        ada.open(f"/appeals/{TOYS}", find="b")
        assert "Nobody with this id" in ada.text


def test_the_notebook_is_shown_with_its_own_pictures(school: ToyClass) -> None:
    picture: dict[str, Any] = {
        "output_type": "display_data",
        "metadata": {},
        "data": {"image/png": PICTURE},
    }
    own = {"cell_type": "code", "id": "own", "metadata": {}, "source": "plot()"}
    content = json.loads(school.course.release_path(TOYS).read_text())
    content["cells"].append(own | {"outputs": [picture], "execution_count": 1})
    school.hand_in_bytes("a", json.dumps(content).encode())
    record(school.course, [school.report("a", *9 * [FAILED])])
    with desk(school.course) as opened, opened.person() as ada:
        open_submission(ada)
        ada.open(str(ada.page.select("[aria-keyshortcuts=o]")[0]["href"]))
        assert [img["src"] for img in ada.page.select("img")] == [
            f"data:image/png;base64,{PICTURE}"
        ]
