"""nbgrader's own commands, and its formgrader, work on a course of ours."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.errors import SubmissionError
from autograder.gradebook.steps import formgrader_command, report_on
from autograder.grading.submissions import save_report
from autograder.report import Outcome
from tests.commands import run
from tests.course.test_sheets import cells_of, is_obeyed
from tests.gradebook.books import book_of, grades
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED


def run_nbgrader(course: Course, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run nbgrader's own command line, on a PATH that knows nothing of our environment."""
    return run(course.root, "-m", "nbgrader", *arguments, PATH="/usr/bin:/bin")


@pytest.mark.slow
def test_nbgraders_own_command_comes_to_the_same_grades(toys: ToyClass) -> None:
    (toys.course.root / "gradebook.db").unlink()
    toys.hand_in("a", RIGHT)
    toys.report("a", *3 * [PASSED], *6 * [FAILED])
    done = run_nbgrader(toys.course, "autograde", "toys")
    assert done.returncode == 0, done.stderr
    assert grades(toys.course, "a")["double_test"] == (3, False)
    versions = sqlite3.connect(toys.course.root / "gradebook.db").execute(
        "SELECT version_num FROM alembic_version"
    )
    assert versions.fetchone()


@pytest.mark.slow
def test_nbgraders_own_release_is_ours(toys: ToyClass) -> None:
    ours = toys.course.release_path("toys").read_bytes()
    done = run_nbgrader(toys.course, "generate_assignment", "toys", "--force")
    assert done.returncode == 0, done.stderr
    assert toys.course.release_path("toys").read_bytes() == ours


@pytest.mark.slow
def test_the_formgrader_lists_what_is_released(toys: ToyClass) -> None:
    (toys.course.root / "gradebook.db").unlink()
    command = formgrader_command(toys.course)
    assert Path(command[0]) == Path(sys.executable)
    with book_of(toys.course) as book:
        assert [assignment.name for assignment in book.assignments] == ["toys"]


@pytest.mark.exhaustive  # nbgrader's own command takes seconds
def test_no_cell_of_nbgraders_own_table_is_a_formula(toys: ToyClass) -> None:
    with book_of(toys.course) as book:
        book.add_student("a", last_name="=1+1;=2", first_name="\uff0bx", email="@x")
    assert run_nbgrader(toys.course, "export").returncode == 0
    raw = (toys.course.root / "grades.csv").read_bytes()
    assert b"1+1" in raw
    assert [cell for cell in cells_of(raw) if is_obeyed(cell)] == []


# The report on a submission that nbgrader autogrades: the one on file if it is about these bytes


@pytest.fixture
def ada(toys: ToyClass) -> ToyClass:
    """A class of which `ada` handed in what is right."""
    toys.hand_in("ada", RIGHT)
    return toys


def test_the_report_on_file_is_taken_as_it_is(ada: ToyClass) -> None:
    kept = ada.report("ada", *9 * [Outcome.FAILED])
    assert report_on(ada.course, "ada", TOYS) == kept


def test_without_a_report_the_submission_is_graded_and_the_report_kept(ada: ToyClass) -> None:
    report = report_on(ada.course, "ada", TOYS)
    assert (report.score, report.max_score) == (9, 9)
    assert ada.course.report_path("ada", TOYS).read_text() == report.to_json()


def test_a_report_by_another_seed_is_kept_for_the_class_was_graded_by_it(ada: ToyClass) -> None:
    kept = ToyClass(ada.course.with_seed(7)).report("ada", *9 * [Outcome.FAILED])
    save_report(ada.course, kept)
    assert report_on(ada.course, "ada", TOYS) == kept


@pytest.mark.slow
@pytest.mark.parametrize(
    "update",
    [{"notebook_sha256": "0" * 64}, {"fingerprint": {"limits": "0"}}, {"isolation": "odd"}],
)
def test_a_report_on_other_bytes_or_by_other_rules_is_replaced(
    ada: ToyClass, update: dict[str, object]
) -> None:
    first = report_on(ada.course, "ada", TOYS)
    save_report(ada.course, first.model_copy(update={"score": 99.0, **update}))
    assert report_on(ada.course, "ada", TOYS) == first


def test_a_file_that_is_no_notebook_gets_no_report(toys: ToyClass) -> None:
    toys.hand_in_bytes("ada", b"hello")
    with pytest.raises(SubmissionError, match="isn't a notebook"):
        report_on(toys.course, "ada", TOYS)
    assert not toys.course.report_path("ada", TOYS).exists()
