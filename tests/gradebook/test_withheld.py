"""What is withheld, or not to be given out yet, reaches no student by any way."""

import json
import zipfile
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.gradebook.deciding import decide, restore
from autograder.gradebook.decisions import Kind, Wish
from autograder.gradebook.feedback import write_feedback
from autograder.gradebook.marks import marks_to_export
from autograder.platforms.exporting import export_points, pack_feedback
from autograder.platforms.points import Choices
from autograder.report import Outcome
from autograder.statistics.class_report import write_class_report
from tests.commands import autograder, run
from tests.gradebook.books import give, grade, text_of
from tests.postgresql import in_either_database
from tests.toy_class import ToyClass
from tests.toys import TOYS, with_settings

pytestmark = pytest.mark.slow  # each makes a class of its own, which takes a second

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED
# Seven of the nine tests, and 1.5 points by hand.
OUTCOMES = [*2 * [FAILED], *7 * [PASSED]]
TOTAL = "8.5"
FUTURE = "[assignments.toys]\nfeedback_from = 2199-10-12T08:00:00\n"
PAST = "[assignments.toys]\nfeedback_from = 2020-10-12T08:00:00\n"


def with_pages(toys: ToyClass) -> ToyClass:
    """Return the class with Ada and Bo in it, and their pages."""
    for student in ("ada", "bo"):
        grade(toys, student, *OUTCOMES, why="Because.")
        give(toys.course, student, "why", 1.5)
    assert write_feedback(toys.course, [TOYS]).new == 2
    return toys


