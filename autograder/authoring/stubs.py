"""What students find in place of a solution: a line that says which exercise is theirs to write."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions


class NamedStubs(ClearSolutions):  # type: ignore[misc]
    """nbgrader's own step, with the exercise's name in each stub."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: Any, cell_index: int
    ) -> tuple[NotebookNode, Any]:
        """Replace the solution regions of one cell."""
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        self.code_stub = {"python": f'raise NotImplementedError("{name}: your turn")'}
        cleared: tuple[NotebookNode, Any] = super().preprocess_cell(cell, resources, cell_index)
        return cleared
