"""Let nbgrader remove the solutions from notebooks."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbformat import NotebookNode
from nbgrader.converters import GenerateAssignment
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder.course import Course
from autograder.errors import ReleaseError
from autograder.gradebook import configuration

_NOBODY = "."  # nbgrader's student id for files that belong to no student


def generate(
    course: Course, solved: Mapping[str, NotebookNode], *, keep: bool = True
) -> dict[str, str]:
    """Return the text of each released notebook; `keep` stores the solved ones for nbgrader.

    nbgrader works in a temporary directory, because it empties the directory that it writes to,
    and a failed release must leave the previous one in place.
    """
    config = configuration.load(course)
    with TemporaryDirectory() as folder:
        coursedir = CourseDirectory(config=configuration.with_root(config, Path(folder)))
        for name, notebook in solved.items():
            path = _path(coursedir, coursedir.source_directory, name)
            path.parent.mkdir(parents=True)
            nbformat.write(notebook, path)  # type: ignore[no-untyped-call]
            _convert(coursedir, name)
        released = {
            name: _path(coursedir, coursedir.release_directory, name).read_text("utf-8")
            for name in solved
        }
        if keep:
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
        raise ReleaseError(f"nbgrader can't generate {assignment}: {error}") from error


def _keep_sources(
    made: CourseDirectory, course: CourseDirectory, assignments: Mapping[str, NotebookNode]
) -> None:
    for name in assignments:
        path = _path(course, course.source_directory, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_path(made, made.source_directory, name), path)
