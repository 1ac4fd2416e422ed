"""What is decided after grading changes marks as it says, and can be taken back."""

from collections.abc import Mapping

import pytest

from autograder.errors import CourseError
from autograder.gradebook import feedback
from autograder.gradebook.deciding import decide, keep_theirs, list_decisions, restore
from autograder.gradebook.decisions import Decision, Kind, Wish
from autograder.gradebook.marks import Marks, read_marks
from autograder.gradebook.recording import record
from autograder.report import Outcome
from autograder.statistics.class_report import write_class_report
from tests.gradebook.books import book_of, give, grade, text_of
from tests.postgresql import in_either_database
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, with_settings

pytestmark = pytest.mark.slow  # each makes a class of its own, which takes a second

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED
FAULT, BLANK = Outcome.GRADER_ERROR, Outcome.NOT_ATTEMPTED
# Of the five tests of `double`, the first; then the four of `Counter`, a point each.
ALL_BUT_ONE = [FAILED, *8 * [PASSED]]
LATE = "late = { per_day = 0.5 }\n[assignments.toys]\ndue = 2026-02-01T12:00:00Z\n"


def decided(
    toys: ToyClass, kind: Kind, exercise: str, test: str = "", amount: float = 1
) -> Decision:
    wish = Wish(kind, TOYS, exercise, test, amount=amount)
    return decide(toys.course, wish, "The text was wrong", "grace")


def marks_of(toys: ToyClass, student: str = "a") -> Marks:
    return {each.student: each for each in read_marks(toys.course, [TOYS])}[student]


def points(toys: ToyClass, student: str = "a") -> Mapping[str, tuple[float | None, float]]:
    return {each.name: (each.score, each.max_score) for each in marks_of(toys, student).each}


def in_nbgrader(toys: ToyClass, student: str = "a") -> tuple[float, float]:
    with book_of(toys.course) as book:
        found = book.find_submission(TOYS, student)
        return found.score, found.max_score


def page(toys: ToyClass, student: str = "a") -> str:
    assert feedback.write_feedback(toys.course, [TOYS]).is_complete
    return text_of(toys.course.feedback_path(student, TOYS))


@pytest.mark.parametrize(
    ("kind", "test", "amount", "double"),
    [
        (Kind.DROP, "", 1, (5, 5)),
        (Kind.DROP, "test_0", 1, (4, 5)),  # of its five points, the student had three
        (Kind.DROP, "test_4", 1, (3, 5)),
        (Kind.LEAVE_OUT, "", 1, (0, 0)),
        (Kind.LEAVE_OUT, "test_0", 1, (3, 4)),
        (Kind.LEAVE_OUT, "test_4", 1, (2, 4)),
        (Kind.ADD, "", 1.5, (4.5, 5)),
        (Kind.ADD, "", 3, (5, 5)),
        (Kind.REWEIGH, "", 2, (6, 10)),
        (Kind.REWEIGH, "", 0, (0, 0)),
    ],
)
def test_a_decision_changes_the_points_of_its_exercise_and_nbgrader_agrees(
    toys: ToyClass, kind: Kind, test: str, amount: float, double: tuple[float, float]
) -> None:
    grade(toys, "a", FAILED, FAILED, *7 * [PASSED], why="Because.")
    give(toys.course, "a", "why", 1)
    number = decided(toys, kind, "double", test, amount).number
    for _ in range(2):  # to settle it again changes nothing
        assert points(toys) == {"double": double, "Counter": (4, 4), "why": (1, 2)}
        assert in_nbgrader(toys) == (double[0] + 4 + 1, double[1] + 4 + 2)
    restore(toys.course, number, "grace")
    assert points(toys) == {"double": (3, 5), "Counter": (4, 4), "why": (1, 2)}
    assert in_nbgrader(toys) == (3 + 4 + 1, 5 + 4 + 2)


@in_either_database
def test_decisions_follow_one_another_and_each_can_go(toys: ToyClass) -> None:
    grade(toys, "a", FAILED, FAILED, *7 * [PASSED])
    dropped = decided(toys, Kind.DROP, "double", "test_0")  # 4 of 5
    decided(toys, Kind.REWEIGH, "double", amount=2)  # 8 of 10
    decided(toys, Kind.ADD, "double", amount=1)
    assert points(toys)["double"] == (9, 10)
    restore(toys.course, dropped.number, "grace")
    assert points(toys)["double"] == (7, 10)


def test_decisions_outlast_another_grading(toys: ToyClass) -> None:
    grade(toys, "a", *9 * [FAILED], why="Because.")
    decided(toys, Kind.DROP, "double", "test_0")
    written = decided(toys, Kind.DROP, "why")
    assert points(toys) == {"double": (1, 5), "Counter": (0, 4), "why": (2, 2)}
    grade(toys, "a", FAILED, *8 * [PASSED], why="Otherwise.")
    assert points(toys) == {"double": (5, 5), "Counter": (4, 4), "why": (2, 2)}
    grade(toys, "b", *9 * [FAILED], why="Why not?")  # who hands in later, too
    assert points(toys, "b") == {"double": (1, 5), "Counter": (0, 4), "why": (2, 2)}
    restore(toys.course, written.number, "grace")
    assert marks_of(toys).not_graded == marks_of(toys, "b").not_graded == ("why",)


def test_who_wrote_nothing_has_the_points_of_a_dropped_question_too(toys: ToyClass) -> None:
    grade(toys, "a", *9 * [BLANK])
    decided(toys, Kind.DROP, "double")
    assert points(toys)["double"] == (5, 5)
    assert "You haven't written this one yet" in page(toys)  # of the other one


