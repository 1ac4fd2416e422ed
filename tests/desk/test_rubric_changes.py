"""A rubric that is changed after answers were read applies to them too, as far as ticks tell."""

import sqlite3
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.gradebook.marks import marks_to_export
from tests.desk.desks import POINTS, WHY, Person, answered, desk, marks_of_why, reading
from tests.gradebook.books import book_of, give
from tests.gradebook.test_lateness import DUE
from tests.toy_class import ToyClass
from tests.toys import TOYS, with_settings

pytestmark = pytest.mark.slow  # each makes a class of its own, which takes a second

FIRST, SECOND = POINTS
NEW_LINES = f"# - 0.5 points: {SECOND}\n# - 1.5 points: {FIRST}\n# - 0.5 points: an example."
ANSWERS = {"a": "both", "b": "the first", "c": "the second", "d": "nothing", "e": "typed"}


@pytest.fixture(scope="session")
def read_once(unanswered: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A class whose answers ada graded: the first four by ticks, e by points that she typed."""
    school = answered(
        ToyClass.like(unanswered, tmp_path_factory.mktemp("read_once")), ANSWERS | {"f": "unread"}
    )
    given = {"a": [FIRST, SECOND], "b": [FIRST], "c": [SECOND], "d": []}
    with reading(school.course) as ada:
        for student, ticks in given.items():
            find(ada, student)
            ada.earn(*ticks, nothing="" if ticks else "1", comment=f"to {student}")
        find(ada, "e")
        ada.earn(FIRST, points="1.5")
    return school.course


@pytest.fixture
def course(read_once: Course, tmp_path: Path) -> Course:
    return ToyClass.like(read_once, tmp_path).course


def find(person: Person, student: str) -> None:
    """Go through all answers to that of a student."""
    person.open(WHY, show="all", names="1")
    while person.page.select("h1")[0].get_text() != student:
        person.open(str(person.page.select("[aria-keyshortcuts=n]")[0]["href"]))


def manual(course: Course) -> dict[str, float | None]:
    return {student: mark.manual for student, mark in marks_of_why(course).items()}


def change_rubric(course: Course, *lines: str) -> None:
    path = course.solutions / f"{TOYS}.py"
    text = path.read_text()
    kept, _, _ = text.partition("# - 1 point: ")
    path.write_text(kept + "\n".join(lines) + "\n")


BEFORE = {"a": 2, "b": 1, "c": 1, "d": 0, "e": 1.5, "f": None}
AFTER = {"a": 2, "b": 1.5, "c": 0.5, "d": 0, "e": 1.5, "f": None}


def test_ticks_are_kept_and_summed_anew_at_once_and_undone_at_once(course: Course) -> None:
    change_rubric(course, NEW_LINES)
    with desk(course, "bob") as opened, opened.person() as bob:
        bob.open(WHY)
        said = "4 keep their ticks (2 with a new sum), 1 has to be read again."
        assert "The rubric changed after 5 answers were graded:" in bob.text
        assert said in bob.text
        assert manual(course) == BEFORE  # nothing changes before somebody says so
        bob.send("#change")
        assert manual(course) == AFTER
        after = marks_of_why(course)
        assert {s: after[s].comment for s in "abcd"} == {s: f"to {s}" for s in "abcd"}
        assert after["b"].earned == (FIRST,)
        assert after["b"].by is not None
        assert after["b"].by.grader == "bob"
        assert after["e"].by is not None
        assert after["e"].by.grader == "ada"
        bob.undo()
        assert manual(course) == BEFORE
        bob.open(WHY)
        assert said in bob.text


def test_what_cannot_be_applied_stays_listed_to_be_read(course: Course) -> None:
    change_rubric(course, f"# - 2 points: {FIRST}", "# - 1 point: something else entirely!")
    with reading(course) as ada:
        assert "2 keep their ticks (1 with a new sum), 3 have to be read again." in ada.text
        ada.send("#change")
        assert manual(course) == BEFORE | {"b": 2}
        ada.open("/")
        assert "3 graded by an earlier rubric" in ada.text
        ada.open(WHY, show="old")
        assert "The rubric changed after 3 answers were graded: 0 keep their ticks" in ada.text
        assert ada.page.select("#change button") == []


def test_a_reworded_line_keeps_its_ticks_only_if_a_person_says_that_it_is_the_same(
    course: Course,
) -> None:
    reworded = SECOND.replace("half", "part")
    change_rubric(course, f"# - 1 point: {FIRST}", f"# - 0.25 points: {reworded}")
    with reading(course) as ada:
        assert "2 keep their ticks (0 with a new sum), 3 have to be read again." in ada.text
        (box,) = ada.page.select("[name=reworded]")
        assert "(ticked in 2) now reads: the second part" in ada.text
        ada.send("#change", reworded=str(box["value"]))
        assert manual(course) == BEFORE | {"a": 1.25, "c": 0.25}
        assert marks_of_why(course)["c"].earned == (reworded,)


def test_a_line_that_is_nothing_like_it_is_not_offered(course: Course) -> None:
    change_rubric(course, f"# - 1 point: {FIRST}", "# - 1 point: an example of one's own!")
    with reading(course) as ada:
        assert ada.page.select("#change button") != []
        assert ada.page.select("[name=reworded]") == []
        ada.send("#change", reworded=SECOND)
        assert manual(course) == BEFORE


def test_points_that_changed_under_somebodys_eyes_are_kept_all(course: Course) -> None:
    change_rubric(course, NEW_LINES)
    with reading(course) as ada:
        give(course, "a", "why", 0.75)
        ada.send("#change")
        assert (ada.status, "Changed meanwhile" in ada.text) == (409, True)
        assert manual(course) == BEFORE | {"a": 0.75}


def test_a_rubric_that_changed_again_under_somebodys_eyes_is_not_applied(course: Course) -> None:
    change_rubric(course, NEW_LINES)
    with reading(course) as ada:
        change_rubric(course, f"# - 2 points: {FIRST}", f"# - 2 points: {SECOND}")
        ada.send("#change")
        assert (ada.status, "Changed meanwhile" in ada.text) == (409, True)
        assert manual(course) == BEFORE


def test_an_answer_that_was_handed_in_since_is_still_to_be_looked_at(course: Course) -> None:
    answered(ToyClass(course), {"b": "another"})
    change_rubric(course, NEW_LINES)
    with reading(course) as ada:
        assert "3 keep their ticks (1 with a new sum), 2 have to be read again." in ada.text
        ada.send("#change")
        assert marks_of_why(course)["b"].score is None
        ada.open(WHY, show="changed")
        assert ada.answer() == "another"


def test_an_answer_of_an_earlier_version_of_the_desk_is_read_again(course: Course) -> None:
    """It kept no rubrics, so nobody knows whether the points were those of the ticks."""
    forget_rubrics(course)
    change_rubric(course, NEW_LINES)
    with reading(course) as ada:
        assert "0 keep their ticks (0 with a new sum), 5 have to be read again." in ada.text


def forget_rubrics(course: Course) -> None:
    with sqlite3.connect(course.root / "gradebook.db") as book:
        book.execute("DELETE FROM autograder_rubrics")


def test_late_penalties_and_exports_follow(course: Course) -> None:
    """Of 20 % a day, b loses 2 for 10 points and 2.1 for 10.5."""
    course = with_settings(course.root, f"late = {{ per_day = 0.2 }}\n{DUE}")
    time = course.submission_path("b", TOYS).with_name("timestamp.txt")
    time.write_text("2026-02-02 09:00:00 UTC")
    answered(ToyClass(course), {"b": ANSWERS["b"]})
    assert exported(course)["b"] == pytest.approx(10 - 2)
    change_rubric(course, NEW_LINES)
    with reading(course) as ada:
        ada.send("#change")
        assert penalty_of(course, "b") == pytest.approx(2.1)
    assert exported(course)["b"] == pytest.approx(10.5 - 2.1)
    assert exported(course)["c"] == 9.5


def exported(course: Course) -> dict[str, float]:
    return {student: found.score for student, found in marks_to_export(course, TOYS).items()}


def penalty_of(course: Course, student: str) -> float | None:
    """What nbgrader's own table says."""
    with book_of(course) as book:
        found: float | None = book.find_submission_notebook(
            TOYS, TOYS, student
        ).late_submission_penalty
        return found
