"""Where nbgrader asks for a feedback page: a process that can be killed makes it.

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

from autograder.bounded import Unfinished
from autograder.course import Course
from autograder.errors import GraderFault
from autograder.pages import student_page
from autograder.pages.press import PRESS
from autograder.pages.sections import sections_of
from autograder.pages.texts import Style, show
from autograder.summary.content import Summary


class FeedbackExporter(Exporter):
    """Turns a graded notebook into the page that its author gets back.

    `said` has a sentence for each page that couldn't be rendered as it should be.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)  # type: ignore[no-untyped-call]
        self.said: list[str] = []
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
            made = PRESS.make(partial(_page, nb, summary))
        except Unfinished as error:
            raise GraderFault(f"The page of {summary.student} can't be made: {error}.") from None
        if made.why:
            self._say(summary, made.why)
        return made.text, resources

    def _warm_up(self, release: Path) -> None:
        """Have what all pages on an assignment share rendered once."""
        if release not in self._warm:
            PRESS.warm(partial(_warm, release))
            self._warm.add(release)

    def _say(self, summary: Summary, why: str) -> None:
        sentence = (
            f"{summary.student}'s page on {summary.assignment} shows plain text, because it "
            f"couldn't be rendered ({why}): look at what they wrote."
        )
        self.said.append(sentence)
        self.log.warning(sentence)


def _page(notebook: NotebookNode, summary: Summary, style: Style) -> str:
    sections = sections_of(notebook)  # by headings, which are HTML from here on
    show(notebook, style)
    return student_page.page(summary, sections)


def _warm(release: Path) -> None:
    show(nbformat.read(release, as_version=4))  # type: ignore[no-untyped-call]
