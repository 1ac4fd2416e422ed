"""An instructor's solution script: its cells, and the role of each in the assignment.

A cell's header names its role (`# %% solution="mean"`); here it becomes nbgrader's metadata.
"""

from __future__ import annotations

import base64
import re
import textwrap
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import Course, solution
from autograder.errors import ReleaseError, in_digits
from autograder.gradebook.configuration import graded_cell, name_of
from autograder.intake.notebook import ANSWERED, FOLDED, CellRole

if TYPE_CHECKING:  # nbformat is slow to import
    from nbformat import NotebookNode

LOCKED_NOTES = "locked notes"  # what `include` says in the cell that a release writes them into
BUGS_OF = "bugs of "  # likewise, before the name of the exercise that asks to find one
_BEGIN, _END = "BEGIN SOLUTION", "END SOLUTION"
_BASE64_OF = re.compile(r"BASE64_OF (?P<name>[\w./-]+)")
_BASE64_WIDTH = 120  # characters of a line of it
_MARKER = re.compile(r"(begin|end)\s*solution", re.IGNORECASE)  # nbgrader wants the exact words
MAX_WRITTEN_SHARE = 1 / 5  # of the assignment's points, for one written answer
_ROLES = (CellRole.SETUP, CellRole.SOLUTION, CellRole.TEST, CellRole.WRITTEN)
_NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


@dataclass(frozen=True)
class _Part:
    """A cell, and the role, the name and the points in its header."""

    cell: NotebookNode
    role: CellRole = CellRole.FREE
    name: str = ""
    points: float = 0
    folded: str = ""  # the title under which the cell is folded, if it is

    @property
    def grade_id(self) -> str:
        return graded_cell(self.name) if self.role is CellRole.TEST else self.name

    def metadata(self, points: float) -> dict[str, object]:
        """Return nbgrader's metadata (version 3), and what folds a cell in Jupyter and Colab.

        Whoever exports a notebook by nbconvert gets what a folded cell shows, without its code.
        """
        graded = self.role in (CellRole.TEST, CellRole.WRITTEN)
        mark = {
            "grade": graded,
            "grade_id": self.grade_id,
            "locked": self.role in (CellRole.SETUP, CellRole.TEST),
            "schema_version": 3,
            "solution": self.role in ANSWERED,
            "task": False,
        } | ({"points": points} if graded else {})
        metadata: dict[str, object] = {"nbgrader": mark} if self.name else {}
        if self.folded:
            metadata |= {"cellView": "form", "jupyter": {"source_hidden": True}}
            metadata["transient"] = {"remove_source": True}
        return metadata


@dataclass(frozen=True)
class Script:
    """A solution script: its file's name, and its cells."""

    name: str
    parts: tuple[_Part, ...]

    @classmethod
    def read(cls, course: Course, assignment: str) -> Script:
        """Read a script without the solutions and checks that `course.toml` leaves out."""
        path = course.solutions / f"{assignment}.py"
        left_out = course.settings.assignment(assignment).left_out
        parts = []
        for cell in solution.cells(course, assignment):
            _include(path, cell)
            part = _part(path.name, cell)
            if part.name not in left_out or part.role not in (CellRole.SOLUTION, CellRole.TEST):
                parts.append(part)
        return cls(path.name, tuple(parts))

    def named(self, role: CellRole) -> list[str]:
        return [part.name for part in self.parts if part.role is role]

    def check(self) -> None:
        """Raise `ReleaseError` if the script would give a broken assignment."""
        ids = Counter(part.grade_id for part in self.parts if part.grade_id)
        for name in (name for name, times in ids.items() if times > 1):
            self._refuse(f"{ids[name]} cells are named {name!r}: keep one")
        solutions, tests = self.named(CellRole.SOLUTION), self.named(CellRole.TEST)
        for name in sorted(set(solutions) - set(tests)):
            self._refuse(f'the solution {name!r} has no visible checks: add a cell test="{name}"')
        for name in sorted(set(tests) - set(solutions)):
            self._refuse(f'the checks {name!r} have no solution: add a cell solution="{name}"')
        for part in self.parts:
            self._check_regions(part)

    def _check_regions(self, part: _Part) -> None:
        """Check that solutions are between markers: everything else is released to students."""
        lines = [line for line in part.cell.source.splitlines() if _MARKER.search(line)]
        if part.role is CellRole.SOLUTION and not lines:
            self._refuse(f"the solution {part.name!r} has no line `### {_BEGIN}`")
        if part.role is not CellRole.SOLUTION and lines:
            where = f"the cell {part.grade_id!r}" if part.name else "a cell without solution="
            self._refuse(
                f"{where} has a line `{lines[0].strip()}`, which belongs in solution cells only"
            )
        expected = cycle((_BEGIN, _END))
        if len(lines) % 2 or any(next(expected) not in line for line in lines):
            self._refuse(f"`{_BEGIN}` and `{_END}` don't alternate in {part.name!r}")

    def marked(self, worth: Mapping[str, float]) -> NotebookNode:
        """Return the notebook with nbgrader's metadata; `worth` are the points by name."""
        from nbformat import v4

        for place, part in enumerate(self.parts):
            part.cell.id = part.grade_id or f"cell-{place:02}"
            part.cell.metadata = part.metadata(worth.get(part.name, 0))
            if part.folded:
                part.cell.source = f"{FOLDED}{part.folded}\n{part.cell.source}"
        cells = [part.cell for part in self.parts]
        notebook: NotebookNode = v4.new_notebook(  # type: ignore[no-untyped-call]
            nbformat_minor=5, metadata=_NOTEBOOK_METADATA, cells=cells
        )
        return notebook

    def worth(self, points: Mapping[str, float]) -> dict[str, float]:
        """Return the points of each exercise and written answer, in order."""
        solutions = self.named(CellRole.SOLUTION)
        for name in sorted(set(solutions) - set(points)):
            self._refuse(
                f"the exercise {name!r} has no hidden tests: write test_{name}.py in hidden_tests/"
            )
        for name in sorted(set(points) - set(solutions)):
            self._refuse(f"test_{name}.py tests an exercise that has no cell solution={name!r}")
        answered = [part for part in self.parts if part.role in ANSWERED]
        worth = {part.name: part.points or points[part.name] for part in answered}
        total = sum(worth.values())
        for part in answered:
            if part.points > total * MAX_WRITTEN_SHARE:
                share = f"{in_digits(part.points)} of {in_digits(total)} points"
                self._refuse(
                    f"the written answer {part.name!r} is worth {share}, "
                    "more than a fifth: give it fewer, or the hidden tests more"
                )
        return worth

    def _refuse(self, reason: str) -> None:
        raise ReleaseError(f"{self.name}: {reason}.")


