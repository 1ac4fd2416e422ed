"""Where nbgrader asks for pages: the texts in them are rendered by a process that may die."""

import json
from functools import partial
from pathlib import Path
from typing import Any

from markupsafe import Markup
from nbconvert.exporters import Exporter
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from traitlets import default

from autograder.course import Course
from autograder.errors import GraderFault
from autograder.telling.pages.press import PRESS, Made, Work, plain_because
from autograder.telling.pages.safe_html import NOT_RENDERED, Style, render_texts
from autograder.telling.pages.student_page import page_of, warm
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
        release = Course.load(Path(self.parent.coursedir.root)).release_path(summary.assignment)
        if release not in self._warm:  # what all pages on an assignment share is rendered once
            PRESS.warm(partial(warm, release))
            self._warm.add(release)
        page = f"{summary.student}'s page on {summary.assignment}"
        made = _made(partial(page_of, nb, summary), page)
        if made.why:
            self.log.warning(plain_because(page, made.why))
        return made.text, resources


class RenderTexts(Preprocessor):
    """Replaces the source of each cell on the formgrader's pages by HTML."""

    enabled = True

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook with HTML in it; the filters of our configuration let it pass."""
        made = _made(partial(_texts, nb), "The page")
        for cell, (kind, text) in zip(nb.cells, json.loads(made.text), strict=True):
            cell.cell_type = kind
            cell.source = Markup(text)  # noqa: S704
        if made.why and nb.cells:
            nb.cells[0].source = NOT_RENDERED.format(made.why) + nb.cells[0].source
        return nb, resources


def _made(work: Work, page: str) -> Made:
    try:
        return PRESS.make(work)
    except Unfinished as error:
        raise GraderFault(f"{page} can't be made: {error}.") from None


def _texts(notebook: NotebookNode, style: Style) -> str:
    render_texts(notebook, style)
    return json.dumps([(cell.cell_type, cell.source) for cell in notebook.cells])
