"""The zip that an instructor uploads as a Gradescope assignment's autograder."""

from __future__ import annotations

from pathlib import Path

from autograder.course import Course
from autograder.platforms.packages import bundle

_RUNNERS = ("feedback_text.py", "gradescope_results.py", "gradescope_run.py", "handed_in.py")


def write(course: Course, assignment: str) -> Path:
    """Write `packages/<assignment>-gradescope.zip`; return its path."""
    return bundle.write(course, assignment, "gradescope", _RUNNERS)
