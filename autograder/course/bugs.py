"""What a course's `bugs.toml` says: which known mistakes students are given to find.

In `exercises/<assignment>/bugs.toml`, a table for each exercise that asks for it says where the
mistakes come from, and which they are:

    [find_the_bug]
    assignment = "hw1_attention"
    exercise = "softmax"
    tags = ["softmax-first-axis", "softmax-no-shift"]
"""

from pathlib import Path
from typing import Any

from autograder.course.course import Course
from autograder.course.loading import files_below, read_toml
from autograder.errors import CourseError

FILE = "bugs.toml"
_KEYS = {"assignment", "exercise", "tags"}


def tables_in(path: Path) -> dict[str, Any]:
    """Return what a `bugs.toml` says, by exercise; nothing if it isn't there."""
    if not path.is_file():
        return {}
    tables = read_toml(path)
    for name, table in tables.items():
        if not isinstance(table, dict) or table.keys() != _KEYS:
            raise CourseError(f"{path}: the table {name} needs {', '.join(sorted(_KEYS))}.")
    return tables


def sources_of_bugs(course: Course, assignment: str) -> list[str]:
    """Return the assignments whose known mistakes students find in `assignment`."""
    tables = tables_in(course.exercises / assignment / FILE).values()
    return sorted({table["assignment"] for table in tables})


def files_of_bugs(course: Course, assignment: str) -> list[Path]:
    """Return the files that decide which bugs students find; none if they find none."""
    others = sources_of_bugs(course, assignment)
    banks = (files_below(course.misconceptions_path(other), "*.py") for other in others)
    own = [course.exercises / assignment / FILE] if others else []
    return [*own, *(file for bank in banks for file in bank)]
