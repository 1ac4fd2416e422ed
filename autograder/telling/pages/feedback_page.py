"""A feedback page, and where nbgrader asks for one: a process that can be killed makes it.

The marks are read in this process, and whatever a student wrote is rendered in the other.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import Exporter
from nbformat import NotebookNode
from traitlets import default

from autograder.course import Course
from autograder.errors import GraderFault
from autograder.telling.pages import student_page
from autograder.telling.pages.press import PRESS
from autograder.telling.pages.sections import sections_of
from autograder.telling.pages.texts import Style, show
from autograder.telling.record import Summary
from autograder.work.bounded import Unfinished


class FeedbackExporter(Exporter):
    """Turns a graded notebook into the page that its author gets back."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)  # type: ignore[no-untyped-call]
        self._warm: set[Path] = set()

    @default("file_extension")
    def _file_extension_default(self) -> str:
        return ".html"

    def from_notebook_node(  # type: ignore[override]  # as all of nbconvert's own exporters do
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kwargs: Any
    ) -> tuple[str, dict[str, Any]]:
        """Return the page as HTML, and the resources, in which `summary` must be."""
        assert self.parent is not None
        nb, resources = super().from_notebook_node(nb, resources, **kwargs)
        summary: Summary = resources["summary"]
        course = Course.load(Path(self.parent.coursedir.root))
        self._warm_up(course.release_path(summary.assignment))
        try:
            made = PRESS.make(partial(page_of, nb, summary))
        except Unfinished as error:
            raise GraderFault(f"The page of {summary.student} can't be made: {error}.") from None
        if made.why:
            self.log.warning(
                plain_because(f"{summary.student}'s page on {summary.assignment}", made.why)
            )
        return made.text, resources

    def _warm_up(self, release: Path) -> None:
        """Have what all pages on an assignment share rendered once."""
        if release not in self._warm:
            PRESS.warm(partial(warm, release))
            self._warm.add(release)


def plain_because(page: str, why: str) -> str:
    """Say that `page`, such as "ada's page on hw1", is plainer than it should be."""
    return (
        f"{page} shows plain text, because it couldn't be rendered ({why}): look at what they "
        "wrote."
    )


def page(notebook: bytes, summary: Summary, style: Style) -> str:
    """Return the page as HTML. Run it in a process that can be killed."""
    return page_of(nbformat.v4.reads_json(notebook), summary, style)  # type: ignore[no-untyped-call]


def page_of(notebook: NotebookNode, summary: Summary, style: Style) -> str:
    """Return the same for a notebook that is read already."""
    sections = sections_of(notebook)  # by headings, which are HTML from here on
    show(notebook, style)
    return student_page.page(summary, sections)


def warm(release: Path) -> None:
    """Render what all pages on an assignment share: the caches of this process keep it."""
    show(nbformat.read(release, as_version=4))  # type: ignore[no-untyped-call]
