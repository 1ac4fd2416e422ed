"""An assignment is released only if its solution passes its own hidden tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.authoring.release import release
from autograder.course import Course
from autograder.errors import ReleaseError
from tests.toys import SCRIPT, TOYS, course_of, with_settings

WRONG = SCRIPT.replace("secret_factor = 2", "secret_factor = 3")
SLOW = "@points(1)\n@seconds(60)\n"


def make_slow(course: Course) -> None:
    """Make slow tests of those that doubling by three fails."""
    path = course.exercises / TOYS / "hidden_tests" / "test_double.py"
    text = path.read_text().replace("expect, points", "expect, points, seconds")
    path.write_text(text.replace("@points(1)\n", SLOW))


def solve(course: Course, script: str) -> None:
    (course.solutions / f"{TOYS}.py").write_text(script)


def test_a_solution_that_fails_is_not_released_and_the_test_is_named(tmp_path: Path) -> None:
    course = course_of(tmp_path, WRONG)
    says = r"the solution to double fails test_two_becomes_four and 3 more \(You don't double two"
    with pytest.raises(ReleaseError, match=says):
        release(course, [TOYS])
    assert not course.release_path(TOYS).exists()


def test_slow_tests_prove_nothing_where_they_are_skipped(tmp_path: Path) -> None:
    course = course_of(tmp_path, WRONG)
    make_slow(course)
    release(course, [TOYS], skip_slow=True)
    with pytest.raises(ReleaseError, match="the solution to double fails"):
        release(course, [TOYS])


def test_what_was_proven_is_proven_again_only_when_something_has_changed(tmp_path: Path) -> None:
    course = course_of(tmp_path)
    counter = tmp_path / "counted"
    tests = course.exercises / TOYS / "hidden_tests" / "test_double.py"
    count = f"with open({str(counter)!r}, 'a') as file:\n        file.write('x')\n"
    count = f"def pytest_runtest_call(item):\n    {count}"
    (course.exercises / "conftest.py").write_text(count)

    def runs() -> int:
        before = counter.stat().st_size if counter.exists() else 0
        release(course, [TOYS])
        return (counter.stat().st_size if counter.exists() else 0) - before

    assert [runs(), runs()] == [9, 0]
    solve(course, f"{SCRIPT}\n")
    assert [runs(), runs()] == [9, 0]
    tests.write_text(f"{tests.read_text()}\n")
    assert [runs(), runs()] == [9, 0]


def test_a_solution_that_needs_what_is_left_out_says_what_that_is(tmp_path: Path) -> None:
    needs_double = SCRIPT.replace("hidden_count += 1", "hidden_count += double(1) - 1")
    needs_double = needs_double.replace("points=2", "points=1")
    course = course_of(tmp_path, needs_double)
    release(course, [TOYS])
    course = with_settings(tmp_path, f'[assignments.{TOYS}]\nleft_out = ["double"]')
    with pytest.raises(ReleaseError, match="leaves out double: does the solution need"):
        release(course, [TOYS])
