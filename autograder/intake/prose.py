"""Written answers whose cells lost their names: found by the released text around them.

A student's prose is cut where released text stands in it, since cells are merged, and answers typed
below their question. What is left is an answer if a released cell beside it says so, and no other
written answer could be meant. Run it in a process that can be killed.
"""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from operator import attrgetter
from typing import NamedTuple

from autograder.intake.code import NO_PYTHON
from autograder.intake.notebook import Cell, CellRole

MAX_SHOWN = 10_000  # characters of text that is shown without being taken for an answer
MIN_LINE = 12  # characters of a line that isn't there by chance, as `$$` is
UNSURE = (
    "*Nothing is in the cell of this answer. This text was found near it, and may belong to "
    "another question:*"
)
_HEADING = re.compile(r"#{1,6} \S")
_DEFINES = re.compile(r"^[ \t]*(async[ \t]+)?(def|class)[ \t]+\w+[ \t]*[(:]", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*#+ ?", re.MULTILINE)
_PICTURE = re.compile(r"data:image/[\w+.-]+;base64,[\w+/=]{200,}", re.ASCII)


class Piece(NamedTuple):
    """A part of a student's prose; with a `place`, it is the text of that released cell."""

    text: str
    place: int | None = None


@dataclass(frozen=True)
class ReleasedProse:
    """The prose of a release, as it is found again in what students hand in."""

    cells: tuple[Cell, ...]

    @cached_property
    def written(self) -> dict[str, int]:
        """The place of each answer in prose, by name."""
        return {
            cell.grade_id: place
            for place, cell in enumerate(self.cells)
            if cell.role is CellRole.WRITTEN and cell.cell_type != "code"
        }

    @cached_property
    def questions(self) -> frozenset[int]:
        """The places of the cells above answers in prose."""
        return frozenset(place - 1 for place in self.written.values())

    @cached_property
    def _texts(self) -> dict[str, list[int]]:
        """The places of each text: that of a cell, or a heading at its beginning."""
        found: dict[str, list[int]] = {}
        for place, cell in enumerate(self.cells):
            if cell.cell_type == "markdown" and (text := self._tidy(cell.source)):
                first = text.partition("\n")[0]
                for each in {text, first} if _HEADING.match(first) else {text}:
                    found.setdefault(each, []).append(place)
        return found

    @cached_property
    def _pictures(self) -> frozenset[str]:
        prose = (cell.source for cell in self.cells if cell.cell_type == "markdown")
        return frozenset(picture for text in prose for picture in _PICTURE.findall(text))

    def _tidy(self, text: str) -> str:
        """Return a text in one form, released pictures by a word: patterns of them take long."""
        for picture in self._pictures:
            text = text.replace(picture, "data:")
        return "\n".join(line.rstrip() for line in text.strip().split("\n"))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self._texts, key=len, reverse=True)
        listed = "|".join(map(re.escape, longest_first)) or r"(?!)"
        return re.compile(rf"^(?:{listed})$", re.MULTILINE)

    def pieces(
        self, text: str, since: int, places: Collection[int] | None = None
    ) -> Iterator[Piece]:
        """Cut a text that follows the cell at `since` at what is released, in its order.

        Where `places` are given, it is cut only at the text of these cells.
        """
        text, end = self._tidy(text), 0
        known: int | None = None  # the released cell whose text was seen last
        for match in self._pattern.finditer(text):
            place = nearest(self._texts[match[0]], since)
            is_next = place is None or known is None or place > known
            if is_next and (places is None or place in places):
                yield from self._own(text[end : match.start()], known)
                end, known = match.end(), place
                if place is not None:
                    yield Piece(match[0], place)
                    since = place
        yield from self._own(text[end:], known)

    def _own(self, text: str, place: int | None) -> Iterator[Piece]:
        if own := text.strip() if place is None else self.without_given(text, place):
            yield Piece(own)

    def without_given(self, text: str, place: int) -> str:
        """Return a text without the lines of a released cell; empty if no word is left."""
        given = {
            each
            for each in self._tidy(self.cells[place].source).split("\n")
            if len(each) >= MIN_LINE
        }
        lines = self._tidy(text).split("\n")
        left = "\n".join(each for each in lines if each not in given).strip("\n")
        return left if re.search(r"\w", left) else ""


def nearest(places: Sequence[int], since: int) -> int | None:
    """Return the one place, or that of several that is `since` or follows it; None if none is."""
    if len(places) == 1:
        return places[0]
    return next((place for place in places if since <= place <= since + 1), None)


@dataclass
class AddedCells:
    """Cells that a student added between two released cells, the places of which are known."""

    before: int
    cells: list[Cell] = field(default_factory=list)
    after: int = 0


class Found(NamedTuple):
    """A cell that a student added, and the prose in it, if it is prose."""

    cell: Cell
    text: str


class LostAnswers(NamedTuple):
    """What was found, by the name of the answer: cells that are it, and text that may be it."""

    taken: Mapping[str, Sequence[Found]]
    unsure: Mapping[str, str]


def find_written(
    groups: Sequence[AddedCells], blank: Mapping[str, int], missing: Collection[str]
) -> LostAnswers:
    """Find the answers that are `blank`, by their places, in the cells that a student added.

    Beside one whose cell is `missing`, all prose is shown if none is near.
    """
    found = [[Found(cell, prose_in(cell)) for cell in group.cells] for group in groups if blank]
    taken: dict[str, list[Found]] = {}
    unsure: dict[str, list[str]] = {}
    for group, cells in zip(groups, found, strict=False):
        near = [name for name, place in blank.items() if group.before <= place <= group.after]
        if len(near) == 1 and (beside := _beside(group, cells, blank[near[0]])):
            taken.setdefault(near[0], []).extend(beside)
        else:
            for name in near:
                unsure.setdefault(name, []).extend(each.text for each in cells if each.text)
    used = {id(each.cell) for cells in taken.values() for each in cells}
    free = (each for cells in found for each in cells if id(each.cell) not in used)
    others = [each.text for each in free if each.cell.cell_type != "code" and each.text]
    shown = dict.fromkeys(missing, others) | {n: texts for n, texts in unsure.items() if texts}
    left = {name: texts for name, texts in shown.items() if texts and name not in taken}
    return LostAnswers(taken, {name: _quoted(texts) for name, texts in left.items()})


def _beside(group: AddedCells, cells: Sequence[Found], place: int) -> Sequence[Found]:
    """Return the cells of prose that stand directly beside the place of an answer."""
    if place - 1 <= group.before <= place:
        return list(takewhile(attrgetter("text"), cells))
    if group.after == place + 1:
        return list(takewhile(attrgetter("text"), reversed(cells)))[::-1]
    return []


def _quoted(texts: Iterable[str]) -> str:
    lines = "\n\n".join(texts)[:MAX_SHOWN].split("\n")
    return "\n".join([UNSURE, "", *(f"> {line}".rstrip() for line in lines)])


def prose_in(cell: Cell) -> str:
    """Return the prose in a cell; of a code cell, if it is comments, a string, or no Python."""
    if cell.cell_type != "code":
        return cell.source.strip()
    if cell.source.lstrip().startswith(("%", "!")) or _DEFINES.search(cell.source):
        return ""
    try:
        body = ast.parse(cell.source).body
    except NO_PYTHON:
        body = []
    match body:
        case []:
            return _COMMENT.sub("", cell.source).strip()
        case [ast.Expr(value=ast.Constant(value=str(text)))]:
            return text.strip()
    return ""
