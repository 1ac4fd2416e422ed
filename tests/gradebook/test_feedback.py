"""Feedback is written where it would be another page, and nowhere else."""

from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.course.loading import files_below
from autograder.gradebook import feedback
from autograder.gradebook.recording import record
from autograder.report import Misconception, Outcome
from autograder.telling.pages import looks, press
from tests.gradebook.books import book_of, give, text_of
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, WRONG, with_settings

PASSED = 9 * [Outcome.PASSED]
FAILED = [Outcome.FAILED, *8 * [Outcome.PASSED]]
DUE = "[assignments.toys]\ndue = 2026-10-05T12:00:00Z\n[late]\nper_day = 0.5\n"


@pytest.fixture(scope="module")
def given_back(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """Ada and Bo, with their pages; Ada's was handed in on a day in October."""
    toys = ToyClass.like(fresh, tmp_path_factory.mktemp("given_back"))
    for name in ("ada", "bo"):
        toys.hand_in(name, RIGHT | {"why": "Because."})
    time = toys.course.submission_path("ada", TOYS).with_name("timestamp.txt")
    time.write_text("2026-10-05 18:00:00 UTC")
    assert record(toys.course, [toys.report(name, *FAILED) for name in ("ada", "bo")]) == []
    assert feedback.write_feedback(toys.course, [TOYS]).new == 2
    return toys.course


@pytest.fixture
def class_(given_back: Course, tmp_path: Path) -> ToyClass:
    """The same class, to change."""
    return ToyClass.like(given_back, tmp_path)


def pages(course: Course) -> dict[str, tuple[int, bytes]]:
    """Each student's page, and when it was written."""
    found = {name: course.feedback_path(name, TOYS) for name in ("ada", "bo")}
    return {name: (path.stat().st_mtime_ns, path.read_bytes()) for name, path in found.items()}


def test_a_class_in_which_nothing_changed_renders_nothing(
    class_: ToyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(*_: object) -> None:
        raise AssertionError("a page was made")

    monkeypatch.setattr(press.Press, "make", nobody)
    before = pages(class_.course)
    written = feedback.write_feedback(class_.course, [TOYS])
    assert (written.new, written.unchanged, written.said) == (0, 2, [])
    assert pages(class_.course) == before


def points(toys: ToyClass) -> None:
    give(toys.course, "ada", "why", 1.5)


def comment(toys: ToyClass) -> None:
    with book_of(toys.course) as book:
        book.find_comment("why", TOYS, TOYS, "ada").manual_comment = "Say **why** in a <table>."
        book.db.commit()


def late_penalty(toys: ToyClass) -> None:
    with_settings(toys.course.root, DUE)


def new_report(toys: ToyClass) -> None:
    record(toys.course, [toys.report("ada", *PASSED)])


def new_misconception(toys: ToyClass) -> None:
    report = toys.report("ada", *FAILED)
    found = (Misconception(tag="t", message="You doubled it twice."),)
    double = report.exercises[0].model_copy(update={"misconceptions": found})
    report = report.model_copy(update={"exercises": (double, report.exercises[1])})
    toys.course.report_path("ada", TOYS).write_text(report.to_json())
    record(toys.course, [report])


def new_answer(toys: ToyClass) -> None:
    toys.hand_in("ada", WRONG | {"why": "Because."})
    record(toys.course, [toys.report("ada", *FAILED)])


def half_a_page(toys: ToyClass) -> None:
    path = toys.course.feedback_path("ada", TOYS)
    path.write_bytes(path.read_bytes()[:-1])


def no_page(toys: ToyClass) -> None:
    toys.course.feedback_path("ada", TOYS).unlink()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (points, "You have 9.5 of 11 points."),
        (comment, "Say why in a <table>."),
        (late_penalty, "for being late"),
        (new_report, "You have all 9 points so far"),
        (new_misconception, "You doubled it twice."),
        (new_answer, "return x * x"),
        (half_a_page, "You have 8 of 9 points so far"),
        (no_page, "You have 8 of 9 points so far"),
    ],
)
def test_whatever_changes_a_page_is_noticed_and_no_other_page_is_made(
    class_: ToyClass, change: Callable[[ToyClass], None], said: str
) -> None:
    before = pages(class_.course)
    change(class_)
    written = feedback.write_feedback(Course.load(class_.course.root), [TOYS])
    assert (written.new, written.unchanged, written.said) == (1, 1, [])
    assert pages(class_.course)["bo"] == before["bo"]
    assert said in text_of(class_.course.feedback_path("ada", TOYS))


def test_a_page_that_had_to_be_plainer_is_told_and_tried_again_each_time(
    class_: ToyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    points(class_)
    with monkeypatch.context() as patch:
        patch.setattr(press.Press, "make", lambda *_: press.Made("plain", "it took too long"))
        for _ in range(2):
            written = feedback.write_feedback(class_.course, [TOYS])
            assert (written.new, written.unchanged) == (1, 1)
            assert written.said[0].startswith("ada's page on toys shows plain text, because")
    assert feedback.write_feedback(class_.course, [TOYS]).said == []
    page = class_.course.feedback_path("ada", TOYS)
    assert "You have 9.5 of 11 points." in text_of(page)


def test_another_edition_of_our_pages_makes_them_all_anew(
    class_: ToyClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {path.name for path in files_below(looks.ROOM)}
    assert {"student_page.html", "page.css", "student_page.py", "record.py"} <= names
    monkeypatch.setattr(feedback, "edition", lambda: "another")
    assert feedback.write_feedback(class_.course, [TOYS]).new == 2
    assert feedback.write_feedback(class_.course, [TOYS]).unchanged == 2


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nobody", "nobody isn't in the gradebook: run `make grade`."),
        (
            "b\no",
            "That can't be a student id, because it contains U+000A, which nobody can see: take "
            "its folder out of autograded/.",
        ),
        ("bo", "There is no report on this submission: run `autograder grade`."),
    ],
)
def test_a_page_that_cannot_be_made_is_told_and_the_others_are_written(
    class_: ToyClass, name: str, why: str
) -> None:
    (class_.course.autograded / "bo").rename(class_.course.autograded / name)
    class_.course.report_path("bo", TOYS).write_text("{")
    give(class_.course, "ada", "why", 1)
    written = feedback.write_feedback(class_.course, [TOYS])
    assert (written.new, written.is_complete) == (1, False)
    assert written.said == [f"{name}'s page on toys is missing. {why}"]


def test_a_student_whom_nbgraders_settings_leave_out_gets_no_page(class_: ToyClass) -> None:
    settings = class_.course.root / "nbgrader_config.py"
    settings.write_text(settings.read_text() + '\nc.CourseDirectory.student_id_exclude = "bo"\n')
    class_.course.feedback_path("bo", TOYS).unlink()
    assert feedback.write_feedback(class_.course, [TOYS]).new == 0
    assert not class_.course.feedback_path("bo", TOYS).exists()
