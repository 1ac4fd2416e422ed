"""Collect the bugs that students find: the known mistakes that a course's `bugs.toml` names."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.course import Course
from autograder.course.bugs import FILE, tables_in
from autograder.diagnosis.banks import banks_of
from autograder.errors import CourseError
from autograder.testing.bugs import Bugs


def bugs_of(course: Course, assignment: str) -> dict[str, Bugs]:
    """Return the bugs of each exercise of `assignment` that asks for some, by exercise.

    Raises `CourseError` for a table that names no bank, or a tag that isn't in it.
    """
    path = course.exercises / assignment / FILE
    return {name: _bugs(course, path, name, table) for name, table in tables_in(path).items()}


def _bugs(course: Course, path: Path, name: str, table: Mapping[str, Any]) -> Bugs:
    bank = banks_of(course, table["assignment"]).get(table["exercise"])
    if bank is None:
        source = f"{table['assignment']}/{table['exercise']}"
        raise CourseError(
            f"{path}: {name} takes its bugs from {source}, which has no bank: "
            "write one, or name another exercise."
        )
    made = bank.sources()
    if unknown := [tag for tag in table["tags"] if tag not in made]:
        raise CourseError(
            f"{path}: {bank.exercise} has no misconception {unknown[0]!r}: correct the tag."
        )
    return Bugs(name, bank.reference, tuple(made[tag] for tag in table["tags"]))
