"""Let nbgrader take the solutions out of a notebook, and enter it in the gradebook."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import GenerateAssignment
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import SaveCells
from traitlets.config import Config

from autograder.course import Course
from autograder.errors import CourseError, ReleaseError
from autograder.gradebook import configuration

_NOBODY = "."  # nbgrader's student of files that belong to no student


def generate(course: Course, solved: Mapping[str, NotebookNode]) -> dict[str, str]:
    """Return the text of each released notebook; keep the solved ones where nbgrader looks.

    nbgrader works in a directory of its own: it empties the one that it writes to, and a release
    that fails has to leave the last one in place.
    """
    config = configuration.load(course)
    with TemporaryDirectory() as folder:
        coursedir = CourseDirectory(config=configuration.elsewhere(config, Path(folder)))
        for name, notebook in solved.items():
            path = _path(coursedir, coursedir.source_directory, name)
            path.parent.mkdir(parents=True)
            nbformat.write(notebook, path)  # type: ignore[no-untyped-call]
            _convert(coursedir, name)
        released = {
            name: _path(coursedir, coursedir.release_directory, name).read_text("utf-8")
            for name in solved
        }
        _keep_sources(coursedir, CourseDirectory(config=config), solved)
    return released


def _path(coursedir: CourseDirectory, step: str, assignment: str) -> Path:
    folder = Path(coursedir.format_path(step, _NOBODY, assignment))
    return folder / f"{assignment}.ipynb"


def _convert(coursedir: CourseDirectory, assignment: str) -> None:
    coursedir.assignment_id = assignment
    without_gradebook = Config(coursedir.config, SaveCells=Config(enabled=False))
    converter = GenerateAssignment(coursedir=coursedir, config=without_gradebook, no_database=True)
    try:
        converter.start()
    except NbGraderException as error:
        raise ReleaseError(f"nbgrader can't make an assignment of {assignment}: {error}") from error


def _keep_sources(
    made: CourseDirectory, course: CourseDirectory, assignments: Mapping[str, NotebookNode]
) -> None:
    for name in assignments:
        path = _path(course, course.source_directory, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_path(made, made.source_directory, name), path)


def enter(course: Course, assignment: str) -> None:
    """Enter the release of `assignment` in the gradebook, or bring what is there up to date.

    Raises `CourseError` if there are submissions to a release with other cells.
    """
    coursedir = CourseDirectory(config=configuration.load(course))
    notebook = nbformat.read(course.release_path(assignment), as_version=4)  # type: ignore[no-untyped-call]
    with Gradebook(coursedir.db_url, coursedir.course_id) as gradebook:
        gradebook.update_or_create_assignment(assignment)
        if _checksums(gradebook, assignment) == _checksums_in(notebook):
            return
    names = {"notebook": assignment, "assignment": assignment, "db_url": coursedir.db_url}
    try:
        SaveCells().preprocess(notebook, {"nbgrader": names})
    except RuntimeError:
        raise CourseError(
            f"The gradebook has submissions to an earlier {assignment} with other cells: "
            "take their names back, or move `gradebook.db` away and grade again."
        ) from None


def enter_before(assignment: str, student: str, notebooks: list[str]) -> None:
    """Enter an assignment when nbgrader is about to autograde; it stands in the course's root."""
    enter(Course(Path.cwd()), assignment)


def _checksums(gradebook: Gradebook, assignment: str) -> dict[str, str]:
    """Return the checksum of each cell of the assignment that the gradebook knows."""
    try:
        cells = gradebook.find_notebook(assignment, assignment).source_cells
    except MissingEntry:
        return {}
    return {cell.name: cell.checksum for cell in cells}


def _checksums_in(notebook: NotebookNode) -> dict[str, str]:
    marks = [cell.metadata.nbgrader for cell in notebook.cells if "nbgrader" in cell.metadata]
    return {mark.grade_id: mark.checksum for mark in marks}
