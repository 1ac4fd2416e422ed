"""A desk of one section shows its students' work alone, and changes no other."""

import pytest

from autograder.course import Course
from tests.desk.desks import POINTS, WHY, Person, answered, desk, marks_of_why
from tests.toy_class import ToyClass
from tests.toys import TOYS

pytestmark = pytest.mark.slow  # each makes a class of its own, which takes a second

ANSWERS = {"ada": "Because.", "bo": "Because.", "cy": "No idea."}
REFUSED = "This is the work of another section than A: open a desk without `--section`"


@pytest.fixture
def course(school: ToyClass) -> Course:
    (school.course.root / "roster.csv").write_text("student_id,section\nada,A\nbo,B\ncy,A\n")
    return answered(school, ANSWERS).course


def given(course: Course) -> dict[str, float | None]:
    return {student: mark.manual for student, mark in marks_of_why(course).items()}


def go_through(person: Person) -> None:
    person.open(WHY)
    while person.answer():
        person.earn(POINTS[0])


def test_overview_questions_and_students_are_those_of_the_section(course: Course) -> None:
    with desk(course, section="A") as opened, opened.person() as ta:
        ta.open("/")
        assert "section A" in ta.text
        assert "0 of 2 done" in ta.text
        ta.open(f"/appeals/{TOYS}")
        assert "ada" in ta.text
        assert "bo" not in ta.text.split()
        go_through(ta)
    assert given(course) == {"ada": 1, "bo": None, "cy": 1}


def test_an_address_of_another_sections_work_is_refused(course: Course) -> None:
    bos = marks_of_why(course)["bo"]
    with desk(course, section="A") as opened, opened.person() as ta:
        ta.open(WHY, answer=bos.key)
        assert (ta.status, REFUSED in ta.text) == (422, True)
        for page in ("appeals", "notebook"):
            ta.open(f"/{page}/{TOYS}/{bos.notebook}")
            assert ta.status == 422
            assert "no such submission" in ta.text


def test_a_form_about_another_sections_answer_saves_and_undoes_nothing(course: Course) -> None:
    key = marks_of_why(course)["bo"].key
    with desk(course) as opened, opened.person() as all_seeing:
        all_seeing.open(WHY, names="1")  # equal answers of two sections are graded at once
        all_seeing.earn(POINTS[0])
        action = str(all_seeing.page.select_one("form.notice input[name=action]")["value"])  # type: ignore[index]
    assert given(course) == {"ada": 1, "bo": 1, "cy": None}
    with desk(course, section="A") as opened, opened.person() as ta:
        ta.open(WHY)
        ta.send(answer=key, seen=f"{key}:x", nothing="1")
        assert (ta.status, REFUSED in ta.text) == (422, True)
        ta.open(WHY)
        csrf = str(ta.page.select_one("#grade input[name=csrf]")["value"])  # type: ignore[index]
        done = ta.http.post(f"{WHY}/undo", data={"csrf": csrf, "action": action})
        assert (done.status_code, REFUSED in done.text) == (422, True)
    assert given(course) == {"ada": 1, "bo": 1, "cy": None}
