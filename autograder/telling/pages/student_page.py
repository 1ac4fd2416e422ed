"""The page that a student gets back: where they stand, what to do next, and their notebook.

Of the notebook, given cells of code and visible checks are left out, which the student knows: of
those, only the pictures are shown that they drew for the student.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import nbformat
from markupsafe import Markup
from nbformat import NotebookNode

from autograder.intake.notebook import OWN
from autograder.telling.pages.looks import rendered
from autograder.telling.pages.pictures import drawn_in
from autograder.telling.pages.safe_html import render_texts
from autograder.telling.record import Summary

_TITLE = re.compile(r"\s{0,3}#{1,2}\s+(.{1,200})")  # in markdown
_MARKUP = re.compile(r"[*`#$]|\b_|_\b")  # not the underscores within a name
_HEADING = re.compile(r"<(/?)h([1-4])>")
_FIRST = re.compile(r"\s*<h([12])>.{0,1000}?</h\1>", re.DOTALL)
_PICTURES = ("image/png", "image/jpeg")


@dataclass(frozen=True)
class ShownCell:
    """A cell that is shown: with a `name`, an answer; of a `picture`, only what it drew."""

    kind: Literal["prose", "answer", "own", "picture"]
    cell: NotebookNode
    name: str = ""


@dataclass
class PageSection:
    """A part of the notebook, from one heading to the next."""

    title: str
    cells: list[ShownCell] = field(default_factory=list)


def page(notebook: bytes, folder: Path, summary: Summary, plain: bool) -> str:
    """Return the page as HTML, with the pictures that lie in `folder` beside the notebook.

    Run it in a process that can be killed.
    """
    read = nbformat.v4.reads_json(notebook)  # type: ignore[no-untyped-call]
    return page_of(read, summary, plain, folder)


def page_of(
    notebook: NotebookNode, summary: Summary, plain: bool, folder: Path | None = None
) -> str:
    """Return the same for a notebook that is read already, and is changed by this."""
    drawn = drawn_in(notebook, folder)
    sections = sections_of(notebook)  # by headings, which are HTML from here on
    render_texts(notebook, plain, drawn)
    return rendered(
        "student_page.html",
        summary=summary,
        sections=sections,
        answered={shown.name for section in sections for shown in section.cells if shown.name},
        pictures=pictures_of,
        beside=Markup() if plain else drawn.unseen(),
        below=_below,
    )


def warm(release: Path) -> None:
    """Render what all pages on an assignment share: the caches of this process keep it."""
    render_texts(nbformat.read(release, as_version=4))  # type: ignore[no-untyped-call]


def sections_of(notebook: NotebookNode) -> Sequence[PageSection]:
    """Return the sections of a notebook whose cells are as the student wrote them."""
    sections = [PageSection("Beginning")]
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (heading := _TITLE.match(cell.source)):
            sections.append(PageSection(_MARKUP.sub("", heading[1]).strip()))
        sections[-1].cells += _shown(cell)
    return [section for section in sections if section.cells]


def _shown(cell: NotebookNode) -> Iterator[ShownCell]:
    mark = cell.metadata.get("nbgrader", {})
    if mark.get("solution"):
        yield ShownCell("answer", cell, mark.get("grade_id", ""))
    elif cell.cell_type != "code":
        yield ShownCell("prose", cell)
    elif not mark and cell.get("id", "").startswith(OWN):
        yield ShownCell("own", cell)
    elif pictures_of(cell):
        yield ShownCell("picture", cell)


def pictures_of(cell: NotebookNode) -> list[tuple[str, str]]:
    """Return the pictures among a cell's outputs: each one's type and its bytes in base64."""
    return [
        (kind, output.data[kind])
        for output in cell.get("outputs", [])
        for kind in _PICTURES
        if kind in output.get("data", {})
    ]


def _below(html: Markup, title: str) -> Markup:
    """Return prose with its headings below the section's, and without that if it has a `title`."""
    rest = _FIRST.sub("", html, count=1) if title else html
    return Markup(_HEADING.sub(lambda tag: f"<{tag[1]}h{max(4, int(tag[2]) + 1)}>", rest))  # noqa: S704
