"""A course is found, and the environment overrides what its `course.toml` says."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course import Course
from autograder.errors import CourseError
from tests.toys import course_of

BOOK = "postgresql://grader@db/grades"


def test_a_course_is_found_from_any_folder_in_it(tmp_path: Path) -> None:
    course = course_of(tmp_path)
    assert Course.find(course.solutions).root == tmp_path


def test_outside_a_course_one_sentence_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"There is no course\.toml here or above: change into"):
        Course.find(tmp_path)


def test_the_environment_overrides_the_seed_and_the_gradebook_and_that_is_announced(
    tmp_path: Path,
) -> None:
    course_of(tmp_path, settings="seed = 7")
    course = Course.load(tmp_path, {"AUTOGRADER_SEED": "3", "AUTOGRADER_DB_URL": BOOK})
    assert (course.seed, course.database) == (3, BOOK)
    assert course.overrides == (
        "AUTOGRADER_SEED overrides the seed in course.toml.",
        "AUTOGRADER_DB_URL overrides the database in course.toml.",
    )


def test_what_the_environment_says_alike_is_not_announced(tmp_path: Path) -> None:
    course_of(tmp_path, settings="seed = 7")
    assert Course.load(tmp_path, {"AUTOGRADER_SEED": "7"}).overrides == ()


def test_a_seed_in_the_environment_that_is_no_number_is_named(tmp_path: Path) -> None:
    course_of(tmp_path)
    with pytest.raises(CourseError, match=r"^AUTOGRADER_SEED is 'x': give a whole number\.$"):
        Course.load(tmp_path, {"AUTOGRADER_SEED": "x"})


def test_a_gradebook_file_lies_in_the_courses_folder(tmp_path: Path) -> None:
    assert course_of(tmp_path).database == f"sqlite:///{tmp_path}/gradebook.db?timeout=60"
