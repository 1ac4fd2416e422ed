"""A released notebook, and a student's answers in a clean copy of it.

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
from typing import Any, Self

from autograder.course import Course
from autograder.errors import SubmissionError
from autograder.intake.code import python_of
from autograder.intake.notebook import (
    ANSWERED,
    Cell,
    CellRole,
    Notebook,
    Picture,
    read_notebook,
    read_submitted,
)


@dataclass(frozen=True)
class Release:
    """A released notebook, as students received it."""

    assignment: str
    cells: tuple[Cell, ...]

    @classmethod
    def load(cls, course: Course, assignment: str) -> Self:
        path = course.release_path(course.check_assignment(assignment))
        if not path.is_file():
            raise SubmissionError(f"{assignment} isn't released yet: run `make release` first.")
        return cls(assignment, read_notebook(path.read_bytes()).cells)

    @cached_property  # these four: each submission is compared with one and the same release
    def exercises(self) -> dict[str, Cell]:
        """The stub of each exercise, by name, in the order of the notebook."""
        return {cell.grade_id: cell for cell in self.cells if cell.role is CellRole.SOLUTION}

    @cached_property
    def written(self) -> dict[str, float]:
        """The points of each written answer, by name."""
        marks = (cell.nbgrader for cell in self.cells if cell.role is CellRole.WRITTEN)
        return {mark.grade_id: mark.points for mark in marks}

    @cached_property
    def own_names(self) -> frozenset[str]:
        """The grade_ids that identify this assignment: those of answers and visible checks."""
        identifying = (*ANSWERED, CellRole.TEST)
        return frozenset(cell.grade_id for cell in self.cells if cell.role in identifying)

    @cached_property
    def names(self) -> dict[str, Cell]:
        """The cells that have a grade_id, by grade_id."""
        return {cell.grade_id: cell for cell in self.cells if cell.grade_id}


def filled(release: str, answers: Mapping[str, str]) -> bytes:
    """Return the released notebook with the text `release`, with `answers` in its cells by name."""
    notebook: dict[str, Any] = json.loads(release)
    for cell in notebook["cells"]:
        mark = cell["metadata"].get("nbgrader", {})
        if mark.get("solution"):
            cell["source"] = answers.get(mark["grade_id"], cell["source"])
    return json.dumps(notebook).encode()


@dataclass(frozen=True)
class SubmittedCell:
    """A cell of a submission; `role` is its role in the release, or FREE."""

    role: CellRole
    cell: Cell
    by_student: bool = False

    @property
    def is_run(self) -> bool:
        """Whether the grader runs the cell: setup, solutions, and code that the student added."""
        is_code = self.cell.cell_type == "code"
        return is_code and (self.role in (CellRole.SETUP, CellRole.SOLUTION) or self.by_student)

    @property
    def name(self) -> str:
        return self.cell.grade_id or self.cell.id


@dataclass(frozen=True)
class Submission:
    """A student's answers in a clean copy of the release."""

    assignment: str
    cells: tuple[SubmittedCell, ...]
    warnings: tuple[str, ...] = ()

    @property
    def sources(self) -> list[SubmittedCell]:
        """The cells to run, in order."""
        return [cell for cell in self.cells if cell.is_run]

    @property
    def answers(self) -> dict[str, str]:
        """The text of each solution cell, by exercise, in order."""
        return {c.name: c.cell.source for c in self.cells if c.role is CellRole.SOLUTION}

    @property
    def own_code(self) -> list[str]:
        """The text of each cell of code that the student added, in order."""
        return [c.cell.source for c in self.cells if c.by_student and c.is_run]


def normalise(notebook: Notebook, release: Release) -> Submission:
    """Put the answers into a clean copy of `release`; raise `SubmissionError` if none is of it."""
    matcher = _CellMatcher(release)
    for cell in notebook.cells:
        matcher.match(cell)
    matcher.find_lost_answers()
    if not release.own_names & set(matcher.found):
        raise SubmissionError(
            f"This isn't the notebook of {release.assignment}: it contains none of the exercises."
        )
    return Submission(release.assignment, tuple(matcher.clean_copy()), tuple(matcher.warnings))


