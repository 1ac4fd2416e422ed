"""An instructor's solution script: its cells, and the role of each in the assignment.

A cell's header names its role (`# %% solution="mean"`); here it becomes nbgrader's metadata.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import Course, solution
from autograder.errors import ReleaseError
from autograder.gradebook.cells import graded_cell
from autograder.intake.notebook import ANSWERED, CellRole

if TYPE_CHECKING:  # nbformat is slow to import
    from nbformat import NotebookNode

_BEGIN, _END = "BEGIN SOLUTION", "END SOLUTION"
_MARKER = re.compile(r"(begin|end)\s*solution", re.IGNORECASE)  # nbgrader wants the exact words
MAX_WRITTEN_SHARE = 1 / 5  # of the assignment's points, for one written answer
_ROLES = (CellRole.SETUP, CellRole.SOLUTION, CellRole.TEST, CellRole.WRITTEN)
_NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


@dataclass(frozen=True)
class _Part:
    """The role, the name and the points in a cell's header."""

    role: CellRole = CellRole.FREE
    name: str = ""
    points: float = 0
    folded: str = ""  # the title under which the cell is folded, if it is

    @property
    def grade_id(self) -> str:
        return graded_cell(self.name) if self.role is CellRole.TEST else self.name

    def nbgrader(self) -> dict[str, object]:
        """Return nbgrader's metadata for the cell (schema version 3)."""
        graded = self.role in (CellRole.TEST, CellRole.WRITTEN)
        return {
            "grade": graded,
            "grade_id": self.grade_id,
            "locked": self.role in (CellRole.SETUP, CellRole.TEST),
            "schema_version": 3,
            "solution": self.role in (CellRole.SOLUTION, CellRole.WRITTEN),
            "task": False,
        } | ({"points": self.points} if graded else {})

    def metadata(self) -> dict[str, object]:
        """Return the cell's metadata; Jupyter and Colab each have their own way to fold a cell."""
        marks: dict[str, object] = {"nbgrader": self.nbgrader()} if self.name else {}
        folds = {"cellView": "form", "jupyter": {"source_hidden": True}}
        return marks | (folds if self.folded else {})


@dataclass(frozen=True)
class Script:
    """A solution script: its cells as a notebook's, and their headers."""

    name: str
    cells: tuple[NotebookNode, ...]
    parts: tuple[_Part, ...]

    @classmethod
    def read(cls, course: Course, assignment: str) -> Script:
        cells = tuple(solution.cells(course, assignment))
        path = course.solutions / f"{assignment}.py"
        for cell in cells:
            _include(path, cell)
        script = cls(path.name, cells, tuple(_part(path.name, cell) for cell in cells))
        return script.without(course.settings.assignment(assignment).left_out)

    def without(self, exercises: Collection[str]) -> Script:
        """Return a copy without the solutions and checks of `exercises`."""
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
        """Raise `ReleaseError` if the script would give a broken assignment."""
        ids = Counter(part.grade_id for part in self.parts if part.grade_id)
        for name in (name for name, times in ids.items() if times > 1):
            self._refuse(f"{ids[name]} cells are named {name!r}: keep one")
        solutions, tests = self.named(CellRole.SOLUTION), self.named(CellRole.TEST)
        for name in set(solutions) - set(tests):
            self._refuse(f'the solution {name!r} has no visible checks: add a cell test="{name}"')
        for name in set(tests) - set(solutions):
            self._refuse(f'the checks {name!r} have no solution: add a cell solution="{name}"')
        for part, cell in zip(self.parts, self.cells, strict=True):
            self._check_regions(part, cell.source)

    def _check_regions(self, part: _Part, source: str) -> None:
        """Check that solutions are between markers: everything else is released to students."""
        lines = [line for line in source.splitlines() if _MARKER.search(line)]
        if part.role is CellRole.SOLUTION and not lines:
            self._refuse(f"the solution {part.name!r} has no line `### {_BEGIN}`")
        if part.role is not CellRole.SOLUTION and lines:
            where = f"the cell {part.grade_id!r}" if part.name else "a cell without solution="
            self._refuse(f"{where} has a line `{lines[0].strip()}`: only solution cells may")
        expected = cycle((_BEGIN, _END))
        if len(lines) % 2 or any(next(expected) not in line for line in lines):
            self._refuse(f"`{_BEGIN}` and `{_END}` do not alternate in {part.name!r}")

    def marked(self, points: Mapping[str, float]) -> NotebookNode:
        """Return the notebook with nbgrader's metadata; `points` are those of hidden tests."""
        from nbformat import v4

        worth, cells = self.worth(points), []
        for place, (part, cell) in enumerate(zip(self.parts, self.cells, strict=True)):
            cell.id = part.grade_id or f"cell-{place:02}"
            cell.metadata = replace(part, points=worth.get(part.name, 0)).metadata()
            cell.source = f"#@title {part.folded}\n{cell.source}" if part.folded else cell.source
            cells.append(cell)
        notebook: NotebookNode = v4.new_notebook(  # type: ignore[no-untyped-call]
            nbformat_minor=5, metadata=_NOTEBOOK_METADATA, cells=cells
        )
        return notebook

    def worth(self, points: Mapping[str, float]) -> dict[str, float]:
        """Return the points of each exercise and written answer, in order."""
        solutions = self.named(CellRole.SOLUTION)
        for name in set(solutions) - set(points):
            self._refuse(
                f"the exercise {name!r} has no hidden tests: write test_{name}.py in hidden_tests/"
            )
        for name in set(points) - set(solutions):
            self._refuse(f"test_{name}.py tests an exercise that has no cell solution={name!r}")
        answered = [part for part in self.parts if part.role in ANSWERED]
        worth = {part.name: part.points or points[part.name] for part in answered}
        total = sum(worth.values())
        for part in answered:
            if part.points > total * MAX_WRITTEN_SHARE:
                self._refuse(
                    f"the written answer {part.name!r} is worth {part.points:g} of {total:g} "
                    "points, more than a fifth: give it fewer"
                )
        return worth

    def _refuse(self, reason: str) -> None:
        raise ReleaseError(f"{self.name}: {reason}.")


