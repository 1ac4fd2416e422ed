"""A student's answers in a clean copy of the released notebook.

Only a student's answers, the cells that they added and their versions of given code have an effect:
every other cell is copied from the release, in the release's order. What they wrote into given code
is run before the original, so that an import that they added is there, and the original's names
count. Each repair is reported as a warning.
"""

import ast
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

from autograder.errors import SubmissionError
from autograder.intake.code import is_idle, tree_of
from autograder.intake.names import imported_names, names_in
from autograder.intake.notebook import (
    ANSWERED,
    GIVEN,
    MAX_PICTURES,
    OWN,
    Attached,
    Cell,
    CellRole,
    Notebook,
    Picture,
    attachment_name,
    read_notebook,
    read_submitted,
)
from autograder.intake.prose import AddedCells, Piece, find_written, nearest
from autograder.intake.release import Release


@dataclass(frozen=True)
class SubmittedCell:
    """A cell of a submission; `role` is its role in the release, or FREE."""

    role: CellRole
    cell: Cell
    by_student: bool = False

    @property
    def is_run(self) -> bool:
        """Whether the grader runs the cell: setup, answers, and code that the student added."""
        is_code = self.cell.cell_type == "code"
        return is_code and (self.role in (CellRole.SETUP, *ANSWERED) or self.by_student)

    @property
    def name(self) -> str:
        return self.cell.grade_id or self.cell.id

    @property
    def title(self) -> str:
        """The cell, as a sentence begins with it."""
        return f"The cell of `{self.name}`" if self.cell.grade_id else "A cell that you added"


@dataclass(frozen=True)
class Submission:
    """A student's answers in a clean copy of the release."""

    assignment: str
    cells: tuple[SubmittedCell, ...]
    warnings: tuple[str, ...] = ()
    is_early: bool = False  # before the due date: hidden tests wait that run after it

    @property
    def sources(self) -> list[SubmittedCell]:
        """The cells to run, in order."""
        return [cell for cell in self.cells if cell.is_run]

    @property
    def answers(self) -> dict[str, str]:
        """The text of each solution cell, by exercise, in order."""
        return {c.name: c.cell.source for c in self.cells if c.role is CellRole.SOLUTION}

    def blank_written(self, release: Release) -> frozenset[str]:
        """The names of written answers in whose cells nothing was written, and no picture put."""
        given = {cell.grade_id: cell.source.strip() for cell in release.cells}
        return frozenset(
            each.name
            for each in self.cells
            if each.role is CellRole.WRITTEN
            and each.cell.source.strip() == given[each.name]
            and not each.cell.content.get("attachments")
        )

    @property
    def own_code(self) -> list[str]:
        """The text of each cell of code that the student added, in order."""
        return [c.cell.source for c in self.cells if c.by_student and c.is_run]


def normalise(notebook: Notebook, release: Release) -> Submission:
    """Put the answers into a clean copy of `release`; raise `SubmissionError` if none is of it."""
    matcher = _CellMatcher(release)
    for cell in notebook.cells:
        matcher.match(cell)
    matcher.find_written()
    matcher.find_written_code()
    matcher.find_lost_answers()
    if not release.own_names & set(matcher.found):
        raise SubmissionError(
            f"This isn't the notebook of {release.assignment}: it contains none of the exercises."
        )
    return Submission(release.assignment, tuple(matcher.clean_copy()), tuple(matcher.warnings))


def is_untouched(notebook: Notebook, release: Release) -> bool:
    """Tell whether a notebook is as it was released, whatever its outputs are."""
    try:
        submission = normalise(notebook, release)
    except SubmissionError:
        return False
    given = [cell.source for cell in release.cells]
    return [each.cell.source for each in submission.cells] == given


def clean_content(raw: bytes, release: Release) -> dict[str, Any]:
    """Return a clean copy with a notebook's answers, as it stands in a notebook file."""
    cells = [each.cell.content for each in normalise(read_notebook(raw), release).cells]
    metadata = {"language_info": {"name": "python"}}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}


