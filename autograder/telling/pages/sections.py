"""What of a graded notebook stands on a feedback page, section by section.

Left out are given cells of code and visible checks, which the student knows: of those, only the
pictures are shown that they drew for the student.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from nbformat import NotebookNode

_HEADING = re.compile(r"\s{0,3}#{1,2}\s+(.{1,200})")
_MARKUP = re.compile(r"[*_`#]|\$")
_PICTURES = ("image/png", "image/jpeg")


class Kind(StrEnum):
    """What a cell is on the page."""

    PROSE = "prose"  # as in the notebook
    ANSWER = "answer"  # code that the student wrote into an exercise
    WRITTEN = "written"  # an answer in prose
    OWN = "own"  # a cell that the student added
    PICTURE = "picture"  # given code, of which only what it drew is shown


@dataclass(frozen=True)
class Shown:
    """A cell that is shown; `name` is that of the exercise or written answer in it."""

    kind: Kind
    cell: NotebookNode
    name: str = ""


@dataclass
class Section:
    """A part of the notebook, from one heading to the next."""

    title: str
    cells: list[Shown] = field(default_factory=list)


def sections_of(notebook: NotebookNode) -> list[Section]:
    """Return the sections of a notebook whose cells are as the student wrote them."""
    sections = [Section("Beginning")]
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (heading := _HEADING.match(cell.source)):
            sections.append(Section(_MARKUP.sub("", heading[1]).strip()))
        sections[-1].cells += _shown(cell)
    return [section for section in sections if section.cells]


def pictures_of(cell: NotebookNode) -> list[tuple[str, str]]:
    """Return the pictures among a cell's outputs: each one's type and its bytes in base64."""
    return [
        (kind, output.data[kind])
        for output in cell.get("outputs", [])
        for kind in _PICTURES
        if kind in output.get("data", {})
    ]


def _shown(cell: NotebookNode) -> Iterator[Shown]:
    mark = cell.metadata.get("nbgrader", {})
    name = mark.get("grade_id", "")
    if mark.get("solution"):
        yield Shown(Kind.WRITTEN if mark.get("grade") else Kind.ANSWER, cell, name)
    elif cell.cell_type == "code" and not mark and cell.get("id", "").startswith("own-"):
        yield Shown(Kind.OWN, cell)
    elif cell.cell_type == "code":
        if pictures_of(cell):
            yield Shown(Kind.PICTURE, cell)
    else:
        yield Shown(Kind.PROSE, cell)
