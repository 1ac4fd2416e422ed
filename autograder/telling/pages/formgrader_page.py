"""The texts on the formgrader's pages, which nbgrader makes in its own server."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from markupsafe import Markup
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode

from autograder.errors import GraderFault
from autograder.telling.pages.plain import NOT_RENDERED
from autograder.telling.pages.press import PRESS
from autograder.telling.pages.texts import Style, show
from autograder.work.bounded import Unfinished


class RenderTexts(Preprocessor):
    """Replaces each cell's source by HTML that a process made which can be killed."""

    enabled = True

    def preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook with HTML in it; the filters of our configuration let it pass."""
        try:
            made = PRESS.make(partial(_texts, nb))
        except Unfinished as error:
            raise GraderFault(f"The page can't be made: {error}.") from None
        for cell, (kind, text) in zip(nb.cells, json.loads(made.text), strict=True):
            cell.cell_type = kind
            cell.source = Markup(text)  # noqa: S704
        if made.why and nb.cells:
            nb.cells[0].source = NOT_RENDERED.format(made.why) + nb.cells[0].source
        return nb, resources


def _texts(notebook: NotebookNode, style: Style) -> str:
    show(notebook, style)
    return json.dumps([(cell.cell_type, cell.source) for cell in notebook.cells])
