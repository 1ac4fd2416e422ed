"""nbgrader's names for cells."""

from __future__ import annotations


def graded_cell(exercise: str) -> str:
    """Return nbgrader's name for the cell that carries the points of `exercise`."""
    return f"{exercise}_test"


def exercise_of(cell: str) -> str:
    """Return the exercise whose points the cell named `cell` carries."""
    return cell.removesuffix(graded_cell(""))


def name_of(cell: str, cell_type: str) -> str:
    """Return the name of the exercise or the written answer whose points a cell carries."""
    return exercise_of(cell) if cell_type == "code" else cell
