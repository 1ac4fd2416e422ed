"""Due dates, extensions and what lateness costs reach nbgrader's gradebook from `course.toml`."""

from datetime import datetime, timedelta

import pytest

from autograder.course import Course
from autograder.course.settings import LatePolicy
from autograder.gradebook.lateness import late_penalty
from autograder.gradebook.recording import record
from autograder.report import Outcome
from tests.gradebook.books import book_of, penalty
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, with_settings

DUE = "[assignments.toys]\ndue = 2026-02-01T12:00:00+02:00"
POLICY = "late = { per_day = 0.1, at_most = 0.5 }\n"
THREE_OF_NINE = (*3 * [Outcome.PASSED], *6 * [Outcome.FAILED])
EXTENSION = "\nextensions = { a = 2026-02-03T12:00:00+02:00 }"


def handed_in(toys: ToyClass, settings: str, timestamp: str = "2026-02-02 11:00:00 UTC") -> Course:
    """Hand in by `timestamp` what gets 9 points, and record it by these settings."""
    course = with_settings(toys.course.root, settings)
    toys.hand_in("a", RIGHT)
    course.submission_path("a", TOYS).with_name("timestamp.txt").write_text(timestamp)
    assert record(course, [toys.report("a", *9 * [Outcome.PASSED])]) == []
    return course


@pytest.mark.parametrize(
    ("hours", "lost"), [(0, 0), (0.2, 0), (0.3, 1), (24.2, 1), (24.3, 2), (999, 5)]
)
def test_each_day_begun_after_the_grace_costs_its_share_up_to_the_most(
    hours: float, lost: float
) -> None:
    policy = LatePolicy(per_day=0.1, at_most=0.5, grace_minutes=15)
    assert late_penalty(policy, 10, 3600 * hours) == pytest.approx(lost)


def test_the_due_date_reaches_the_gradebook_in_utc(toys: ToyClass) -> None:
    with book_of(handed_in(toys, DUE)) as book:
        assert book.find_assignment(TOYS).duedate == datetime(2026, 2, 1, 10)


def test_an_extension_reaches_the_gradebook_and_goes_when_it_is_taken_back(toys: ToyClass) -> None:
    with book_of(handed_in(toys, DUE + EXTENSION)) as book:
        assert book.find_submission(TOYS, "a").extension == timedelta(days=2)
    with book_of(handed_in(toys, DUE)) as book:
        assert book.find_submission(TOYS, "a").extension is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "lost"),
    [
        (POLICY + DUE, 1.8),  # a day and an hour: two days begun, of 9 points
        (POLICY + DUE + EXTENSION, None),
        (DUE, None),
        (POLICY.replace("at_most = 0.5", "grace_minutes = 60") + DUE, 0.9),
        (f"{POLICY}{DUE}\nlate = {{ per_day = 1 }}", 9),
    ],
    ids=["policy", "extension", "no policy", "grace", "own policy"],
)
def test_the_penalty_is_computed_as_the_policy_says(
    toys: ToyClass, settings: str, lost: float | None
) -> None:
    assert penalty(handed_in(toys, settings)) == pytest.approx(lost)


def test_an_extension_over_the_end_of_summer_time_lasts_until_the_hour_that_it_names(
    toys: ToyClass,
) -> None:
    settings = (
        'time_zone = "Europe/Berlin"\nlate = { per_day = 0.1 }\n[assignments.toys]\n'
        "due = 2026-10-24T12:00:00\nextensions = { a = 2026-10-26T12:00:00 }\n"
    )
    assert penalty(handed_in(toys, settings, "2026-10-26T11:30:00+01:00")) is None
    assert penalty(handed_in(toys, settings, "2026-10-26T12:30:00+01:00")) == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("text", "lost"), [("2026-02-01 11:30:00", 1.8), ("2026-02-01 11:30:00 CET", None)]
)
def test_a_time_means_what_collecting_says_that_it_means(
    toys: ToyClass, text: str, lost: float | None
) -> None:
    late = "late = { per_day = 0.2 }\n"
    settings = f'time_zone = "Europe/Berlin"\n{late}[assignments.toys]\ndue = 2026-02-01T12:00:00\n'
    assert penalty(handed_in(toys, settings, text)) == pytest.approx(lost)


def test_where_course_toml_gives_no_due_date_the_gradebooks_own_stands(toys: ToyClass) -> None:
    course = handed_in(toys, POLICY)
    with book_of(course) as book:
        book.update_or_create_assignment(TOYS, duedate=datetime(2026, 2, 2))
    assert penalty(handed_in(toys, POLICY)) == pytest.approx(0.9)


def test_where_course_toml_says_no_penalty_nbgraders_own_settings_do(toys: ToyClass) -> None:
    """And it doesn't hang on the file that says when something was handed in."""
    course = toys.course
    with (course.root / "nbgrader_config.py").open("a") as config:
        config.write('\nc.LateSubmissionPlugin.penalty_method = "zero"\n')
    toys.hand_in("a", RIGHT)
    report = toys.report("a", *THREE_OF_NINE)
    record(course, [report])
    with book_of(course) as book:
        book.update_or_create_assignment(TOYS, duedate=datetime(2026, 2, 1))
        book.update_or_create_submission(TOYS, "a", timestamp=datetime(2026, 2, 2))
    record(course, [report])
    assert penalty(course) == 3
    with book_of(course) as book:
        book.grant_extension(TOYS, "a", days=2)
    record(course, [report])
    assert penalty(course) is None
