"""A released notebook, with which each submission of its assignment is compared."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from autograder.course import Course
from autograder.errors import SubmissionError
from autograder.intake.notebook import ANSWERED, FOLDED, Cell, CellRole, read_notebook
from autograder.intake.prose import ReleasedProse


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
        return cls.read(assignment, path.read_bytes())

    @classmethod
    def read(cls, assignment: str, raw: bytes) -> Self:
        return cls(assignment, read_notebook(raw).cells)

    @cached_property  # these seven: many submissions are compared with the same release
    def exercises(self) -> dict[str, Cell]:
        """The stub of each exercise, by name, in the order of the notebook."""
        return {cell.grade_id: cell for cell in self.cells if cell.role is CellRole.SOLUTION}

    @cached_property
    def setup(self) -> tuple[Cell, ...]:
        """The given code that solutions build on."""
        return tuple(cell for cell in self.cells if cell.role is CellRole.SETUP)

    @cached_property
    def written(self) -> dict[str, float]:
        """The points of each written answer, by name."""
        marks = (cell.nbgrader for cell in self.cells if cell.role is CellRole.WRITTEN)
        return {mark.grade_id: mark.points for mark in marks}

    @cached_property
    def prose(self) -> ReleasedProse:
        return ReleasedProse(self.cells)

    @cached_property
    def own_names(self) -> frozenset[str]:
        """The grade_ids that identify this assignment: those of answers and visible checks."""
        identifying = (*ANSWERED, CellRole.TEST)
        return frozenset(cell.grade_id for cell in self.cells if cell.role in identifying)

    @cached_property
    def titles(self) -> frozenset[str]:
        """The first lines of given cells that are folded."""
        lines = (cell.source.split("\n", 1)[0] for cell in self.cells if cell.role not in ANSWERED)
        return frozenset(line for line in lines if line.startswith(FOLDED))

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
