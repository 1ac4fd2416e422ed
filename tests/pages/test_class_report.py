"""The class report says what a class misunderstood, and nothing in it comes alive."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from autograder.classroom import statistics
from autograder.course import Course
from autograder.errors import CourseError
from autograder.pages import class_report
from autograder.report import ExerciseReport, Misconception, Outcome, Report, Verdict
from tests.toys import course_of

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A course of toys."""
    return course_of(tmp_path)


def verdict(outcome: Outcome, title: str) -> Verdict:
    score = 2.0 if outcome is Outcome.PASSED else 0.0
    return Verdict(name=title, title=title, outcome=outcome, score=score, max_score=2)


def report(student: str, *outcomes: Outcome, tag: str = "") -> Report:
    tests = tuple(verdict(outcome, f"check {n}") for n, outcome in enumerate(outcomes, 1))
    exercise = ExerciseReport.of("double", tests)
    if tag:
        named = (Misconception(tag=tag, message="You …"),)
        exercise = exercise.model_copy(update={"misconceptions": named})
    return Report(
        assignment="toys",
        student=student,
        score=exercise.score,
        max_score=exercise.max_score,
        exercises=(exercise,),
        isolation="rootns",
        warnings=(f"{SCRIPT} was edited",) if student == SCRIPT else (),
    )


CLASS = [
    report("ada", Outcome.PASSED, Outcome.PASSED),
    report("bo", Outcome.PASSED, Outcome.FAILED, tag="thrice"),
    report("cy", Outcome.FAILED, Outcome.FAILED, tag="thrice"),
    report("di", Outcome.NOT_ATTEMPTED, Outcome.NOT_ATTEMPTED),
    report(SCRIPT, Outcome.PASSED, Outcome.GRADER_ERROR),
]


def test_an_exercise_is_summed_up() -> None:
    (double,) = statistics.summaries(CLASS)
    assert (double.mean, double.max_score, double.full_marks, double.not_attempted) == (
        1.5,  # of the four that are graded
        4,
        1,
        1,
    )
    assert double.not_graded == 1


def test_checks_are_counted_on_answers_that_were_written_the_commonest_first() -> None:
    found = [(d.description, d.students) for d in statistics.failed_checks(CLASS)]
    assert found == [("check 2", ("bo", "cy")), ("check 1", ("cy",))]


def test_misconceptions_are_counted_with_who_holds_them(course: Course) -> None:
    (found,) = statistics.misconceptions(course, "toys", CLASS)
    assert (found.description, found.students) == ("thrice", ("bo", "cy"))


def test_a_students_script_is_text_on_the_page(course: Course) -> None:
    page = class_report.page(course, "toys", CLASS)
    assert SCRIPT not in page
    # its name with the fault of ours and in the table, its name and words in a note
    assert page.count("&lt;script&gt;") == 4
    assert "default-src 'none'" in page


def test_the_page_is_written_from_the_reports_on_file(course: Course) -> None:
    assert class_report.write(course, "toys") is None
    for each in CLASS[:2]:
        path = course.report_path(each.student, "toys")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(each.to_json())
    page = class_report.write(course, "toys")
    assert page is not None
    assert "2 submissions, 3.0 of 4" in page.read_text()


def test_a_damaged_report_is_named(course: Course) -> None:
    path = course.report_path("ada", "toys")
    path.parent.mkdir(parents=True)
    for raw in (b"{", b"\xff"):
        path.write_bytes(raw)
        with pytest.raises(CourseError, match=r"ada\.json\. Run `make grade`, which makes"):
            class_report.write(course, "toys")


def test_reports_with_different_exercises_are_summed_up_exercise_by_exercise(
    course: Course,
) -> None:
    """Such as those made before an exercise was left out, and those made since."""
    (double,) = CLASS[0].exercises
    triple = double.model_copy(update={"name": "triple", "score": 1.0})
    both = CLASS[0].model_copy(update={"student": "zoe", "exercises": (triple, double)})
    found = statistics.summaries([both, *CLASS[:2]])
    assert [(each.name, each.mean) for each in found] == [("triple", 1), ("double", 10 / 3)]
    rows = BeautifulSoup(class_report.page(course, "toys", [*CLASS[:2], both]), "html.parser")
    text = rows.get_text(" ")
    assert "triple" in text
    assert "3 submissions" in text
