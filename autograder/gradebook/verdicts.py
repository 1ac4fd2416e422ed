"""Write verdicts into the notebook, where nbgrader looks for scores.

If the result of a graded cell is a number, nbgrader takes it as the cell's score. So each graded
cell gets one result: the score as its text, and the verdicts as its HTML.
"""

from __future__ import annotations

from nbformat import NotebookNode
from nbgrader import utils

from autograder.errors import CourseError
from autograder.gradebook import nodes
from autograder.gradebook.cells import graded_cell
from autograder.report import NOT_GRADED, CellOutput, ExerciseReport, Outcome, Report, Verdict
from autograder.telling.escaping import as_html, as_markdown

_SIGNS = {Outcome.PASSED: "✓", Outcome.GRADER_ERROR: "…"}


def write_verdicts(notebook: NotebookNode, report: Report) -> None:
    """Give each cell of `notebook` its outputs according to `report`."""
    exercises = {graded_cell(exercise.name): exercise for exercise in report.exercises}
    outputs = {output.cell: output for output in report.cells}
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id") or cell.id
        if utils.is_grade(cell) and cell.cell_type == "code":
            cell.outputs = [_result(cell, exercises.get(name))]
        elif cell.cell_type == "code":
            printed = _outputs(outputs[name]) if name in outputs else []
            cell.outputs = [*printed, *cell.outputs]  # there are pictures, if anything
    if report.warnings:
        notebook.cells.insert(0, _notes(report.warnings))


def _result(cell: NotebookNode, exercise: ExerciseReport | None) -> NotebookNode:
    mark = cell.metadata.nbgrader
    if exercise is None:
        return nodes.result(NOT_GRADED, f"<div>This is {NOT_GRADED}.</div>")
    if exercise.max_score != mark.points:
        raise CourseError(
            f"{exercise.name} is worth {exercise.max_score:g} points in its hidden tests but "
            f"{mark.points:g} in the gradebook: run `make release`, then grade again."
        )
    score = str(exercise.score) if exercise.is_graded else NOT_GRADED
    return nodes.result(score, _page(exercise))


def _page(exercise: ExerciseReport) -> str:
    """Return the score and the checks, in tags that nbconvert's sanitiser allows.

    The reasons for failures are in the comment on the solution above.
    """
    points = f"{exercise.score:g} of {exercise.max_score:g} points"
    head = f"<b>{points if exercise.is_graded else NOT_GRADED.capitalize()}</b>"
    return f"<div>{head}<ul>{''.join(map(_row, exercise.tests))}</ul></div>"


def _row(verdict: Verdict) -> str:
    sign = _SIGNS.get(verdict.outcome, "✗")
    points = f"{verdict.score:g}/{verdict.max_score:g}"
    if verdict.outcome is Outcome.GRADER_ERROR:
        points = NOT_GRADED
    return f"<li>{sign} {as_html(verdict.title)} ({points})</li>"


def _outputs(output: CellOutput) -> list[NotebookNode]:
    printed = [nodes.printed(output.text)] if output.text else []
    return [*printed, nodes.error(output.error)] if output.error else printed


def _notes(warnings: tuple[str, ...]) -> NotebookNode:
    lines = ["**Notes from the grader**", "", *(f"- {as_markdown(text)}" for text in warnings)]
    return nodes.note("\n".join(lines), "grader-notes")
