"""The class report says what a class misunderstood, and nothing in it comes alive."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from autograder.course import Course
from autograder.errors import CourseError
from autograder.report import ExerciseReport, Misconception, Outcome, Report, Verdict
from autograder.statistics import class_report
from autograder.statistics import summaries as statistics
from autograder.statistics.items import Item
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
    assert double.unexplained == 0


def test_points_missed_without_a_misconception_are_counted() -> None:
    nameless = report("eve", Outcome.PASSED, Outcome.FAILED)
    (double,) = statistics.summaries([*CLASS, nameless])
    assert double.unexplained == 1


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
    text = BeautifulSoup(page.read_text(), "html.parser").get_text(" ", strip=True)
    assert "2 submissions 3.0 of 4 points on average" in text


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
    assert "3 submissions" in " ".join(text.split())


def text_of(page: str) -> str:
    return " ".join(BeautifulSoup(page, "html.parser").get_text(" ").split())


def crowd(number: int) -> list[Report]:
    """A class in which half fail a check, and whoever does holds a misconception."""
    passed, failed = Outcome.PASSED, Outcome.FAILED
    return [
        report(f"s{n:04}", passed if n % 2 else failed, passed, tag="" if n % 2 else "t")
        for n in range(number)
    ]


def test_a_small_class_is_told_what_a_figure_needs_and_shown_no_picture_of_it(
    course: Course,
) -> None:
    page = class_report.page(course, "toys", CLASS[:4])
    assert "It needs 20 students" in text_of(page)
    assert "With fewer than 5 scores there is no distribution" in text_of(page)
    assert "A trend begins with the second assignment." in text_of(page)
    assert BeautifulSoup(page, "html.parser").select("svg.plane") == []


def test_pictures_have_a_name_and_their_numbers_in_words(course: Course) -> None:
    soup = BeautifulSoup(class_report.page(course, "toys", crowd(40)), "html.parser")
    pictures = soup.select("svg")
    assert pictures
    for picture in pictures:
        assert picture["role"] == "img"
        assert picture.get("aria-label") or picture.select_one("title")
    assert "50% to below 60% 20" in text_of(str(soup))
    assert "check 1 20 of 40 50%" in text_of(str(soup))


def test_lists_are_cut_and_say_so_and_the_tables_are_whole(course: Course) -> None:
    for each in crowd(300):
        path = course.report_path(each.student, "toys")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(each.to_json())
    page = class_report.write(course, "toys")
    assert page is not None
    text = text_of(page.read_text())
    assert "150 students. Who s0000, s0002" in text
    assert "and 130 more" in text
    assert "These are the first 100; all 300 are in toys-students.csv" in text
    assert page.stat().st_size < 100_000
    assert (course.reports / "toys-students.csv").read_text().count("\n") == 301


def test_the_page_says_in_plain_words_what_confined_the_code(course: Course) -> None:
    text = text_of(class_report.page(course, "toys", CLASS))
    assert "The code of 5 students ran in a space of its own: it saw Python" in text
    loose = [each.model_copy(update={"isolation": "unsafe"}) for each in CLASS[:1]]
    text = text_of(class_report.page(course, "toys", [*loose, *CLASS[1:]]))
    assert "! The code of 1 student was confined by nothing but limits" in text


def test_what_is_graded_wrongly_by_us_stands_before_everything_else(course: Course) -> None:
    text = text_of(class_report.page(course, "toys", CLASS))
    assert text.index("could not be run") < text.index("submissions")


def test_a_check_that_the_best_miss_is_pointed_out() -> None:
    assert "Look at this one" in class_report.remark(Item("f", "c", 40, 20, 0.5, -0.1))
    assert class_report.remark(Item("f", "c", 40, 20, 0.5, 0.5)) == ""
    assert "Nearly everybody" in class_report.remark(Item("f", "c", 40, 1, 0.99, None))
    assert "Hardly anybody" in class_report.remark(Item("f", "c", 40, 38, 0.05, 0.1))
    assert "Says little" in class_report.remark(Item("f", "c", 40, 20, 0.5, 0.1))
