"""An instructor's solution script: its cells, and the part that each plays in the assignment.

A cell says so in short (`# %% solution="softmax"`); here that becomes nbgrader's mark on the cell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import cycle
from typing import TYPE_CHECKING

from autograder import gradebook
from autograder.course import Course
from autograder.errors import ReleaseError
from autograder.intake.notebook import CellRole

if TYPE_CHECKING:  # nbformat takes long to import
    from nbformat import NotebookNode

TOTAL = "TOTAL_POINTS"  # in prose: stands for what the assignment is worth
_BEGIN, _END = "BEGIN SOLUTION", "END SOLUTION"
_MARKER = re.compile(r"(begin|end)\s*solution", re.IGNORECASE)  # nbgrader takes it to the letter
MAX_WRITTEN_SHARE = 1 / 5
_ROLES = (CellRole.SETUP, CellRole.SOLUTION, CellRole.TEST, CellRole.WRITTEN)
_NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


@dataclass(frozen=True)
class _Part:
    """What a cell's header in the script says of it."""

    role: CellRole = CellRole.FREE
    name: str = ""
    points: float = 0

    @property
    def grade_id(self) -> str:
        return gradebook.graded_cell(self.name) if self.role is CellRole.TEST else self.name

    def nbgrader(self) -> dict[str, object]:
        """Return nbgrader's mark for the cell (its metadata schema 3)."""
        graded = self.role in (CellRole.TEST, CellRole.WRITTEN)
        return {
            "grade": graded,
            "grade_id": self.grade_id,
            "locked": self.role in (CellRole.SETUP, CellRole.TEST),
            "schema_version": 3,
            "solution": self.role in (CellRole.SOLUTION, CellRole.WRITTEN),
            "task": False,
        } | ({"points": self.points} if graded else {})


