"""Enter released assignments and their due dates in the gradebook."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import SaveCells

from autograder.course import Course
from autograder.errors import CourseError
from autograder.gradebook import configuration
from autograder.gradebook.due import due_in_utc


def enter(course: Course, assignment: str) -> None:
    """Enter the release of `assignment` in the gradebook, or update its entry.

    Raises `CourseError` if the gradebook has submissions to an earlier release with other cells.
    """
    coursedir = CourseDirectory(config=configuration.load(course))
    notebook = nbformat.read(course.release_path(assignment), as_version=4)  # type: ignore[no-untyped-call]
    with Gradebook(coursedir.db_url, coursedir.course_id) as gradebook:
        due = due_in_utc(course, assignment)
        gradebook.update_or_create_assignment(assignment, **({"duedate": due} if due else {}))
        if _checksums(gradebook, assignment) == _checksums_in(notebook):
            return
    names = {"notebook": assignment, "assignment": assignment, "db_url": coursedir.db_url}
    try:
        SaveCells().preprocess(notebook, {"nbgrader": names})
    except RuntimeError:
        raise CourseError(
            f"The gradebook has submissions to an earlier version of {assignment} with other "
            "cells: restore the old names, or move `gradebook.db` away and grade again."
        ) from None


def enter_before(assignment: str, student: str, notebooks: list[str]) -> None:
    """Enter an assignment before nbgrader autogrades it; nbgrader runs in the course's root."""
    enter(Course.load(Path.cwd()), assignment)


def _checksums(gradebook: Gradebook, assignment: str) -> dict[str, str]:
    """Return the gradebook's checksum of each cell of the assignment, by name."""
    try:
        cells = gradebook.find_notebook(assignment, assignment).source_cells
    except MissingEntry:
        return {}
    return {cell.name: cell.checksum for cell in cells}


def _checksums_in(notebook: NotebookNode) -> dict[str, str]:
    marks = [cell.metadata.nbgrader for cell in notebook.cells if "nbgrader" in cell.metadata]
    return {mark.grade_id: mark.checksum for mark in marks}
