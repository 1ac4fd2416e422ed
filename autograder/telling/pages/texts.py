"""The texts in a notebook as HTML, so that a template only has to put them into a page."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup
from nbformat import NotebookNode

from autograder.telling.pages.highlighting import highlight_code
from autograder.telling.pages.markdown import markdown2html
from autograder.telling.pages.plain import MAX_PAGE, MAX_TEXT, as_plain, cut

_RENDERERS: dict[str, Callable[[str], Markup]] = {
    "code": highlight_code,
    "markdown": markdown2html,
    "raw": as_plain,
}


class Style(enum.IntEnum):
    """How much is rendered, from all of it to nothing."""

    RENDERED = 0
    PLAIN_CELLS = 1  # comments are rendered, which quote the student at most
    PLAIN = 2


def show(notebook: NotebookNode, style: Style = Style.RENDERED) -> None:
    """Replace each cell's source, and the comment on it, by HTML that shows it.

    What is too long is shown as plain text up to a bound, and so is all that the page has no more
    room for. Raw cells become cells of markdown, since a template shows those as they are.
    """
    page = _Page(MAX_PAGE)
    for cell in notebook.cells:
        render = as_plain if style >= Style.PLAIN_CELLS else _RENDERERS[cell.cell_type]
        cell.source = page.shown(cell.source, render)
        if cell.cell_type == "raw":
            cell.cell_type = "markdown"
        mark = cell.metadata.get("nbgrader", {})
        if mark.get("comment"):
            render = as_plain if style >= Style.PLAIN else markdown2html
            mark["comment"] = page.shown(mark["comment"], render)


@dataclass
class _Page:
    """A page with room for so many more characters."""

    room: int

    def shown(self, text: str, render: Callable[[str], Markup]) -> Markup:
        length = min(len(text), MAX_TEXT, self.room)
        self.room -= length
        return render(text) if length == len(text) else cut(text, length)
