"""From a notebook that a student handed in to a clean copy of the release with the answers in it.

Nothing that a student changes outside solution cells and their own cells has an effect: every cell
of the release comes from the release, in the release's order, and the student's text is put where
it belongs. What had to be repaired is told as warnings.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from autograder.errors import SubmissionError
from autograder.intake.notebook import ANSWERED, Cell, CellRole, Notebook
from autograder.intake.release import Release


@dataclass(frozen=True)
class SubmittedCell:
    """A cell of a submission at its place: `role` is its part in the release, or FREE."""

    role: CellRole
    cell: Cell
    by_student: bool = False

    @property
    def is_run(self) -> bool:
        """Whether the grader runs the cell: given code, and all code of the student's own."""
        is_code = self.cell.cell_type == "code"
        return is_code and (self.role in (CellRole.SETUP, CellRole.SOLUTION) or self.by_student)

    @property
    def name(self) -> str:
        """What to call the cell: its grade_id, else its id."""
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
        return {p.name: p.cell.source for p in self.cells if p.role is CellRole.SOLUTION}


def normalise(notebook: Notebook, release: Release) -> Submission:
    """Put the answers in `notebook` into a clean copy of `release`.

    Raises `SubmissionError` if nothing in the notebook belongs to the release.
    """
    sorting = _Sorting(release)
    for cell in notebook.cells:
        sorting.take(cell)
    sorting.find_lost_solutions()
    if not release.own_names & set(sorting.found):
        raise SubmissionError(
            f"This isn't the notebook of {release.assignment}: none of its exercises is in it."
        )
    return Submission(release.assignment, tuple(sorting.placed()), tuple(sorting.warnings))


def assignment_of(notebook: Notebook, releases: Iterable[Release]) -> Release:
    """Return the release that `notebook` was made from: the one it shares most answers with."""
    ids = {cell.grade_id or cell.id for cell in notebook.cells}
    names = set().union(*(_defined(cell) for cell in notebook.cells))

    def shared(release: Release) -> tuple[int, int]:
        return len(ids & release.own_names), len(names & set(release.exercises))

    best = max(releases, key=shared, default=None)
    if best is None or not any(shared(best)):
        raise SubmissionError(
            "This notebook belongs to no assignment of this course: hand in the one you were given."
        )
    return best


@dataclass
class _Sorting:
    """Sorts a student's cells: answers by grade_id, own cells by what they stand behind."""

    release: Release
    found: dict[str, list[str]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    _behind: dict[int, list[Cell]] = field(default_factory=dict)  # -1: before all
    _place: int = -1

    def __post_init__(self) -> None:
        cells = list(enumerate(self.release.cells))
        self._by_grade_id = {cell.grade_id: place for place, cell in cells if cell.grade_id}
        self._by_id = {cell.id: place for place, cell in cells if cell.id}
        self._by_source = {cell.source.strip(): place for place, cell in cells}

    def take(self, cell: Cell) -> None:
        """Sort one cell of the student's."""
        place = self._place_of(cell)
        original = self.release.cells[place] if place is not None else None
        if place is None or original is None:
            self._keep_own(cell)
            return
        self._place = place
        if original.role in ANSWERED:
            self._take_answer(cell, original)
        elif original.role in (CellRole.SETUP, CellRole.TEST):
            self._take_locked(cell, original)
        elif cell.cell_type == "code" and cell.source.strip() != original.source.strip():
            self._keep_own(cell)

    def _place_of(self, cell: Cell) -> int | None:
        for index, key in (
            (self._by_grade_id, cell.grade_id),
            (self._by_id, cell.id),
            (self._by_source, cell.source.strip()),
        ):
            if key and key in index:
                return index[key]
        return None

    def _take_answer(self, cell: Cell, original: Cell) -> None:
        name = original.grade_id
        sources = self.found.setdefault(name, [])
        if cell.grade_id != name:
            self.warnings.append(f"`{name}`: the cell had lost its grade_id; it was put back.")
        if cell.cell_type != original.cell_type:
            self.warnings.append(
                f"`{name}`: the cell was a {cell.cell_type} cell; it was read as "
                f"{original.cell_type}."
            )
        if _same(cell.source, original.source):
            return
        if sources:
            self.warnings.append(f"`{name}`: there were several such cells; they were joined.")
        sources.append(cell.source)

    def _take_locked(self, cell: Cell, original: Cell) -> None:
        self.found.setdefault(original.grade_id, [])
        if cell.source.strip() != original.source.strip():
            self.warnings.append(
                f"`{original.grade_id}`: a given cell was edited; the original was used instead."
            )

    def _keep_own(self, cell: Cell) -> None:
        self._behind.setdefault(self._place, []).append(cell)

    def find_lost_solutions(self) -> None:
        """Take a student's own cell for a solution cell that is gone, if it defines its name."""
        for name in self.release.exercises:
            if name in self.found:
                continue
            for cells in self._behind.values():
                for cell in [cell for cell in cells if name in _defined(cell)]:
                    cells.remove(cell)
                    self._take_answer(cell, self.release.names[name])
        missing = [n for n in self.release.names if n not in self.found]
        if missing and self.found:
            listed = ", ".join(f"`{name}`" for name in missing)
            self.warnings.append(f"These cells were gone and were put back: {listed}.")

    def placed(self) -> Iterable[SubmittedCell]:
        """Yield the cells of the release with the answers in them, and the student's own."""
        yield from self._own(-1)
        for place, original in enumerate(self.release.cells):
            sources = self.found.get(original.grade_id) if original.role in ANSWERED else None
            update = {"source": "\n\n".join(sources)} if sources else {}
            yield SubmittedCell(original.role, original.model_copy(update=update))
            yield from self._own(place)

    def _own(self, place: int) -> Iterable[SubmittedCell]:
        for number, cell in enumerate(self._behind.get(place, ())):
            name = f"own-{place + 1}-{number}"
            yield SubmittedCell(
                CellRole.FREE, Cell(cell_type=cell.cell_type, source=cell.source, id=name), True
            )


def _same(source: str, other: str) -> bool:
    """Tell whether two cells differ in nothing but white space at line ends and around."""
    lines = [line.rstrip() for line in source.strip().splitlines()]
    return lines == [line.rstrip() for line in other.strip().splitlines()]


def _defined(cell: Cell) -> set[str]:
    """Return the names of the functions and classes that a code cell defines."""
    lines = ("" if line.startswith(("%", "!")) else line for line in cell.source.splitlines())
    try:
        body = ast.parse("\n".join(lines)).body if cell.cell_type == "code" else []
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    return {
        node.name
        for node in body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    }


def sha256(raw: bytes) -> str:
    """Return the hash by which a report says which notebook it is about."""
    return hashlib.sha256(raw).hexdigest()
