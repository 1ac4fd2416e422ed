"""What Colab, VS Code and Kaggle, copying, splitting and merging do to a notebook."""

import json
from typing import Any

from tests.courses import KIT
from tests.habits.edits import HW1, HW2, Edit, Habit, Kept, both, ended, habits, written
from tests.notebooks import Cell, code, markdown

STREAM = {"output_type": "stream", "name": "stdout", "text": ["tensor([0.1, 0.9])\n"]}
WARNED = {"output_type": "stream", "name": "stderr", "text": "UserWarning: …\n"}
RAISED = {
    "output_type": "error",
    "ename": "NameError",
    "evalue": "name 'x' is not defined",
    "traceback": ["\x1b[0;31mNameError\x1b[0m: name 'x' is not defined"],
}
TABLE = {
    "output_type": "display_data",
    "data": {"text/html": "<table><tr><td>0.1</td></tr></table>", "text/plain": "0.1"},
    "metadata": {},
}
WIDGET = {
    "output_type": "display_data",
    "data": {"application/vnd.jupyter.widget-view+json": {"model_id": "ab12", "version_major": 2}},
    "metadata": {},
}


def released_stub(name: str, assignment: str) -> str:
    """The source of an answer's cell as students get it."""
    cells = json.loads(KIT.release_path(assignment).read_text("utf-8"))["cells"]
    return next("".join(cell["source"]) for cell in cells if cell["id"] == name)


def _code_cells(kept: Kept) -> list[Cell]:
    return [cell for cell in kept.cells if cell["cell_type"] == "code"]


def _without_ids(kept: Kept) -> None:
    kept.content["nbformat_minor"] = 0
    for cell in kept.cells:
        cell.pop("id", None)


