"""Tests that are marked `after_deadline` run only once a student's due date has passed."""

import pytest

from autograder.authoring.release import release
from autograder.grading.settings import Settings
from autograder.grading.submissions import find_submissions, holds
from autograder.grading.worker import grade_one
from autograder.report import Outcome, Report
from autograder.sandbox.limits import Isolation
from autograder.telling.record import summary_of
from autograder.telling.text import comment_on
from autograder.work.processes import call_beside
from tests.toy_class import ToyClass
from tests.toys import DOUBLE_TESTS, RIGHT, TOYS, course_of, with_settings

MARKED = DOUBLE_TESTS.replace(
    "@points(1)\ndef test_a_table", "@points(1)\n@after_deadline\ndef test_a_table"
).replace("import expect", "import after_deadline, expect")
EARLY, LATE = "2100-01-01T00:00:00", "2020-01-01T00:00:00"
# Right, but for tables.
ROWS_ALONE = {"double": "def double(x):\n    return 2 * x if x.ndim < 2 else x"}


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> ToyClass:
    root = tmp_path_factory.mktemp("marked")
    course = course_of(root, settings=f"[assignments.toys]\ndue = {EARLY}\n")
    tests = root / "exercises" / TOYS / "hidden_tests" / "test_double.py"
    tests.write_text(MARKED)
    release(course, [TOYS])
    toys = ToyClass(course)
    toys.hand_in("ada", RIGHT | ROWS_ALONE)
    toys.hand_in("bob", RIGHT)
    return toys


def due(toys: ToyClass, date: str, more: str = "") -> ToyClass:
    settings = f"[assignments.toys]\ndue = {date}\n{more}"
    return ToyClass(with_settings(toys.course.root, settings))


def graded(toys: ToyClass, student: str) -> Report:
    (job,) = find_submissions(toys.course, [TOYS], student)
    settings = Settings(toys.course, Isolation.UNSAFE)
    found = call_beside(grade_one, job, settings)
    assert found.report, found
    return found.report


def is_up_to_date(toys: ToyClass, report: Report) -> bool:
    (job,) = find_submissions(toys.course, [TOYS], report.student)
    return holds(report, job, report.fingerprint, Isolation.UNSAFE)


@pytest.mark.slow
def test_before_it_they_tell_nothing_and_give_no_points(toys: ToyClass) -> None:
    for student in ("ada", "bob"):
        report = graded(due(toys, EARLY), student)
        double, counter = report.exercises
        (later,) = double.later
        assert (later.name, later.score, later.max_score) == ("test_a_table_is_doubled", 0, 1)
        assert (double.outcome, double.score, double.max_score) == (Outcome.LATER, 4, 5)
        assert (counter.outcome, report.score, report.max_score) == (Outcome.PASSED, 8, 9)


def test_after_it_what_was_graded_early_is_graded_again_and_they_count(toys: ToyClass) -> None:
    early = graded(due(toys, EARLY), "ada")
    assert is_up_to_date(due(toys, EARLY), early)
    after = due(toys, LATE)
    assert not is_up_to_date(after, early)
    double = graded(after, "ada").exercises[0]
    assert (double.outcome, double.score, double.later) == (Outcome.FAILED, 4, ())
    whole = graded(after, "bob")
    assert (whole.score, whole.is_early) == (9, False)
    assert is_up_to_date(after, whole)


def test_they_wait_for_the_due_date_of_the_student(toys: ToyClass) -> None:
    extended = due(toys, LATE, f"extensions = {{ ada = {EARLY} }}\n")
    assert graded(extended, "ada").is_early
    assert not graded(extended, "bob").is_early


def test_a_student_is_told_that_they_wait_and_what_for(toys: ToyClass) -> None:
    report = graded(due(toys, EARLY), "bob")
    summary = summary_of(report)
    card = summary.cards[0]
    assert (card.state, card.to_earn) == ("… some checks run once it is due", 0)
    assert card.checks[-1].points == "1 point, once it is due"
    assert "8 of 9 points (1 of them is for checks that run once it is due)" in summary.standing
    assert summary.next is None or summary.next.name == "why"
    assert comment_on(report.exercises[0]) == "All checks passed."
