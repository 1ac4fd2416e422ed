"""Read an instructor's solution script: the percent script that an assignment is made from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from autograder.course import Course
from autograder.errors import CourseError

if TYPE_CHECKING:  # nbformat is slow to import
    from nbformat import NotebookNode

_MARKER_LINE = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.MULTILINE)


def cells(course: Course, assignment: str) -> list[NotebookNode]:
    """Return the cells of the script, with the options of their headers as metadata.

    Raises `CourseError` if it can't be read.
    """
    import jupytext  # here: what grades never needs it, and it takes long to import

    path = course.solutions / f"{course.check_assignment(assignment)}.py"
    try:
        found: list[NotebookNode] = jupytext.read(path, fmt="py:percent").cells
    except Exception as error:  # jupytext has no error of its own for what it can't read
        raise CourseError(f"{path.name} can't be read as a percent script: {error}") from error
    return found


def sources(course: Course, assignment: str) -> dict[str, str]:
    """Return the cells that the grader runs, solved: given code and solutions by name, in order.

    Exercises that `course.toml` leaves out are left out.
    """
    left_out = course.settings.assignment(assignment).left_out
    return {
        name: _MARKER_LINE.sub("", cell.source)
        for cell in cells(course, assignment)
        if (name := cell.metadata.get("setup") or cell.metadata.get("solution"))
        and name not in left_out
    }