def colab(kept: Kept) -> None:
    """Save it in Colab: format 4.0, ids in the metadata, sizes of outputs."""
    _without_ids(kept)
    kept.content["metadata"] = {
        "accelerator": "GPU",
        "colab": {"provenance": [], "gpuType": "T4", "toc_visible": True},
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(kept.cells):
        cell["metadata"] |= {"id": f"x{number:011}"}
        cell["source"] = "".join(cell["source"]).splitlines(keepends=True)
    for number, cell in enumerate(_code_cells(kept)):
        cell["metadata"] |= {"colab": {"base_uri": "https://localhost:8080/", "height": 35}}
        cell["metadata"] |= {"outputId": f"{number:08x}", "executionInfo": {"status": "ok"}}
        cell |= {"execution_count": number + 1, "outputs": [STREAM]}


def vs_code(kept: Kept) -> None:
    """Save it in VS Code: the language of each cell, the name of an environment."""
    kept.content["metadata"] = {
        "kernelspec": {"display_name": ".venv (3.12.4)", "language": "python", "name": "python3"},
        "language_info": {
            "codemirror_mode": {"name": "ipython", "version": 3},
            "version": "3.12.4",
        },
        "vscode": {"interpreter": {"hash": "31f2aee4e71d21fbe5cf8b01ff0e069b"}},
    }
    for number, cell in enumerate(kept.cells):
        cell["metadata"]["vscode"] = {"languageId": "python"}
        if cell["cell_type"] == "code":
            cell |= {"execution_count": number, "outputs": [STREAM, WARNED]}


def kaggle(kept: Kept) -> None:
    """Save it on Kaggle: times of each run, ids like those of no other host."""
    kept.content["metadata"] |= {"papermill": {"duration": 9.1, "exception": None}}
    for number, cell in enumerate(kept.cells):
        cell["metadata"] |= {"_uuid": f"{number:040x}", "trusted": True}
        cell["metadata"] |= {"execution": {"iopub.status.busy": "2026-10-01T10:00:00Z"}}


def without_metadata(kept: Kept) -> None:
    """Copy all cells into a new notebook: their texts remain, and nothing else."""
    for number, cell in enumerate(kept.cells):
        cell |= {"metadata": {}, "id": f"new-{number}"}


def same_ids(kept: Kept) -> None:
    """Give cells the ids of others, as copying a file by hand does."""
    for cell in kept.cells[::2]:
        cell["id"] = "same"


def crlf(kept: Kept) -> None:
    """Save it on Windows, by a program that writes both characters."""
    for cell in kept.cells:
        cell["source"] = "".join(cell["source"]).replace("\n", "\r\n")


def huge_outputs(kept: Kept) -> None:
    """Leave a megabyte of prints, tables, widgets and errors in the outputs."""
    for cell in _code_cells(kept):
        cell["outputs"] = [TABLE, WIDGET, RAISED, WARNED]
    _code_cells(kept)[3]["outputs"] = [{**STREAM, "text": "0.123 " * 200_000}]
    kept.content["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {}}


def typed(kind: str, name: str) -> Edit:
    """Change the type of an answer's cell by a key that was meant for another."""

    def edit(kept: Kept) -> None:
        cell = kept.cell(name)
        cell["cell_type"] = kind
        cell.pop("outputs", None)
        cell.pop("execution_count", None)

    return edit


def split(kept: Kept) -> None:
    """Split the answer before its `return`-less helper: both halves keep the metadata."""
    place = kept.place("softmax")
    lower = kept.cells[place]
    upper: dict[str, Any] = json.loads(json.dumps(lower))
    upper["source"] = "def shifted(x):\n    return x - x.max(axis=-1, keepdims=True)"
    lower["id"] = "split"
    lower["source"] = (
        "def softmax(x):\n    e = np.exp(shifted(x))\n    return e / e.sum(-1, keepdims=True)"
    )
    kept.cells.insert(place, upper)


def merged_with_checks(kept: Kept) -> None:
    """Merge an answer with the visible checks below it."""
    place = kept.place("softmax")
    kept.cells[place]["source"] += "\n\n" + "".join(kept.cells.pop(place + 1)["source"])


def merged_answers(kept: Kept) -> None:
    """Merge one answer into another: the second one's cell is gone."""
    second = kept.cells.pop(kept.place("self_attention"))
    kept.cell("scaled_dot_product_attention")["source"] += "\n\n" + second["source"]


def copied(kept: Kept) -> None:
    """Copy an answer's cell, to try something in the copy."""
    place = kept.place("softmax")
    kept.cells.insert(place + 1, json.loads(json.dumps(kept.cells[place])))


def moved_to_the_end(kept: Kept) -> None:
    """Move an answer to the end of the notebook."""
    kept.cells.append(kept.cells.pop(kept.place("worked_example")))


def only_answers(kept: Kept) -> None:
    """Delete everything but one's answers and the imports."""
    marks = [cell["metadata"].get("nbgrader", {}) for cell in kept.cells]
    kept.cells[:] = [
        cell
        for cell, mark in zip(kept.cells, marks, strict=True)
        if mark.get("solution") or mark.get("grade_id") == "imports"
    ]


def with_notes(kept: Kept) -> None:
    """Write notes between the cells, with emojis and formulas."""
    for place in range(len(kept.cells), 0, -7):
        kept.cells.insert(place, markdown("## 🚀 Notes to myself\n\n$QK^T$ → softmax → `V` ✅"))


def beside_stub(name: str, assignment: str, *helpers: str, above: bool = False) -> Edit:
    """Leave the stub as it was given, and answer in a cell of one's own next to it."""

    def edit(kept: Kept) -> None:
        place, answer = kept.place(name), kept.cell(name)["source"]
        kept.cell(name)["source"] = released_stub(name, assignment)
        kept.insert(place if above else place + 1, *helpers, answer)

    return edit


def below_a_blank(kept: Kept) -> None:
    """Empty the cell of an answer, and write it in a new one below."""
    beside_stub("softmax", HW1)(kept)
    kept.cell("softmax")["source"] = "# see below"


def in_the_checks(kept: Kept) -> None:
    """Write an answer above the checks, in their cell, and leave its own as it was given."""
    checks = kept.cell("softmax_test")
    checks["source"] = kept.cell("softmax")["source"] + "\n\n" + "".join(checks["source"])
    kept.cell("softmax")["source"] = released_stub("softmax", HW1)


def checks_merged_with_the_next(kept: Kept) -> None:
    """Merge checks with the answer to the next exercise, which has no cell any more."""
    answer = kept.cells.pop(kept.place("scaled_dot_product_attention"))
    kept.cell("softmax_test")["source"] += "\n\n" + answer["source"]


def beside_every_stub(kept: Kept) -> None:
    """Answer every exercise in a cell of one's own."""
    for cell in [
        cell for cell in kept.cells if cell["metadata"].get("nbgrader", {}).get("solution")
    ]:
        if cell["cell_type"] == "code":
            beside_stub(cell["metadata"]["nbgrader"]["grade_id"], HW1)(kept)


def deleted_checks(kept: Kept) -> None:
    """Delete the visible checks once they pass."""
    kept.cells[:] = [
        cell
        for cell in kept.cells
        if not cell["metadata"].get("nbgrader", {}).get("locked")
        or cell["metadata"]["nbgrader"]["grade_id"] == "imports"
    ]


SPLIT_SOFTMAX = """
def softmax(x):
    exponentials = np.exp(shifted(x))
    return exponentials / exponentials.sum(-1, keepdims=True)
"""
SHIFTED = "def shifted(x):\n    return x - x.max(axis=-1, keepdims=True)"

HABITS: tuple[Habit, ...] = (
    *habits(
        HW1,
        {
            "saved in Colab": colab,
            "saved in VS Code": vs_code,
            "saved on Kaggle": kaggle,
            "format 4.0, without ids": _without_ids,
            "ids twice": same_ids,
            "line ends of Windows": crlf,
            "huge outputs, HTML, widgets": huge_outputs,
            "copied into a new notebook": without_metadata,
            "a cell split in two": split,
            "merged with the checks": merged_with_checks,
            "two answers merged": merged_answers,
            "a cell copied": copied,
            "an answer moved to the end": moved_to_the_end,
            "all but the answers deleted": only_answers,
            "notes between the cells": with_notes,
            "checks deleted": deleted_checks,
            "an answer typed raw": typed("raw", "self_attention"),
            "an answer typed markdown": typed("markdown", "worked_example"),
            "answer below the stub": beside_stub("softmax", HW1),
            "answer below a cell without one": below_a_blank,
            "answer above the checks, in their cell": in_the_checks,
            "checks merged with the next answer": checks_merged_with_the_next,
            "answer above the stub": beside_stub("softmax", HW1, above=True),
            "every answer below its stub": beside_every_stub,
            "answer and helper below the stub": both(
                written("softmax", SPLIT_SOFTMAX), beside_stub("softmax", HW1, SHIFTED)
            ),
            "blank lines around an answer": both(
                lambda kept: kept.cell("softmax").update(
                    source="\n\n\n" + kept.cell("softmax")["source"]
                ),
                ended("softmax", "\n\n\n   \n"),
            ),
            "an empty cell everywhere": lambda kept: kept.cells.__setitem__(
                slice(None), [each for cell in kept.cells for each in (cell, code(""))]
            ),
        },
    ),
    *habits(
        HW2,
        {
            "hw2 saved in Colab": colab,
            "hw2 copied into a new notebook": without_metadata,
            "hw2 answer below the stub": beside_stub("EncoderBlock", HW2),
        },
    ),
)