@dataclass(frozen=True)
class Script:
    """A solution script: its cells as a notebook, and what part each of them plays."""

    name: str
    cells: tuple[NotebookNode, ...]
    parts: tuple[_Part, ...]

    @classmethod
    def read(cls, course: Course, assignment: str) -> Script:
        import jupytext

        path = course.solutions / f"{course.check_assignment(assignment)}.py"
        try:
            cells = tuple(jupytext.read(path, fmt="py:percent").cells)
        except Exception as error:  # jupytext has no error of its own for what it can't read
            raise ReleaseError(f"{path.name} can't be read as a percent script: {error}") from error
        script = cls(path.name, cells, tuple(_part(path.name, cell) for cell in cells))
        return script.without(course.settings.assignment(assignment).left_out)

    def without(self, exercises: Collection[str]) -> Script:
        """Leave out the cells of `exercises`, solutions and checks."""
        pairs = zip(self.cells, self.parts, strict=True)
        kept = [
            (cell, part)
            for cell, part in pairs
            if part.name not in exercises or part.role not in (CellRole.SOLUTION, CellRole.TEST)
        ]
        return replace(
            self, cells=tuple(cell for cell, _ in kept), parts=tuple(part for _, part in kept)
        )

    def named(self, role: CellRole) -> list[str]:
        return [part.name for part in self.parts if part.role is role]

    def check(self) -> None:
        """Refuse what would make a broken assignment."""
        ids = Counter(part.grade_id for part in self.parts if part.grade_id)
        for name in (name for name, times in ids.items() if times > 1):
            self._refuse(f"{ids[name]} cells go by the name {name!r}: keep one")
        solutions, tests = self.named(CellRole.SOLUTION), self.named(CellRole.TEST)
        for name in set(solutions) - set(tests):
            self._refuse(f'the solution {name!r} has no visible checks: add a cell test="{name}"')
        for name in set(tests) - set(solutions):
            self._refuse(f'the checks {name!r} have no solution: add a cell solution="{name}"')
        for part, cell in zip(self.parts, self.cells, strict=True):
            self._check_regions(part, cell.source)

    def _check_regions(self, part: _Part, source: str) -> None:
        """Solutions stand between markers, in solution cells: what stands elsewhere is released."""
        lines = [line for line in source.splitlines() if _MARKER.search(line)]
        if part.role is CellRole.SOLUTION and not lines:
            self._refuse(f"the solution {part.name!r} has no line `### {_BEGIN}`")
        if part.role is not CellRole.SOLUTION and lines:
            where = f"the cell {part.grade_id!r}" if part.name else "a cell without solution="
            self._refuse(f"{where} has a line `{lines[0].strip()}`: only solution cells may")
        expected = cycle((_BEGIN, _END))
        if len(lines) % 2 or any(next(expected) not in line for line in lines):
            self._refuse(f"`{_BEGIN}` and `{_END}` do not take turns in {part.name!r}")

    def marked(self, points: Mapping[str, float]) -> NotebookNode:
        """Return the notebook with nbgrader's marks, and its total where the prose asks for it."""
        from nbformat import v4

        total, cells = self._total(points), []
        for place, (part, cell) in enumerate(zip(self.parts, self.cells, strict=True)):
            worth = replace(part, points=part.points or points.get(part.name, 0))
            prose = cell.cell_type == "markdown"
            cell.source = cell.source.replace(TOTAL, f"{total:g}") if prose else cell.source
            cell.id = part.grade_id or f"cell-{place:02}"
            cell.metadata = {"nbgrader": worth.nbgrader()} if part.name else {}
            cells.append(cell)
        notebook: NotebookNode = v4.new_notebook(  # type: ignore[no-untyped-call]
            nbformat_minor=5, metadata=_NOTEBOOK_METADATA, cells=cells
        )
        return notebook

    def _total(self, points: Mapping[str, float]) -> float:
        solutions = self.named(CellRole.SOLUTION)
        for name in set(solutions) - set(points):
            self._refuse(
                f"the exercise {name!r} has no hidden tests: write test_{name}.py in hidden_tests/"
            )
        for name in set(points) - set(solutions):
            self._refuse(f"test_{name}.py tests an exercise that has no cell solution={name!r}")
        written = [part for part in self.parts if part.role is CellRole.WRITTEN]
        total = sum(points.values()) + sum(part.points for part in written)
        for part in written:
            if part.points > total * MAX_WRITTEN_SHARE:
                self._refuse(
                    f"the written answer {part.name!r} counts {part.points:g} of {total:g} points, "
                    "more than a fifth: give it fewer"
                )
        return total

    def _refuse(self, why: str) -> None:
        raise ReleaseError(f"{self.name}: {why}.")


def _part(script: str, cell: NotebookNode) -> _Part:
    """Read what a cell's header says."""
    cell.metadata.pop("lines_to_next_cell", None)  # a note of jupytext to itself
    said = dict(cell.metadata)
    roles = [role for role in _ROLES if role in said]
    role = roles[0] if roles else CellRole.FREE
    name, points = said.pop(role, ""), said.pop("points", 0) if role is CellRole.WRITTEN else 0
    if said:
        raise ReleaseError(
            f"{script}: {_header(cell)} says {', '.join(sorted(said))}, which means nothing here: "
            f"a cell may say one of {', '.join(_ROLES)}, and points beside written."
        )
    if role is CellRole.FREE:
        return _Part()
    if not isinstance(name, str) or not name.isidentifier():
        raise ReleaseError(f"{script}: {_header(cell)} needs a name of letters, digits and _.")
    wanted = "markdown" if role is CellRole.WRITTEN else "code"
    if cell.cell_type != wanted:
        raise ReleaseError(f"{script}: {_header(cell)} has to be a {wanted} cell.")
    if role is CellRole.WRITTEN and not (isinstance(points, int) and points > 0):
        raise ReleaseError(f"{script}: {_header(cell)} needs points, a whole number above 0.")
    return _Part(role, name, points)


def _header(cell: NotebookNode) -> str:
    """Return a cell's header as it stands in the script, more or less: `# %% test="softmax"`."""
    said = [f"{key}={value!r}" for key, value in cell.metadata.items()]
    return f"`# %% {' '.join(said)}`".replace("'", '"')
