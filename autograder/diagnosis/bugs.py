"""Collect the bugs that students find: known mistakes, by what a course's `bugs.toml` says.

In `exercises/<assignment>/bugs.toml`, a table for each exercise that asks for it says where the
mistakes come from, and which they are:

    [find_the_bug]
    assignment = "hw1_attention"
    exercise = "softmax"
    tags = ["softmax-first-axis", "softmax-no-shift"]
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.course import Course
from autograder.diagnosis.banks import banks_of
from autograder.errors import CourseError
from autograder.testing.bugs import Bugs

FILE = "bugs.toml"
_KEYS = {"assignment", "exercise", "tags"}


def bugs_of(course: Course, assignment: str) -> dict[str, Bugs]:
    """Return the bugs of each exercise of `assignment` that asks for some, by exercise.

    Raises `CourseError` for a table that names no bank, or a tag that isn't in it.
    """
    path = course.exercises / assignment / FILE
    return {name: _bugs(course, path, name, table) for name, table in tables_in(path).items()}


def tables_in(path: Path) -> dict[str, Any]:
    """Return what a `bugs.toml` says, by exercise; nothing if it isn't there."""
    if not path.is_file():
        return {}
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CourseError(f"{path} is not valid TOML: {error}.") from None
    for name, table in tables.items():
        if not isinstance(table, dict) or table.keys() != _KEYS:
            raise CourseError(f"{path}: the table {name} needs {', '.join(sorted(_KEYS))}.")
    return tables


def _bugs(course: Course, path: Path, name: str, table: Mapping[str, Any]) -> Bugs:
    bank = banks_of(course, table["assignment"]).get(table["exercise"])
    if bank is None:
        source = f"{table['assignment']}/{table['exercise']}"
        raise CourseError(f"{path}: {name} takes its bugs from {source}, which has no bank.")
    made = {each.variants[0].tag: each.source for each in bank.singles()}
    if unknown := [tag for tag in table["tags"] if tag not in made]:
        raise CourseError(f"{path}: {bank.exercise} has no misconception {unknown[0]!r}.")
    return Bugs(name, bank.reference, tuple(made[tag] for tag in table["tags"]))