def _include(script: Path, cell: NotebookNode) -> None:
    """Take the code of a cell `# %% include="shared/name.py"` from that file in `solutions/`."""
    if "include" not in cell.metadata:
        return
    path = script.parent / str(cell.metadata.pop("include"))
    given = cell.cell_type == "code" and not cell.source.strip()
    if not given or set(_ROLES) & set(cell.metadata):
        raise ReleaseError(
            f"{script.name}: `include` names the file that a cell's code is in, so the cell can "
            "have neither other code nor a role."
        )
    if not path.is_file():
        raise ReleaseError(
            f"{script.name}: `include` names {path.name}, which isn't in solutions/."
        )
    cell.source = path.read_text("utf-8").strip()


def _part(script: str, cell: NotebookNode) -> _Part:
    """Read a cell's header."""
    cell.metadata.pop("lines_to_next_cell", None)  # only jupytext uses this
    options = dict(cell.metadata)
    roles = [role for role in _ROLES if role in options]
    role = roles[0] if roles else CellRole.FREE
    name = options.pop(role, "")
    points = options.pop("points", 0) if role is CellRole.WRITTEN else 0
    folded = options.pop("folded", "") if cell.cell_type == "code" else ""
    if options:
        raise ReleaseError(
            f"{script}: {_header(cell)} has the unexpected option {', '.join(sorted(options))}: a "
            f"cell takes one of {', '.join(_ROLES)}, points together with written, and folded or "
            "include if it is code."
        )
    if not isinstance(folded, str) or "\n" in folded or (folded and role is CellRole.SOLUTION):
        raise ReleaseError(
            f"{script}: {_header(cell)} can't be folded: only given code can, under a title."
        )
    if role is CellRole.FREE:
        return _Part(folded=folded)
    if not isinstance(name, str) or not name.isidentifier():
        raise ReleaseError(f"{script}: {_header(cell)} needs a name of letters, digits and _.")
    wanted = "markdown" if role is CellRole.WRITTEN else "code"
    if cell.cell_type != wanted:
        raise ReleaseError(f"{script}: {_header(cell)} must be a {wanted} cell.")
    if role is CellRole.WRITTEN and not (isinstance(points, int) and points > 0):
        raise ReleaseError(f"{script}: {_header(cell)} needs points, a whole number above 0.")
    return _Part(role, name, points, folded)


def _header(cell: NotebookNode) -> str:
    """Return a cell's header, approximately as in the script: `# %% test="mean"`."""
    options = [f"{key}={value!r}" for key, value in cell.metadata.items()]
    return f"`# %% {' '.join(options)}`".replace("'", '"')
