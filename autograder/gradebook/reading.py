"""Read submissions for nbgrader as the grader reads them.

nbgrader itself fails on a byte order mark, and aborts a whole class on one student's duplicated
cell. This exporter gives it a clean copy of the release with the student's answers instead.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TextIO

from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.converters import Autograde

from autograder.course import Course
from autograder.gradebook import nodes
from autograder.gradebook.leaving_out import leave_out
from autograder.intake.notebook import read_notebook, read_submitted
from autograder.intake.submission import Release, normalise


class SubmissionExporter(NotebookExporter):
    """nbgrader's exporter, except that submissions are read by `intake`.

    nbgrader makes it when it has found the submissions and looked at none.
    """

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)  # type: ignore[no-untyped-call]
        if isinstance(self.parent, Autograde):
            leave_out(self.parent)

    def from_file(
        self, file_stream: TextIO, resources: dict[str, Any] | None = None, **kwargs: Any
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Convert the notebook in an open file.

        Raises `SubmissionError` if a submission isn't a notebook of its assignment.
        """
        converter: Any = self.parent
        path, course = Path(file_stream.name), Course.load(Path(converter.coursedir.root))
        if resources is None or not path.is_relative_to(course.submitted):
            return super().from_file(file_stream, resources, **kwargs)
        release = Release.load(course, resources["nbgrader"]["assignment"])
        notebook = clean_copy(read_submitted(path), release)
        converted: tuple[NotebookNode, dict[str, Any]] = self.from_notebook_node(  # type: ignore[no-untyped-call]
            notebook, resources, **kwargs
        )
        return converted


def clean_copy(raw: bytes, release: Release) -> NotebookNode:
    """Return a submitted notebook as a copy of its release with the student's answers in it."""
    submission = normalise(read_notebook(raw), release)
    return nodes.notebook([submitted.cell for submitted in submission.cells])
