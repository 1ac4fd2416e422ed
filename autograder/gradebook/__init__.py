"""nbgrader, the system of record: nothing outside this package knows of it.

Importing nbgrader takes seconds, so it is imported when it is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from autograder.course import Course

if TYPE_CHECKING:
    from nbformat import NotebookNode


def generate_assignments(course: Course, solved: Mapping[str, NotebookNode]) -> dict[str, str]:
    """Return the text of the notebook to release for each solved notebook, by assignment."""
    from autograder.gradebook import assignments

    return assignments.generate(course, solved)
