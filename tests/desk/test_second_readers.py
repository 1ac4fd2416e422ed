"""Two people read an answer without knowing of each other's points, and the desk compares them."""

import sqlite3
from collections.abc import Iterator

import pytest

from autograder.course import Course
from tests.desk.desks import POINTS, WHY, Person, answered, desk, marks_of_why
from tests.desk.test_rubric_changes import change_rubric
from tests.postgresql import in_either_database
from tests.toy_class import ToyClass
from tests.toys import TOYS

pytestmark = pytest.mark.slow  # each makes a class of its own, which takes a second

FIRST, SECOND = POINTS
SECRET = "Only ada knows."
BLIND = "you are the second, and don't see what the first gave"


@pytest.fixture
def course(school: ToyClass) -> Course:
    return answered(school, {"a": "one", "b": "two", "c": "three"}).course


@pytest.fixture
def ada(course: Course) -> Iterator[Person]:
    """She wants every answer read twice."""
    with desk(course, "ada") as opened, opened.person() as person:
        person.open("/")
        person.send(".share form", one_in="1")
        yield person


@pytest.fixture
def bob(course: Course, ada: Person) -> Iterator[Person]:
    with desk(course, "bob") as opened, opened.person() as person:
        yield person


def read_all(person: Person, show: str, earned: dict[str, list[str]], comment: str = "") -> None:
    """Give these points for each answer, as far as it is shown."""
    person.open(WHY, show=show)
    while answer := person.answer():
        person.earn(*earned[answer], comment=comment)
        assert person.status == 200, person.text


def points(course: Course) -> dict[str, float | None]:
    return {student: mark.score for student, mark in marks_of_why(course).items()}


def overview(person: Person) -> str:
    person.open("/")
    return person.text


ADAS = {"one": [FIRST, SECOND], "two": [FIRST], "three": [FIRST]}
BOBS = {"one": [FIRST, SECOND], "two": [SECOND], "three": [FIRST, SECOND]}


def test_the_second_sees_nothing_of_the_first_and_changes_no_mark(
    course: Course, ada: Person, bob: Person
) -> None:
    read_all(ada, "", ADAS, SECRET)
    assert "for a second reader" not in overview(ada)
    assert "3 for a second reader" in overview(bob)
    for show in ("second", "all"):
        bob.open(WHY, show=show)
        assert BLIND in bob.text
        assert "ada" not in bob.text
        assert SECRET not in bob.page.decode()
        assert bob.page.select("#grade [checked]") == []
    read_all(bob, "second", BOBS)
    assert points(course) == {"a": 2, "b": 1, "c": 1}
    assert "for a second reader" not in overview(bob)


def test_its_notebook_and_its_appeal_tell_the_second_nothing_either(
    course: Course, ada: Person, bob: Person
) -> None:
    read_all(ada, "", ADAS, SECRET)
    notebook = marks_of_why(course)["a"].notebook
    for path in (f"/notebook/{TOYS}/{notebook}", f"/appeals/{TOYS}/{notebook}"):
        ada.open(path)
        bob.open(path)
        assert bob.status == 200
        assert SECRET not in bob.page.decode()
        assert ada.text != bob.text


@in_either_database
def test_agreement_is_told_and_differences_are_decided(
    course: Course, ada: Person, bob: Person
) -> None:
    """Of 3, one differs (1 and 2 points): other ticks of the same sum are the same points."""
    read_all(ada, "", ADAS)
    read_all(bob, "second", BOBS)
    said = "Read twice: 3, with equal points: 2, mean difference: 0.33 points (kappa from 30 on)"
    for person in (ada, bob):
        assert said in overview(person)
        assert "1 on which two readers differ" in person.text
        person.open(WHY, show="differ")
        assert "Two people read this: ada gave 1, bob 2." in person.text
        assert "until then the first reader's mark stands" in person.text
    bob.earn(FIRST, SECOND, comment="as agreed")
    assert points(course)["c"] == 2
    assert "readers differ" not in overview(ada)
    assert said in ada.text  # a decision makes nobody agree afterwards
    bob.undo()
    assert points(course)["c"] == 1
    assert "1 on which two readers differ" in overview(ada)


def test_both_who_open_an_answer_that_nobody_read_give_independent_points(
    course: Course, ada: Person, bob: Person
) -> None:
    bob.open(WHY)
    read_all(ada, "", ADAS, SECRET)
    bob.earn(FIRST)
    assert bob.status == 409
    assert "you may read it as the second" in bob.text
    assert "gave" not in bob.page.select("#error")[0].get_text()
    assert BLIND in bob.text
    bob.earn(FIRST)
    assert "2 for a second reader" in overview(bob)


def test_another_answer_is_read_twice_again(course: Course, ada: Person, bob: Person) -> None:
    read_all(ada, "", ADAS)
    read_all(bob, "second", BOBS)
    answered(ToyClass(course), {"c": "four"})
    assert "readers differ" not in overview(bob)
    read_all(ada, "", {"four": [SECOND]})
    bob.open(WHY, show="second")
    assert bob.answer() == "four"


def test_who_applies_a_changed_rubric_may_still_be_the_second_reader(
    course: Course, ada: Person, bob: Person
) -> None:
    read_all(ada, "", ADAS)
    change_rubric(course, f"# - 0.5 points: {FIRST}", f"# - 1.5 points: {SECOND}")
    bob.open(WHY)
    bob.send("#change")
    assert points(course) == {"a": 2, "b": 0.5, "c": 0.5}
    assert "3 for a second reader" in overview(bob)
    assert "for a second reader" not in overview(ada)
    read_all(bob, "second", BOBS)
    ada.open(WHY, show="differ")
    assert "ada gave 0.5, bob" in ada.text


def test_those_who_share_the_answers_read_each_others_as_the_second(
    course: Course, ada: Person, bob: Person
) -> None:
    ada.open("/")
    ada.send(".share form", graders="ada, bob, carl")
    with desk(course, "carl") as opened, opened.person() as carl:
        everybody = {"ada": ada, "bob": bob, "carl": carl}
        for person in everybody.values():
            read_all(person, "", ADAS)
        for person in everybody.values():
            read_all(person, "second", ADAS)
    with sqlite3.connect(course.root / "gradebook.db") as book:
        pairs = book.execute("SELECT first_grader, grader FROM autograder_readings").fetchall()
    after = {"ada": "bob", "bob": "carl", "carl": "ada"}
    assert len(pairs) == 3
    assert all(second == after[first] for first, second in pairs)


def test_a_course_without_second_readers_hears_nothing_of_them(course: Course) -> None:
    with desk(course, "ada") as hers, hers.person() as ada:
        read_all(ada, "", ADAS)
    with desk(course, "bob") as his, his.person() as bob:
        assert "second reader" not in overview(bob)
        assert "Read twice" not in bob.text
        bob.open(WHY, show="all")
        assert "by ada" in bob.text
        assert "second" not in bob.page.select(".filters")[0].get_text()


@pytest.mark.parametrize("said", ["0", "-1", "half", "1.5", 5_000 * "9"])
def test_a_share_that_cannot_be_is_refused(ada: Person, said: str) -> None:
    ada.send(".share form", one_in=said)
    assert ada.status == 422
    assert f"One in '{said[:20]}' answers can't be read twice" in ada.text
