"""Read an instructor's solution script: the percent script that an assignment is made from."""

from __future__ import annotations

import re

from autograder.course import Course
from autograder.errors import CourseError

_MARKER_LINE = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.MULTILINE)


def sources(course: Course, assignment: str) -> dict[str, str]:
    """Return the cells that the grader runs, solved: given code and solutions by name, in order.

    Exercises that `course.toml` leaves out are left out.
    """
    import jupytext  # here: what grades never needs it, and it takes long to import

    path = course.solutions / f"{course.check_assignment(assignment)}.py"
    try:
        script = jupytext.read(path, fmt="py:percent")
    except Exception as error:  # jupytext has no error of its own for what it can't read
        raise CourseError(f"{path.name} can't be read as a percent script: {error}") from error
    names = [cell.metadata.get("setup") or cell.metadata.get("solution") for cell in script.cells]
    cells = zip(names, script.cells, strict=True)
    left_out = course.settings.assignment(assignment).left_out
    return {
        name: _MARKER_LINE.sub("", cell.source)
        for name, cell in cells
        if name and name not in left_out
    }
