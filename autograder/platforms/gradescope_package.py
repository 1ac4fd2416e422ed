"""The zip that an instructor uploads as a Gradescope assignment's autograder."""

from __future__ import annotations

from pathlib import Path

from autograder.course import Course
from autograder.platforms.packaging import bundle

_RUNNERS = ("gradescope_results.py", "gradescope_run.py")


def write(course: Course, assignment: str) -> Path:
    """Write `packages/<assignment>-gradescope.zip`; return its path."""
    return bundle.write(course, assignment, "gradescope", _RUNNERS)