@in_either_database
def test_a_written_question_is_dropped_for_whoever_has_points_waits_or_wrote_nothing(
    toys: ToyClass,
) -> None:
    for student, text in {"graded": "Because.", "waiting": "Why?"}.items():
        grade(toys, student, *9 * [PASSED], why=text)
    grade(toys, "blank", *9 * [PASSED])
    give(toys.course, "graded", "why", 0.5)
    dropped = decided(toys, Kind.DROP, "why")
    assert keep_theirs(toys.course, dropped) == []
    for student in ("graded", "waiting", "blank"):
        assert points(toys, student)["why"] == (2, 2)
        assert in_nbgrader(toys, student) == (11, 11)
        assert marks_of(toys, student).is_final
    restore(toys.course, dropped.number, "grace")
    found = {name: points(toys, name)["why"] for name in ("graded", "waiting", "blank")}
    assert found == {"graded": (0.5, 2), "waiting": (None, 2), "blank": (0, 2)}


def test_what_a_person_gave_for_an_exercise_goes_before_but_follows_the_scale(
    toys: ToyClass,
) -> None:
    grade(toys, "a", *9 * [FAILED])
    give(toys.course, "a", "double_test", 3)
    dropped = decided(toys, Kind.DROP, "double")
    assert points(toys)["double"] == (3, 5)
    assert keep_theirs(toys.course, dropped) == ["a"]
    decided(toys, Kind.REWEIGH, "double", amount=2)
    assert points(toys)["double"] == (6, 10)
    decided(toys, Kind.LEAVE_OUT, "double")
    assert points(toys)["double"] == (0, 0)


def test_extra_credit_that_a_person_gave_stays_beside_a_decision(toys: ToyClass) -> None:
    grade(toys, "a", *ALL_BUT_ONE)
    give(toys.course, "a", "double_test", None, extra=0.5)
    number = decided(toys, Kind.DROP, "double").number
    assert points(toys)["double"] == (5.5, 5)
    restore(toys.course, number, "grace")
    assert points(toys)["double"] == (4.5, 5)


def test_dropping_a_broken_hidden_test_grades_the_rest_of_its_exercise(toys: ToyClass) -> None:
    grade(toys, "a", FAULT, FAILED, *7 * [PASSED])
    assert points(toys)["double"] == (None, 5)
    number = decided(toys, Kind.LEAVE_OUT, "double", "test_0").number
    assert points(toys)["double"] == (3, 4)
    restore(toys.course, number, "grace")
    assert points(toys)["double"] == (None, 5)


def test_a_late_penalty_is_a_share_of_what_was_decided(toys: ToyClass) -> None:
    course = with_settings(toys.course.root, LATE)
    toys.hand_in("a", RIGHT)
    time = course.submission_path("a", TOYS).with_name("timestamp.txt")
    time.write_text("2026-02-01 13:00:00 UTC")
    assert record(course, [toys.report("a", *5 * [FAILED], *4 * [PASSED])]) == []
    late = ToyClass(course)
    assert marks_of(late).score == 4 - 2
    decided(late, Kind.DROP, "double")
    assert marks_of(late).score == 9 - 4.5


def test_the_page_says_the_fact_and_the_reason_once_and_shows_the_points(toys: ToyClass) -> None:
    grade(toys, "a", *ALL_BUT_ONE)
    assert "Law 0 holds. (0/1)" in page(toys)
    decided(toys, Kind.DROP, "double", "test_0")
    said = page(toys)
    assert said.count("The text was wrong.") == 1
    assert "The check “Law 0 holds” was dropped: everybody who handed in has its points." in said
    assert "Law 0 holds. (1/1)" in said
    assert "law_0" not in said  # what the check saw


def test_the_class_report_says_it_and_counts_with_it(toys: ToyClass) -> None:
    grade(toys, "a", *ALL_BUT_ONE)
    decided(toys, Kind.DROP, "double")
    path = write_class_report(toys.course, TOYS)
    assert path is not None
    said = text_of(path)
    assert "double was dropped: everybody who handed in has its points. The text was" in said
    assert "5.0 of 5" in said


def test_who_decided_what_when_and_why_is_kept_also_of_what_was_taken_back(toys: ToyClass) -> None:
    grade(toys, "a", *ALL_BUT_ONE)
    restore(toys.course, decided(toys, Kind.DROP, "double").number, "alan")
    (found,) = list_decisions(toys.course, [TOYS])
    assert (found.by, found.reason, found.restored_by) == ("grace", "The text was wrong", "alan")
    with pytest.raises(CourseError, match="taken back already, by alan"):
        restore(toys.course, found.number, "grace")


@pytest.mark.parametrize(
    ("exercise", "test", "said"),
    [
        ("treble", "", "has no exercise 'treble': choose from"),
        ("", "", "has no exercise '': choose from"),
        ("double", "test_5", "has no hidden test 'test_5': choose from test_0, test_1"),
        ("why", "test_0", "a person gives its points"),
    ],
)
def test_what_isnt_there_cant_be_dropped(
    toys: ToyClass, exercise: str, test: str, said: str
) -> None:
    grade(toys, "a", *ALL_BUT_ONE)
    with pytest.raises(CourseError, match=said):
        decided(toys, Kind.DROP, exercise, test)
    assert list_decisions(toys.course, [TOYS]) == []


def test_nothing_is_decided_twice_nor_before_anything_is_graded(toys: ToyClass) -> None:
    with pytest.raises(CourseError, match="isn't graded yet"):
        decided(toys, Kind.DROP, "double")
    grade(toys, "a", *ALL_BUT_ONE)
    decided(toys, Kind.DROP, "double")
    with pytest.raises(CourseError, match="decided already, as number 1"):
        decided(toys, Kind.DROP, "double")
