"""nbgrader is given the report on file if it is about these very bytes, and a new one else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.errors import SubmissionError
from autograder.gradebook.reports import report_on
from autograder.report import Outcome
from tests.courses import copy_of_kit
from tests.toy_class import ToyClass

HOMEWORK = "hw1_attention"


@pytest.fixture
def homework(tmp_path: Path) -> Course:
    """A course with a real assignment, of which `a` handed in the release as it is."""
    course = copy_of_kit(tmp_path)
    submission = course.submission_path("a", HOMEWORK)
    submission.parent.mkdir(parents=True)
    shutil.copy(course.release_path(HOMEWORK), submission)
    return course


def test_the_report_on_file_is_taken_as_it_is(toys: ToyClass) -> None:
    toys.hand_in("a", {})
    kept = toys.report("a", *9 * [Outcome.PASSED])
    assert report_on(toys.course, "a", "toys") == kept


def test_without_a_report_the_submission_is_graded_and_the_report_kept(homework: Course) -> None:
    report = report_on(homework, "a", HOMEWORK)
    assert {exercise.outcome for exercise in report.exercises} == {Outcome.NOT_ATTEMPTED}
    assert homework.report_path("a", HOMEWORK).read_text() == report.to_json()


def test_a_report_on_other_bytes_is_replaced(homework: Course) -> None:
    first = report_on(homework, "a", HOMEWORK)
    flattering = first.model_copy(update={"score": 99.0, "notebook_sha256": "0" * 64})
    homework.report_path("a", HOMEWORK).write_text(flattering.to_json())
    assert report_on(homework, "a", HOMEWORK) == first


def test_a_report_by_other_rules_is_replaced(homework: Course) -> None:
    first = report_on(homework, "a", HOMEWORK)
    flattering = first.model_copy(update={"score": 99.0, "fingerprint": {"seed": "0"}})
    homework.report_path("a", HOMEWORK).write_text(flattering.to_json())
    assert report_on(homework, "a", HOMEWORK) == first


def test_half_a_report_is_replaced(homework: Course) -> None:
    homework.report_path("a", HOMEWORK).parent.mkdir(parents=True)
    homework.report_path("a", HOMEWORK).write_text('{"schema": "autograder/report/v1"')
    assert report_on(homework, "a", HOMEWORK).score == 0


def test_a_file_that_is_no_notebook_gets_no_report(homework: Course) -> None:
    homework.submission_path("a", HOMEWORK).write_text("hello")
    with pytest.raises(SubmissionError, match="isn't a notebook"):
        report_on(homework, "a", HOMEWORK)
    assert not homework.report_path("a", HOMEWORK).exists()
