"""The notebook with its verdicts, where nbgrader looks for scores.

If the result of a graded cell is a number, nbgrader takes it as the cell's score. So each graded
cell gets one result: the score as its text, and the verdicts as its HTML.
"""

from __future__ import annotations

from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader import utils

from autograder.errors import CourseError
from autograder.gradebook.configuration import graded_cell
from autograder.intake.notebook import Cell, read_notebook
from autograder.intake.submission import Release, normalise
from autograder.report import NOT_GRADED, CellOutput, ExerciseReport, Report
from autograder.telling.record import card_of
from autograder.telling.text import as_html, as_markdown


def clean_copy(raw: bytes, release: Release) -> NotebookNode:
    """Return a submitted notebook as a copy of its release with the student's answers in it.

    It has no outputs other than pictures.
    """
    cells = (submitted.cell for submitted in normalise(read_notebook(raw), release).cells)
    return _node(
        nbformat=4,
        nbformat_minor=5,
        metadata={"language_info": {"name": "python"}},
        cells=[_cell(cell) for cell in cells],
    )


def write_verdicts(notebook: NotebookNode, report: Report) -> None:
    """Give each cell of `notebook` its outputs according to `report`."""
    exercises = {graded_cell(exercise.name): exercise for exercise in report.exercises}
    outputs = {output.cell: output for output in report.cells}
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id") or cell.id
        if utils.is_grade(cell) and cell.cell_type == "code":
            cell.outputs = [_score_of(cell, exercises.get(name))]
        elif cell.cell_type == "code":
            printed = _outputs(outputs[name]) if name in outputs else []
            cell.outputs = [*printed, *cell.outputs]  # there are pictures, if anything
    if report.warnings:
        notes = "\n".join(f"- {as_markdown(text)}" for text in report.warnings)
        source = f"**Notes from the grader**\n\n{notes}"
        cell = Cell(cell_type="markdown", source=source, id="grader-notes")
        notebook.cells.insert(0, _node(**_cell(cell)))


def _score_of(cell: NotebookNode, exercise: ExerciseReport | None) -> NotebookNode:
    mark = cell.metadata.nbgrader
    if exercise is None:
        return _result(NOT_GRADED, f"<div>This is {NOT_GRADED}.</div>")
    if exercise.max_score != mark.points:
        raise CourseError(
            f"{exercise.name} is worth {exercise.max_score:g} points in its hidden tests but "
            f"{mark.points:g} in the gradebook: run `make release`, then grade again."
        )
    score, card = str(exercise.score) if exercise.is_graded else NOT_GRADED, card_of(exercise)
    # In tags that nbconvert's sanitiser allows; the comment above says what the checks saw.
    rows = (f"<li>{each.sign} {as_html(each.title)} ({each.points})</li>" for each in card.checks)
    return _result(score, f"<div><b>{card.points}</b><ul>{''.join(rows)}</ul></div>")


def _outputs(output: CellOutput) -> list[NotebookNode]:
    found = []
    if output.text:
        found.append(_node(output_type="stream", name="stdout", text=output.text))
    if output.error:
        trace = output.error.splitlines()
        found.append(_node(output_type="error", ename="", evalue="", traceback=trace))
    return found


def _result(text: str, html: str) -> NotebookNode:
    data = {"text/plain": text, "text/html": html}
    return _node(output_type="execute_result", data=data, metadata={}, execution_count=None)


def _cell(cell: Cell) -> dict[str, Any]:
    content = cell.model_dump(exclude={"pictures"})
    if cell.cell_type == "code":
        pictures = [
            {"output_type": "display_data", "data": {kind: data}, "metadata": {}}
            for kind, data in cell.pictures
        ]
        content |= {"outputs": pictures, "execution_count": None}
    return content


def _node(**content: Any) -> NotebookNode:
    """Return dicts and lists as in a notebook's JSON as nbformat's nodes."""
    made: NotebookNode = nbformat.from_dict(content)  # type: ignore[no-untyped-call]
    return made
