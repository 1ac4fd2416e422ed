"""Scores are read from the gradebook as they stand there, and say what is left to grade."""

from autograder.course import Course
from autograder.gradebook.marks import marks_to_export
from autograder.gradebook.recording import record
from autograder.report import Outcome
from tests.gradebook.books import book_of, give, grade
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, with_settings

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED


def test_points_are_those_of_each_exercise_in_the_order_of_the_notebook(recorded: Course) -> None:
    score = marks_to_export(recorded, TOYS)["partly"]
    assert [(e.name, e.score, e.max_score) for e in score.each] == [
        ("double", 3, 5),
        ("Counter", 4, 4),
        ("why", 0, 2),
    ]
    assert (score.score, score.full_score) == (7, 11)
    assert score.is_final


def test_an_answer_that_nobody_has_read_has_no_score(recorded: Course) -> None:
    score = marks_to_export(recorded, TOYS)["ada"]
    assert score.each[-1].score is None
    assert score.why_not_final == "why waits for a person"
    assert score.score == 9


def test_points_by_hand_and_extra_credit_count_and_override(toys: ToyClass) -> None:
    grade(toys, "a", *9 * [FAILED], why="Because.")
    give(toys.course, "a", "why", 1.5, extra=1)
    give(toys.course, "a", "double_test", 2)
    score = marks_to_export(toys.course, TOYS)["a"]
    assert [mark.score for mark in score.each] == [2, 0, 2.5]
    assert score.is_final


def test_where_the_grader_failed_nothing_counts_until_a_person_decides(toys: ToyClass) -> None:
    grade(toys, "a", Outcome.GRADER_ERROR, *8 * [PASSED])
    score = marks_to_export(toys.course, TOYS)["a"]
    assert (score.score, score.why_not_final) == (4, "the grader failed on double")
    give(toys.course, "a", "double_test", 5)
    score = marks_to_export(toys.course, TOYS)["a"]
    assert (score.score, score.is_final) == (9, True)


def test_lateness_costs_its_penalty_whatever_stood_in_the_gradebook(toys: ToyClass) -> None:
    settings = "late = { per_day = 0.5 }\n[assignments.toys]\ndue = 2030-01-01T00:00:00Z\n"
    course = with_settings(toys.course.root, settings)
    late = ToyClass(course)
    for name in ("a", "b"):
        late.hand_in(name, RIGHT)
        timestamp = course.submission_path(name, TOYS).with_name("timestamp.txt")
        timestamp.write_text("2030-01-01 12:00:00 UTC")
    reports = [late.report(name, *9 * [PASSED]) for name in ("a", "b")]
    assert record(course, reports) == []
    with book_of(course) as book:
        book.find_submission_notebook(TOYS, TOYS, "b").late_submission_penalty = 99
        book.db.commit()
    scores = marks_to_export(course, TOYS)
    assert (scores["a"].penalty, scores["a"].score) == (4.5, 4.5)
    assert scores["b"].score == 4.5


def test_what_was_handed_in_and_never_graded_is_listed(toys: ToyClass) -> None:
    toys.hand_in("a", RIGHT)
    score = marks_to_export(toys.course, TOYS)["a"]
    assert (score.is_final, score.why_not_final) == (False, "it isn't graded yet")


def test_a_score_of_an_earlier_version_is_outdated(toys: ToyClass) -> None:
    grade(toys, "a", *9 * [PASSED])
    assert marks_to_export(toys.course, TOYS)["a"].is_final
    toys.hand_in("a", {})
    score = marks_to_export(toys.course, TOYS)["a"]
    assert score.why_not_final == "it was handed in again since it was graded"


def test_without_a_gradebook_nothing_is_graded(toys: ToyClass) -> None:
    (toys.course.root / "gradebook.db").unlink()
    assert marks_to_export(toys.course, TOYS) == {}
    toys.hand_in("a", RIGHT)
    assert not marks_to_export(toys.course, TOYS)["a"].is_final
    assert not (toys.course.root / "gradebook.db").exists()
