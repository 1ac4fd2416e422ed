"""What the cells of one submission printed, raised and failed to define."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.intake.notebook import CellRole
from autograder.intake.submission import SubmittedCell
from autograder.report import CellOutput
from autograder.sandbox.limits import MAX_OUTPUT
from autograder.testing.failures import StudentFailure, cell_error

MAX_TOTAL_OUTPUT = 10 * MAX_OUTPUT  # characters of output that are kept from all cells together


@dataclass
class CellOutputs:
    """The output of each cell when it first ran, and what students should know of it."""

    by_name: dict[str, CellOutput] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def note(self, cell: SubmittedCell, reply: Mapping[str, Any]) -> None:
        """Keep the output in the reply to running `cell`, if it is the first."""
        if cell.name not in self.by_name:
            room = MAX_TOTAL_OUTPUT - sum(len(output.text) for output in self.by_name.values())
            text = str(reply.get("output", ""))[: min(room, MAX_OUTPUT)]
            error = cell_error(reply["error"]) if "error" in reply else ""
            self.by_name[cell.name] = CellOutput(cell=cell.name, text=text, error=error)

    def note_left_out(self, cell: SubmittedCell, failure: StudentFailure) -> None:
        """Keep why `cell` is not run again."""
        self.by_name[cell.name] = CellOutput(cell=cell.name, error=str(failure))
        if cell.role is not CellRole.SOLUTION:
            self._warn(f"{failure} This cell was left out of grading.")

    def failure_to_define(self, exercise: str, defined: Any) -> StudentFailure | None:
        """Return a failure if the exercise isn't `defined`; warn if it is and its cell raised."""
        error = self.by_name[exercise].error
        if not isinstance(defined, list) or exercise not in defined:
            why = error or "Keep the name that you were given."
            return StudentFailure(f"`{exercise}` is not defined after its cell has run. {why}")
        if error:
            self._warn(f"`{exercise}`: {error} Only what was defined before that was graded.")
        return None

    def _warn(self, warning: str) -> None:
        if warning not in self.warnings:
            self.warnings.append(warning)