@pytest.fixture(scope="module")
def given_back(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    return with_pages(ToyClass.like(fresh, tmp_path_factory.mktemp("given_back"))).course


@pytest.fixture
def class_(given_back: Course, tmp_path: Path) -> ToyClass:
    """A class of its own, with pages."""
    return ToyClass.like(given_back, tmp_path)


def hold(toys: ToyClass, exercise: str = "", student: str = "") -> int:
    wish = Wish(Kind.WITHHOLD, TOYS, exercise, student=student)
    return decide(toys.course, wish, "A pending case", "grace").number


def page(course: Course, student: str) -> str:
    return text_of(course.feedback_path(student, TOYS))


def table(course: Course, choices: Choices, target: str = "csv") -> list[list[str]]:
    path, _ = export_points(course, target, [TOYS], choices, None)
    return [line.split(",") for line in path.read_text().splitlines()]


@in_either_database
def test_a_page_that_was_written_is_replaced_at_once_and_says_only_that_it_is_withheld(
    toys: ToyClass,
) -> None:
    class_ = with_pages(toys)
    assert "You have 8.5 of 11 points." in page(class_.course, "ada")
    others = class_.course.feedback_path("bo", TOYS).stat().st_mtime_ns
    number = hold(class_, student="ada")
    said = page(class_.course, "ada")
    assert "withheld for now" in said
    for word in ("8.5", "points", "double", "law_", "A pending case", "Because."):
        assert word not in said
    assert class_.course.feedback_path("bo", TOYS).stat().st_mtime_ns == others
    assert write_feedback(class_.course, [TOYS]).new == 0  # nothing brings it back
    restore(class_.course, number, "grace")
    assert write_feedback(class_.course, [TOYS]).new == 1
    assert "You have 8.5 of 11 points." in page(class_.course, "ada")


def test_of_one_exercise_that_is_withheld_a_page_tells_nothing_and_of_the_others_all(
    class_: ToyClass,
) -> None:
    hold(class_, "double", "ada")
    said = page(class_.course, "ada")
    assert "You have 5.5 of 6 points so far; 5 more are withheld" in said  # Counter and why
    assert "double withheld (5 points)" in said
    assert "law_0" not in said
    assert "law_0" in page(class_.course, "bo")


def test_a_page_that_tells_too_much_is_gone_even_if_no_other_can_be_written(
    class_: ToyClass,
) -> None:
    class_.course.graded_path("ada", TOYS).unlink()
    hold(class_, "double", "ada")
    assert not class_.course.feedback_path("ada", TOYS).exists()


def test_a_page_that_isnt_there_yet_is_not_written_by_withholding(class_: ToyClass) -> None:
    class_.course.feedback_path("ada", TOYS).unlink()
    hold(class_)
    assert not class_.course.feedback_path("ada", TOYS).exists()


@pytest.mark.parametrize("exercise", ["", "double"])
@pytest.mark.parametrize("target", ["csv", "gradescope"])
def test_a_table_has_no_points_of_whom_anything_is_withheld_from(
    class_: ToyClass, exercise: str, target: str
) -> None:
    hold(class_, exercise, "ada")
    for choices in (Choices(), Choices(partial=True), Choices(by_exercise=True)):
        _, ada, bo = table(class_.course, choices, target)
        assert TOTAL in bo
        assert "kept back" in ada
        assert [cell for cell in ada if cell in ("8.5", "3", "4", "1.5", "5.5", "0")] == []


def test_a_zip_has_no_page_of_whom_all_is_withheld_from(class_: ToyClass, tmp_path: Path) -> None:
    for number, name in enumerate(("ada", "bo")):
        source = {"platform": "canvas", "entry": f"{name}_10{number}_900{number}_toys.ipynb"}
        path = class_.course.submission_path(name, TOYS).with_name("source.json")
        path.write_text(json.dumps(source | {"submitted_at": "2026-10-05T12:00:00Z"}))
    hold(class_, student="ada")
    done = pack_feedback(class_.course, "canvas", TOYS, tmp_path / "pages.zip")
    assert "toys: withheld, so nothing is returned to: ada." in done.notes
    with zipfile.ZipFile(tmp_path / "pages.zip") as packed:
        assert packed.namelist() == ["bo_101_9001_toys.html"]


@pytest.mark.exhaustive  # nbgrader's own command takes seconds; its feedback is tried below
@in_either_database
def test_nbgraders_own_export_has_no_points_of_it_and_all_of_the_others(toys: ToyClass) -> None:
    class_ = with_pages(toys)
    hold(class_, "double", "ada")
    done = run(class_.course.root, "-m", "nbgrader", "export")
    assert done.returncode == 0, done.stderr
    header, *lines = (class_.course.root / "grades.csv").read_text().splitlines()
    rows = [dict(zip(header.split(","), line.split(","), strict=True)) for line in lines]
    shown = {row["student_id"]: (row["raw_score"], row["score"]) for row in rows}
    assert shown == {"ada": ("", ""), "bo": ("8.5", "8.5")}


def test_the_instructors_own_report_shows_it_and_says_so(class_: ToyClass) -> None:
    hold(class_, "double", "ada")
    path = write_class_report(class_.course, TOYS)
    assert path is not None
    said = text_of(path)
    assert "double : the marks of ada are withheld. A pending case." in said
    assert "8.5 of 11" in said


def test_before_its_date_nothing_is_given_out_and_a_note_says_so(
    class_: ToyClass, tmp_path: Path
) -> None:
    course = with_settings(class_.course.root, FUTURE)
    course.feedback_path("ada", TOYS).unlink()
    result = write_feedback(course, [TOYS])
    assert (result.new, result.unchanged) == (0, 0)
    assert result.notes == [
        "toys: no page was written, because its feedback is given out from 2199-10-12 08:00 UTC on."
    ]
    assert result.is_complete
    for row in table(course, Choices(partial=True, by_exercise=True))[1:]:
        assert not {TOTAL, "3", "4", "1.5"} & set(row)
    done = pack_feedback(course, "canvas", TOYS, tmp_path / "pages.zip")
    assert done.left_out == done.students == 0
    assert "nothing was packed" in done.notes[0]
    assert not (tmp_path / "pages.zip").exists()
    found = autograder(course.root, "return", "--to", "canvas")
    assert (found.returncode, "nothing was packed" in found.stderr) == (0, True)


def test_after_its_date_everything_is_given_out(class_: ToyClass) -> None:
    course = with_settings(class_.course.root, PAST)
    assert write_feedback(course, [TOYS]).unchanged == 2
    assert marks_to_export(course, TOYS)["ada"].kept_back == ""
    assert TOTAL in table(course, Choices())[1]


def test_what_nbgrader_makes_before_the_date_says_nothing_but_that(class_: ToyClass) -> None:
    course = with_settings(class_.course.root, FUTURE)
    done = run(course.root, "-m", "nbgrader", "generate_feedback", TOYS, "--force")
    assert done.returncode == 0, done.stderr
    assert "its feedback is given out from" in page(course, "ada")
    assert "points" not in page(course, "ada")
