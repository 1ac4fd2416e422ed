"""nbgrader's names for cells."""

from __future__ import annotations


def graded_cell(exercise: str) -> str:
    """Return nbgrader's name for the cell that carries the points of `exercise`."""
    return f"{exercise}_test"


def exercise_of(cell: str) -> str:
    """Return the exercise whose points a cell carries."""
    return cell.removesuffix("_test")