def copy_of(path: Path, release: Release) -> str:
    """Return, as JSON, the hash of a submitted notebook, and the cells of a clean copy of it.

    In place of the cells stands a sentence if there are none, and where it can't be read, nothing
    in place of the hash. Run it in a process that can be killed.
    """
    digest = ""
    try:
        raw = read_submitted(path)
        digest = sha256(raw)
        copy = normalise(read_notebook(raw), release)
    except FileNotFoundError:
        return json.dumps(["", "What was handed in is gone: put it back, and grade again."])
    except SubmissionError as error:
        return json.dumps([digest, str(error)])
    return json.dumps([digest, [each.cell.content for each in copy.cells]], ensure_ascii=False)


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
    _own_cells: dict[int, list[Cell]] = field(default_factory=dict)  # by the place they follow
    _beside: dict[str, Cell] = field(default_factory=dict)  # own cells with the answer to a stub
    _place: int = -1  # in the release, of the last cell that was matched; -1: none yet

    def __post_init__(self) -> None:
        self._places: tuple[dict[str, int], ...] = ({}, {}, {})  # by each key of a cell
        for place, cell in enumerate(self.release.cells):
            for places, key in zip(self._places, _keys(cell), strict=True):
                places[key] = place

    def match(self, cell: Cell) -> None:
        pairs = zip(self._places, _keys(cell), strict=True)
        place = next((places[key] for places, key in pairs if key and key in places), None)
        if place is None:
            self._own_cells.setdefault(self._place, []).append(cell)
            return
        original, self._place = self.release.cells[place], place
        self._pictures[place] = cell.pictures
        if original.role in ANSWERED:
            self._take_answer(cell, original)
        elif original.role in (CellRole.SETUP, CellRole.TEST):
            self.found.setdefault(original.grade_id, [])
            if cell.source.strip() != original.source.strip():
                self._note_edit(cell, original)
        elif cell.cell_type == "code" and cell.source.strip() != original.source.strip():
            self._own_cells.setdefault(place, []).append(cell)

    def _note_edit(self, cell: Cell, original: Cell) -> None:
        used = "the original was used instead"
        if original.role is CellRole.SETUP and cell.cell_type == "code":
            self._own_cells.setdefault(self._place - 1, []).append(cell)  # above the original
            used = "your version was run first, then the original, whose names count"
        self.warnings.append(f"`{original.grade_id}`: a given cell was edited; {used}.")

    def _take_answer(self, cell: Cell, original: Cell) -> None:
        name = original.grade_id
        sources = self.found.setdefault(name, [])
        if cell.grade_id != name:
            self.warnings.append(f"`{name}`: the cell had lost its grade_id; it was restored.")
        if cell.cell_type != original.cell_type:
            was, read_as = cell.cell_type, original.cell_type
            self.warnings.append(f"`{name}`: the cell was a {was} cell; it was read as {read_as}.")
        if _lines(cell) == _lines(original):
            return
        if sources:
            joined = "there were several cells with this name; they were joined."
            self.warnings.append(f"`{name}`: {joined}")
        sources.append(cell.source)

    def find_lost_answers(self) -> None:
        """Use cells that define an exercise whose own cell is missing, or is still the stub."""
        lost = [name for name in self.release.exercises if not self.found.get(name)]
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
                self.warnings.append(
                    f"`{name}`: its cell was missing; the cell of `{other}` defines it, and was "
                    "graded for both."
                )
                return

    def _find_beside_stub(self, name: str, defined: Mapping[int, set[str]]) -> None:
        """Use the last cell that the student added next to a stub, if it defines the name."""
        place = self._places[0][name]
        others = [self._places[0][each] for each in self.release.exercises]
        start = max((other for other in others if other < place), default=-1)
        end = min((other for other in others if other > place), default=len(self.release.cells))
        for at, cells in sorted(self._own_cells.items()):
            for cell in cells if start <= at < end else ():
                if name in defined[id(cell)]:
                    self._beside[name] = cell
        if name in self._beside:
            self.warnings.append(
                f"`{name}`: its cell is as you were given it; the cell that you added next to it, "
                "which defines the name, was graded instead."
            )

    def clean_copy(self) -> Iterable[SubmittedCell]:
        """Yield the cells of the release with the answers in them, and cells that were added."""
        yield from self._own(-1)
        for place, original in enumerate(self.release.cells):
            if original.grade_id not in self._beside:
                sources = self.found.get(original.grade_id) if original.role in ANSWERED else None
                update = {
                    "source": "\n\n".join(sources) if sources else original.source,
                    "pictures": self._pictures.get(place, ()),
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
            name = f"own-{place + 1}-{number}"
            copy = Cell.model_construct(
                cell_type=cell.cell_type, source=cell.source, id=name, pictures=cell.pictures
            )
            yield SubmittedCell(CellRole.FREE, copy, True)


def _keys(cell: Cell) -> tuple[str, str, str]:
    """Return what a cell is known by, the surest first."""
    return cell.grade_id, cell.id, cell.source.strip()


def _lines(cell: Cell) -> list[str]:
    return [line.rstrip() for line in cell.source.strip().splitlines()]


def _defined(cell: Cell) -> set[str]:
    """Return the names of functions and classes that a cell defines, or makes by a call."""
    try:
        body = ast.parse(python_of(cell.source)).body if cell.cell_type == "code" else []
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    defined = set()
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                defined.add(name)
            case ast.ClassDef(name=name):
                defined.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() | ast.Call()):
                defined.add(name)
    return defined


def sha256(raw: bytes) -> str:
    """Return the hash that identifies a notebook file in its report."""
    return hashlib.sha256(raw).hexdigest()
