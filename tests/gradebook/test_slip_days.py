"""Slip days go where they gain a student the most, and the list of who is late says so."""

import shutil
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbgrader.api import Gradebook

from autograder.course import Course
from autograder.course.roster import EVERYBODY
from autograder.errors import CourseError
from autograder.gradebook import configuration
from autograder.gradebook.database import opened, shared_engine
from autograder.gradebook.late_list import WIDTH, by_student, late_lines, late_table
from autograder.gradebook.lateness import Lateness, read_lateness, settle, shared_out
from autograder.gradebook.marks import read_marks
from autograder.gradebook.tables import GRADE
from autograder.intake.times import LATE
from tests.toys import TOYS, course_of, with_settings

DUE = datetime(2026, 2, 1, 12, tzinfo=UTC)
NAMES = ("one", "two", "three")
TABLES = "".join(
    f"[assignments.{name}]\ndue = {(DUE + timedelta(days=30 * n)).isoformat()}\n"
    for n, name in enumerate(NAMES)
)
POLICY = "late = { per_day = 0.1, at_most = 0.3, grace_minutes = 15 }\n"
GAINS = st.lists(st.lists(st.integers(0, 5), max_size=4).map(lambda rest: [0, *rest]), max_size=4)


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A course of three assignments."""
    course = course_of(tmp_path)
    for name in NAMES:
        shutil.copy(course.solutions / f"{TOYS}.py", course.solutions / f"{name}.py")
    return course


def settled(
    course: Course, settings: str, late: Mapping[str, tuple[float, float]]
) -> dict[str, Lateness]:
    """Let ada have these points, and be late by so many hours; return what that costs."""
    course = with_settings(course.root, settings)
    url = configuration.url(course)
    with shared_engine(url), Gradebook(url) as book:
        book.update_or_create_student("ada")
        for name, (points, hours) in late.items():
            due = course.settings.due(name) or DUE
            time = (due + timedelta(hours=hours)).replace(tzinfo=None)
            book.update_or_create_assignment(name)
            book.update_or_create_notebook(name, name)
            book.update_or_create_grade_cell("f", name, name, max_score=10, cell_type="code")
            book.update_or_create_submission(name, "ada", timestamp=time)
            grade = book.find_grade("f", name, name, "ada")
            grade.auto_score, grade.needs_manual_grade = points, False
        book.db.commit()
    return {each.assignment: each for each in read_lateness(course)}


@pytest.mark.slow
@given(GAINS, st.integers(0, 6))
def test_of_all_ways_to_use_the_days_the_best_is_taken(gains: list[list[int]], days: int) -> None:
    """The most points; then the fewest days; then as many as can be on the earliest."""
    ways = [way for way in product(*(range(len(each)) for each in gains)) if sum(way) <= days]
    worth = {way: sum(gain[n] for gain, n in zip(gains, way, strict=True)) for way in ways}
    assert shared_out(gains, days) == max(ways, key=lambda way: (worth[way], -sum(way), way))


@pytest.mark.parametrize(
    ("days", "late", "used", "lost"),
    [
        # 8 - 0.8 = 7.2 and 10 - 1: the day is worth more on the second.
        (1, {"one": (8, 5), "two": (10, 5)}, {"two": 1}, 0.8),
        # Alike: the first.
        (2, {"one": (10, 5), "two": (10, 5)}, {"one": 1, "two": 1}, 0),
        (2, {"one": (10, 5), "two": (10, 5), "three": (10, 5)}, {"one": 1, "two": 1}, 1),
        # Five days late cost as much as three: two slip days gain nothing there.
        (2, {"one": (10, 5 * 24), "two": (1, 30)}, {"two": 2}, 3),
        # Within the grace, nothing is late, and no day is used.
        (2, {"one": (10, 0.2), "two": (10, 24.2)}, {"two": 1}, 0),
        # No points, nothing to gain.
        (2, {"one": (0, 5), "two": (10, 70)}, {"two": 2}, 1),
    ],
)
def test_slip_days_cover_whole_days_and_the_policy_the_rest(
    course: Course,
    days: int,
    late: dict[str, tuple[float, float]],
    used: dict[str, int],
    lost: float,
) -> None:
    found = settled(course, f"slip_days = {days}\n{POLICY}{TABLES}", late)
    assert {name: each.slip for name, each in found.items() if each.slip} == used
    assert sum(each.penalty or 0 for each in found.values()) == pytest.approx(lost)
    stored = {
        (each.assignment, each.penalty) for each in read_marks(Course.load(course.root), NAMES)
    }
    assert stored == {(name, each.penalty or 0) for name, each in found.items()}


def test_points_that_are_given_later_move_the_days(course: Course) -> None:
    settings = f"slip_days = 1\n{POLICY}{TABLES}"
    before = settled(course, settings, {"one": (5, 5), "two": (4, 5)})
    assert (before["one"].slip, before["two"].slip) == (1, 0)
    after = settled(course, settings, {"two": (9, 5)})
    assert (after["one"].slip, after["two"].slip) == (0, 1)
    assert after["one"].penalty == pytest.approx(0.5)


def test_points_given_at_the_desk_on_one_assignment_move_the_days_of_another(
    course: Course,
) -> None:
    settings = f"slip_days = 1\n{POLICY}{TABLES}"
    settled(course, settings, {"one": (5, 5), "two": (9, 5)})
    course = with_settings(course.root, settings)
    with opened(configuration.url(course)) as engine:
        with engine.begin() as connection:
            change = GRADE.update().where(GRADE.c.auto_score == 9)
            connection.execute(change.values(manual_score=0.5))
        found = settle(course, engine, "two", "ada")
    assert {each.assignment: each.slip for each in found} == {"one": 1, "two": 0}


def test_a_student_may_choose_where_days_go(course: Course) -> None:
    chosen = TABLES.replace("[assignments.two]", "[assignments.two]\nslip = { ada = 2 }")
    late = {"one": (10, 50), "two": (2, 50)}
    found = settled(course, f"slip_days = 3\n{POLICY}{chosen}", late)
    assert {name: each.slip for name, each in found.items()} == {"one": 1, "two": 2}
    none = chosen.replace("ada = 2", "ada = 0")
    found = settled(course, f"slip_days = 3\n{POLICY}{none}", late)
    assert {name: each.slip for name, each in found.items()} == {"one": 3, "two": 0}


def test_more_chosen_days_than_there_are_are_refused(course: Course) -> None:
    chosen = TABLES.replace("[assignments.two]", "[assignments.two]\nslip = { ada = 2 }")
    with pytest.raises(CourseError, match="`slip` gives ada 2 days in all, and `slip_days` is 1"):
        with_settings(course.root, f"slip_days = 1\n{chosen}")


def test_a_sections_extension_holds_for_its_students_but_their_own_goes_first(
    course: Course,
) -> None:
    (course.root / "roster.csv").write_text(
        'student_id,section\nada,A\nbo,"Lecture 1 and A"\ncy,B\nda,A\n'
    )
    own = "extensions_by_section = { a = 2026-02-03T12:00:00 }\n"
    own += "extensions = { da = 2026-02-02T12:00:00 }"
    due = "[assignments.one]\ndue = 2026-02-01T12:00:00\n"
    course = with_settings(course.root, due + own)
    days = {who: course.settings.due("one", who) for who in ("ada", "bo", "cy", "da")}
    assert [time.day for time in days.values() if time] == [3, 3, 1, 2]
    with pytest.raises(CourseError, match="Nobody is in a section 'C': there are A, B, Lecture 1"):
        with_settings(course.root, due + "extensions_by_section = { C = 2026-02-03T12:00:00 }")


def test_the_list_says_what_was_late_what_it_costs_and_why(course: Course) -> None:
    late = {"one": (10, 30), "two": (8, 3), "three": (7, -5)}
    settings = f'slip_days = 2\ntime_zone = "Europe/Berlin"\n{POLICY}{TABLES}'
    found = by_student(list(settled(course, settings, late).values()), EVERYBODY)
    course = Course.load(course.root)
    lines = list(late_lines(course, found, NAMES))
    assert lines == [
        "ada: 25 - 0.8 = 24.2 points; 0 of 2 slip days left",
        "  one: 10 - 0 points: 2 days late, 2 by slip days; due 2026-02-01 13:00, handed",
        "    in 2026-02-02 19:00",
        "  two: 8 - 0.8 points: 1 day late; due 2026-03-03 13:00, handed in 2026-03-03",
        "    16:00",
        "Times are in the time zone Europe/Berlin.",
        "0 students without anything late",
    ]
    assert max(map(len, lines)) <= WIDTH
    header, first, *_ = late_table(course, found, NAMES).decode().splitlines()
    assert header.startswith("student_id,assignment,points before,penalty,points,handed in,due,")
    assert first == "ada,one,10,0,10,2026-02-02 19:00,2026-02-01 13:00,,2,2,0,"


def test_who_is_late_by_the_platforms_flag_alone_is_told_and_loses_nothing(course: Course) -> None:
    for student in ("ada", "bo"):
        course.submission_path(student, "one").parent.mkdir(parents=True)
    course.submission_path("ada", "one").with_name(LATE).touch()
    found = by_student([Lateness("one", who, 10, None, DUE) for who in ("ada", "bo")], EVERYBODY)
    *lines, on_time, timeless = late_lines(course, found, NAMES)
    said = " ".join(lines)
    assert said.startswith("ada: one is late by the platform's flag, and costs nothing, because")
    assert said.endswith("into submitted/ada/one/timestamp.txt, and grade again")
    assert on_time == "1 student without anything late"
    assert timeless.startswith("1 submission counts as in time")
    rows = late_table(course, found, NAMES).decode().splitlines()[1:]
    assert [row.endswith(",yes") for row in rows] == [True, False]