def _include(script: Path, cell: NotebookNode) -> None:
    """Take the text of a cell `# %% include="shared/name.py"` from that file in `solutions/`.

    Several files, with commas between them, follow one another in the cell. In a file,
    `BASE64_OF name` becomes what the file `name` in `solutions/` holds.
    """
    if "include" not in cell.metadata:
        return
    included = str(cell.metadata.pop("include"))
    given = not cell.source.strip()
    has_bugs = included.startswith(BUGS_OF)  # then it may be a setup cell, whose function is called
    if not given or set(_ROLES) & set(cell.metadata) - {CellRole.SETUP if has_bugs else ""}:
        raise ReleaseError(
            f"{script.name}: `include` names the file that a cell's text is in, so the cell can "
            "have neither other text nor a role."
        )
    if has_bugs:
        cell.source = included
        return
    *files, last = included.split(", ")
    if LOCKED_NOTES in files:
        raise ReleaseError(f"{script.name}: in `include`, {LOCKED_NOTES!r} comes last.")
    codes = [_code_of(script, name) for name in files]
    cell.source = "\n\n\n".join([*codes, last if last == LOCKED_NOTES else _code_of(script, last)])


def _code_of(script: Path, name: str) -> str:
    """Return the code of an included file, with the files in it that it asks for."""

    def content(found: re.Match[str]) -> str:
        data = _included(script, found["name"]).read_bytes()
        return "\n".join(textwrap.wrap(base64.b64encode(data).decode("ascii"), _BASE64_WIDTH))

    return _BASE64_OF.sub(content, _included(script, name).read_text("utf-8").strip())


def _included(script: Path, name: str) -> Path:
    path = script.parent / name
    if not path.is_file():
        said = f"`include` names {path.name}, which isn't in solutions/."
        raise ReleaseError(f"{script.name}: {said}")
    return path


def _part(script: str, cell: NotebookNode) -> _Part:
    cell.metadata.pop("lines_to_next_cell", None)  # only jupytext uses this
    options = dict(cell.metadata)
    role = next((role for role in _ROLES if role in options), CellRole.FREE)
    name = options.pop(role, "")
    points = options.pop("points", 0) if role is CellRole.WRITTEN else 0
    folded = options.pop("folded", "") if cell.cell_type == "code" else ""
    if options:
        raise ReleaseError(
            f"{script}: {_header(cell)} has the unexpected option {', '.join(sorted(options))}: a "
            f"cell takes one of {', '.join(_ROLES)}, points together with written, and folded or "
            "include if it is code."
        )
    if not isinstance(folded, str) or "\n" in folded or (folded and role in ANSWERED):
        raise ReleaseError(
            f"{script}: {_header(cell)} can't be folded: only given code can, under a title."
        )
    if role is CellRole.FREE:
        return _Part(cell, folded=folded)
    if not isinstance(name, str) or not name.isidentifier():
        raise ReleaseError(f"{script}: {_header(cell)} needs a name of letters, digits and _.")
    wanted = ("markdown", "code") if role is CellRole.WRITTEN else ("code",)
    if cell.cell_type not in wanted:
        raise ReleaseError(f"{script}: {_header(cell)} must be a {' or '.join(wanted)} cell.")
    if role is CellRole.WRITTEN and not (isinstance(points, int) and points > 0):
        raise ReleaseError(f"{script}: {_header(cell)} needs points, a whole number above 0.")
    if role is CellRole.WRITTEN and name_of(name, cell.cell_type) != name:
        raise ReleaseError(f"{script}: {_header(cell)} has a name for checks: end it otherwise.")
    return _Part(cell, role, name, points, folded)


def _header(cell: NotebookNode) -> str:
    """Return a cell's header, approximately as in the script: `# %% test="mean"`."""
    options = [f"{key}={value!r}" for key, value in cell.metadata.items()]
    return f"`# %% {' '.join(options)}`".replace("'", '"')
