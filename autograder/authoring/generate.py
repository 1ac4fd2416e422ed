"""Let nbgrader replace the solutions in notebooks with stubs."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.converters import GenerateAssignment
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import ClearSolutions
from traitlets.config import Config

from autograder.course import Course
from autograder.errors import ReleaseError
from autograder.gradebook import configuration

_NOBODY = "."  # nbgrader's student id for files that belong to no student


class NamedStubs(ClearSolutions):  # type: ignore[misc]
    """nbgrader's own step; each stub names the exercise that a student writes there.

    What a person grades may run before anything is written: its stub stops no notebook.
    """

    def preprocess_cell(
        self, cell: NotebookNode, resources: Any, cell_index: int
    ) -> tuple[NotebookNode, Any]:
        mark = cell.metadata.get("nbgrader", {})
        stub = f'raise NotImplementedError("{mark.get("grade_id", "")}: your turn")'
        self.code_stub = {"python": "# Write your answer here." if mark.get("grade") else stub}
        cleared: tuple[NotebookNode, Any] = super().preprocess_cell(cell, resources, cell_index)
        return cleared


def generate(course: Course, solved: Mapping[str, NotebookNode]) -> dict[str, str]:
    """Return the text of each released notebook.

    nbgrader empties the directory that it writes to, so it works in a temporary one.
    """
    config, released = configuration.load_settings(course), {}
    with TemporaryDirectory() as folder:
        here = Config(config.CourseDirectory, root=folder)
        # without a gradebook
        settings = Config(config, CourseDirectory=here, SaveCells=Config(enabled=False))
        coursedir = CourseDirectory(config=settings)
        for name, notebook in solved.items():
            path = _path(coursedir, coursedir.source_directory, name)
            path.parent.mkdir(parents=True)
            nbformat.write(notebook, path)  # type: ignore[no-untyped-call]
            coursedir.assignment_id = name
            try:
                GenerateAssignment(coursedir=coursedir, config=settings, no_database=True).start()
            except NbGraderException as error:
                raise ReleaseError(f"nbgrader can't generate {name}: {error}") from error
            made = _path(coursedir, coursedir.release_directory, name)
            released[name] = made.read_text("utf-8")
    return released


def _path(coursedir: CourseDirectory, step: str, assignment: str) -> Path:
    folder = Path(coursedir.format_path(step, _NOBODY, assignment))
    return folder / f"{assignment}.ipynb"