def copy_of(path: Path, release: Release) -> str:
    """Return, as JSON, the hash of a submitted notebook, and a clean copy of it.

    In place of the copy stands a sentence if there is none, and where it can't be read, nothing in
    place of the hash. Run it in a process that can be killed.
    """
    digest = ""
    try:
        raw = read_submitted(path)
        digest = sha256(raw)
        copy = clean_content(raw, release)
    except FileNotFoundError:
        return json.dumps(["", "What was handed in is gone: put it back, and grade again."])
    except SubmissionError as error:
        return json.dumps([digest, str(error)])
    return json.dumps([digest, copy], ensure_ascii=False)


def assignment_of(notebook: Notebook, releases: Iterable[Release]) -> Release:
    """Return the release with most in common; raise `SubmissionError` if none has anything."""
    ids = {cell.grade_id or cell.id for cell in notebook.cells}
    names = set().union(*(_defined(cell) for cell in notebook.cells))

    def shared(release: Release) -> tuple[int, int]:
        return len(ids & release.own_names), len(names & set(release.exercises))

    best = max(releases, key=shared, default=None)
    if best is None or not any(shared(best)):
        raise SubmissionError(
            "This notebook belongs to no assignment of this course: hand in the notebook that you "
            "were given."
        )
    return best


@dataclass
class _CellMatcher:
    """Matches a student's cells with the release; keeps the others as cells that they added."""

    release: Release
    found: dict[str, list[str]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    _pictures: dict[int, tuple[Picture, ...]] = field(default_factory=dict)  # by place
    _attached: dict[str, Attached] = field(default_factory=dict)  # by names of their content
    _own_cells: dict[int, list[Cell]] = field(default_factory=dict)  # by the place they follow
    _beside: dict[str, Cell] = field(default_factory=dict)  # own cells with the answer to a stub
    _unsure: Mapping[str, str] = field(default_factory=dict)  # what may be a written answer
    _added: list[AddedCells] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._see(-1)
        self._places: tuple[dict[str, list[int]], ...] = ({}, {}, {})  # by each key of a cell
        for place, cell in enumerate(self.release.cells):
            for places, key in zip(self._places, _keys(cell), strict=True):
                places.setdefault(key, []).append(place)

    @property
    def _place(self) -> int:
        """The place in the release of the last cell that was matched; -1: none yet."""
        return self._added[-1].before

    def _see(self, place: int) -> None:
        """Go on behind the cell at a place of the release."""
        if self._added:
            self._added[-1].after = place
        self._added.append(AddedCells(place, after=len(self.release.cells)))

    def _add(self, cell: Cell) -> None:
        self._own_cells.setdefault(self._place, []).append(cell)
        self._added[-1].cells.append(cell)

    def _warn(self, name: str, sentence: str) -> None:
        self.warnings.append(f"`{name}`: {sentence}")

    def _prose(self, text: str, cell: Cell) -> Cell:
        """Return a text that stands in a cell as a cell of its own."""
        return Cell.model_construct(cell_type="markdown", source=self._named(text, cell))

    def _named(self, text: str, cell: Cell) -> str:
        """Keep the pictures of a text under names that tell their content.

        Cells are joined in which one name means different pictures, and whether an answer is
        another one is told by its text.
        """
        for name in sorted(cell.attachments, key=len, reverse=True):
            ((kind, data),) = cell.attachments[name].items()
            mine = attachment_name(data)
            for written in {name, quote(name), quote(name, safe="!'()*")}:
                if f"attachment:{written}" in text:
                    text = text.replace(f"attachment:{written}", f"attachment:{mine}")
                    self._attached[mine] = {kind: data}
        return text

    def _pictures_of(self, text: str) -> dict[str, Attached]:
        return {name: each for name, each in self._attached.items() if f"attachment:{name}" in text}

    def _place_of(self, cell: Cell) -> int | None:
        pairs = zip(self._places, _keys(cell), strict=True)
        found = next((places[key] for places, key in pairs if key and key in places), [])
        place = nearest(found, self._place) if found else None
        return found[-1] if found and place is None and cell.cell_type == "code" else place

    def match(self, cell: Cell) -> None:
        place = self._place_of(cell)
        if place is None:
            if cell.cell_type == "code":
                self._add(cell)
            else:  # without the released text in it
                self._take_pieces(self.release.prose.pieces(cell.source, self._place), cell)
            return
        original = self.release.cells[place]
        if original.role is CellRole.FREE and cell.cell_type == original.cell_type == "markdown":
            self._match_prose(cell, place)
            return
        self._see(place)
        self._pictures[place] = cell.pictures
        if original.role is CellRole.WRITTEN and original.cell_type != "code":
            self._take_written(cell, original)
        elif original.role in ANSWERED:
            self._take_answer(cell, original)
        elif original.role in (CellRole.SETUP, CellRole.TEST):
            self.found.setdefault(original.grade_id, [])
            if cell.source.strip() != original.source.strip():
                self._note_edit(cell, original)
        elif cell.cell_type == "code" and cell.source.strip() != original.source.strip():
            self._add(cell)

    def _match_prose(self, cell: Cell, place: int) -> None:
        """Keep what was added to given prose; what was changed in it can only be an answer."""
        pieces = list(self.release.prose.pieces(cell.source, place - 1))
        if any(piece.place == place for piece in pieces):
            self._take_pieces(pieces, cell)
            return
        self._see(place)
        added = self.release.prose.without_given(cell.source, place)
        if added and place in self.release.prose.questions:
            self._added[-1].cells.append(self._prose(added, cell))

    def _take_pieces(self, pieces: Iterable[Piece], cell: Cell) -> None:
        for text, place in pieces:
            if place is None:
                self._add(self._prose(text, cell))
                continue
            self._see(place)
            if self.release.cells[place].role is CellRole.WRITTEN:  # it is blank
                self.found.setdefault(self.release.cells[place].grade_id, [])

    def _note_edit(self, cell: Cell, original: Cell) -> None:
        used = "the original was used instead"
        if original.role is CellRole.SETUP and cell.cell_type == "code":
            self._own_cells.setdefault(self._place - 1, []).append(cell)  # above the original
            used = "your version was run first, then the original, whose names count"
        elif added := self._added_to_checks(cell, original):
            self._own_cells.setdefault(self._place, []).append(added)
            used = "what it defines was kept as in a cell of your own, and the original was used"
        self._warn(original.grade_id, f"a given cell was edited; {used}.")

    def _added_to_checks(self, cell: Cell, original: Cell) -> Cell | None:
        """Return code that was written into the cell of an exercise's checks, if it is needed.

        That is all of it if the checks themselves were changed, and an exercise is among them.
        """
        before, given, behind = cell.source.partition(original.source.strip())
        added = cell.model_copy(
            update={"source": f"{before.rstrip()}\n\n{behind.lstrip()}".strip()}
        )
        defined = _defined(added)
        return added if defined and (given or defined & self.release.exercises.keys()) else None

    def _take_answer(self, cell: Cell, original: Cell) -> None:
        name = original.grade_id
        sources = self.found.setdefault(name, [])
        if cell.grade_id != name:
            self._warn(name, "the cell had lost its grade_id; it was restored.")
        if cell.cell_type != original.cell_type:
            was, read_as = cell.cell_type, original.cell_type
            self._warn(name, f"the cell was a {was} cell; it was read as {read_as}.")
        if _lines(cell) == _lines(original):
            return
        if sources:
            self._warn(name, "there were several cells with this name; they were joined.")
        sources.append(self._named(cell.source, cell))

    def _take_written(self, cell: Cell, original: Cell) -> None:
        """Take an answer in prose, up to a later question, should one be merged with it."""
        later = [place for place in self.release.prose.questions if place >= self._place]
        pieces = list(self.release.prose.pieces(cell.source, self._place, later))
        end = next((n for n, piece in enumerate(pieces) if piece.place is not None), len(pieces))
        if end < len(pieces):
            text = "\n\n".join(piece.text for piece in pieces[:end])
            cell = cell.model_copy(update={"source": text})
        self._take_answer(cell, original)
        self._take_pieces(pieces[end:], cell)

    def find_written(self) -> None:
        """Use the prose that stands where a written answer is missing, or beside a blank one."""
        written = self.release.prose.written
        blank = {n: at for n, at in written.items() if not "".join(self.found.get(n, ())).strip()}
        missing = blank.keys() - self.found.keys()
        taken, self._unsure = find_written(self._added, blank, missing)
        for name, found in taken.items():
            was = "is as you were given it" if name in self.found else "had lost its grade_id"
            self._warn(
                name, f"its cell {was}; what you wrote in its place was taken as the answer."
            )
            self.found[name] = [each.text for each in found]
            for own in self._own_cells.values():
                own[:] = [cell for cell in own if not any(cell is each.cell for each in found)]
        for name in self._unsure:
            self._warn(
                name,
                "nothing is in its cell. What you wrote near it may belong to another question; "
                "the person who reads your answers sees it there.",
            )

    def find_written_code(self) -> None:
        """Use code that stands below a blank cell that a person grades, or where it was deleted.

        What defines an exercise isn't it, and is looked for later.
        """
        for place, original in enumerate(self.release.cells):
            name = original.grade_id
            is_code = original.role is CellRole.WRITTEN and original.cell_type == "code"
            if not is_code or "".join(self.found.get(name, ())).strip():
                continue
            own = self._own_cells.get(place if name in self.found else place - 1, [])
            # what has a name of the release is given code that was edited
            added = (c for c in own if c.grade_id not in self.release.names)
            exercises = self.release.exercises.keys()
            code = [c for c in added if c.cell_type == "code" and not _defined(c) & exercises]
            if code:
                taken = "the code that you wrote in its place was taken as the answer."
                self._warn(name, f"nothing is in its cell; {taken}")
                self.found[name] = [cell.source for cell in code]
                pictures = [each for cell in code for each in cell.pictures]
                self._pictures[place] = tuple(pictures[:MAX_PICTURES])
                own[:] = [cell for cell in own if not any(cell is each for each in code)]

    def find_lost_answers(self) -> None:
        """Use cells that define an exercise whose own cell is missing, or holds no answer."""
        lost = [n for n in self.release.exercises if all(map(is_idle, self.found.get(n, ())))]
        added = [cell for cells in self._own_cells.values() for cell in cells if lost]
        defined = {id(cell): _defined(cell) for cell in added}  # once, for all exercises
        for name in lost:
            if name in self.found:
                self._find_beside_stub(name, defined)
            elif not self._restore(name, defined):
                self._find_merged(name)
        missing = [n for n in self.release.names if n not in self.found]
        if missing and self.found:
            listed = ", ".join(f"`{name}`" for name in missing)
            self.warnings.append(f"These cells were missing and were restored: {listed}.")

    def _restore(self, name: str, defined: Mapping[int, set[str]]) -> bool:
        """Use the cells that the student added for a missing solution cell, if they define it."""
        for cells in self._own_cells.values():
            for cell in [cell for cell in cells if name in defined[id(cell)]]:
                cells.remove(cell)
                self._take_answer(cell, self.release.names[name])
        return name in self.found

    def _find_merged(self, name: str) -> None:
        """Use another answer's cell for a missing one that was merged into it."""
        for other in self.release.exercises:
            source = "\n\n".join(self.found.get(other, ()))
            if name in _defined(Cell(source=source)):
                self.found[name] = [source]
                graded = f"the cell of `{other}` defines it, and was graded for both."
                self._warn(name, f"its cell was missing; {graded}")
                return

    def _find_beside_stub(self, name: str, defined: Mapping[int, set[str]]) -> None:
        """Use the last cell that the student added next to a blank one, if it defines the name."""
        (place,) = self._places[0][name]
        others = [at for each in self.release.exercises for at in self._places[0][each]]
        start = max((other for other in others if other < place), default=-1)
        end = min((other for other in others if other > place), default=len(self.release.cells))
        for at, cells in sorted(self._own_cells.items()):
            for cell in cells if start <= at < end else ():
                if name in defined[id(cell)]:
                    self._beside[name] = cell
        if name in self._beside:
            self._warn(
                name,
                "its own cell holds no answer; the cell that you added next to it, which defines "
                "the name, was graded instead.",
            )

    def clean_copy(self) -> Iterable[SubmittedCell]:
        """Yield the cells of the release with the answers in them, and cells that were added."""
        yield from self._own(-1)
        for place, original in enumerate(self.release.cells):
            if original.grade_id not in self._beside:
                sources = self.found.get(original.grade_id) if original.role in ANSWERED else None
                given = self._unsure.get(original.grade_id, original.source)
                source = "\n\n".join(sources) if sources else given
                update = {
                    "source": source,
                    "pictures": self._pictures.get(place, ()),
                    "attachments": self._pictures_of(source),
                }
                yield SubmittedCell(original.role, original.model_copy(update=update))
            yield from self._own(place)

    def _own(self, place: int) -> Iterable[SubmittedCell]:
        for number, cell in enumerate(self._own_cells.get(place, ())):
            if answered := [name for name, each in self._beside.items() if each is cell]:
                update = {"source": cell.source, "pictures": cell.pictures}
                for name in answered:
                    copy = self.release.names[name].model_copy(update=update)
                    yield SubmittedCell(CellRole.SOLUTION, copy)
                continue
            # Of a folded given cell that differs, an earlier release is the likeliest author: it
            # is run, since something may have been added to it, and shown to nobody, unless an
            # answer uses what it defines.
            is_given = cell.source.split("\n", 1)[0] in self.release.titles
            is_given = is_given and not self._is_used(cell, place)
            name = f"{GIVEN if is_given else OWN}{place + 1}-{number}"
            copy = Cell.model_construct(
                cell_type=cell.cell_type,
                source=cell.source,
                id=name,
                pictures=cell.pictures,
                attachments=self._pictures_of(cell.source),
            )
            yield SubmittedCell(CellRole.FREE, copy, True)

    def _is_used(self, cell: Cell, place: int) -> bool:
        """Tell whether an answer uses what a cell defines, behind the given one at `place`.

        What given code imports as well, or defines anew below, is no matter of this cell.
        """
        given = self.release.setup
        imports = {name: each for one in given for name, each in imported_names(one.source).items()}
        mine, own = imported_names(cell.source), names_in(cell.source)
        anew = {name for name in own.bound if name not in mine or mine[name] != imports.get(name)}
        names = own.changed | anew
        for below in self.release.cells[place + 1 :]:
            names -= names_in(below.source).bound if below.role is CellRole.SETUP else set()
        return bool(names & self._read_by_answers)

    @cached_property
    def _read_by_answers(self) -> set[str]:
        """The names that answers read; those of exercises are their own matter."""
        own = (cell.source for cell in self._beside.values())
        found = (text for name in self.release.exercises for text in self.found.get(name, ()))
        read = set().union(*(names_in(text).read for text in (*own, *found)))
        return read - self.release.exercises.keys()


def _keys(cell: Cell) -> tuple[str, str, str]:
    """Return what a cell is known by, the surest first."""
    return cell.grade_id, cell.id, cell.source.strip()


def _lines(cell: Cell) -> list[str]:
    return [line.rstrip() for line in cell.source.strip().splitlines()]


def _defined(cell: Cell) -> set[str]:
    """Return the names of functions and classes that a cell defines, or makes by a call."""
    defined = set()
    for node in tree_of(cell.source).body if cell.cell_type == "code" else ():
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                defined.add(node.name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() | ast.Call()):
                defined.add(name)
    return defined


def sha256(raw: bytes) -> str:
    """Return the hash that identifies a notebook file in its report."""
    return hashlib.sha256(raw).hexdigest()
