"""What a notebook shows to its reader."""

import json

from tests.hostile.changes.registry import (
    SCRIPT,
    Content,
    answers_in,
    change,
    change_cells,
    is_code_answer,
    mark_of,
    result,
)


@change_cells
def characters_are_odd(cell: Content) -> None:
    """Put what is no letter into comments and prose, at the end of each answer."""
    if is_code_answer(cell) or not mark_of(cell):
        sign = "#" if cell["cell_type"] == "code" else ""
        cell["source"] += f"\n{sign} \u200b\u202e\ufeff \U0001f469\u200d\U0001f52c \x1b[2J \x07"


@change
def answer_has_a_zero(content: Content) -> bytes:
    """Put a zero byte and half of a character into an answer."""
    *_, last = answers_in(content)
    last["source"] += "\n# \0 \ud800"
    return json.dumps(content).encode()


@change_cells
def attachments_are_there(cell: Content) -> None:
    """Attach pictures, and tags that hide a cell or remove it."""
    cell["attachments"] = {"../../x.png": {"image/svg+xml": f"<svg>{SCRIPT}</svg>"}}
    cell["metadata"] |= {"tags": ["remove-cell", "hide-input", SCRIPT], "editable": SCRIPT}


@change_cells
def outputs_are_scripts(cell: Content) -> None:
    """Leave outputs that would run in a page."""
    if cell["cell_type"] == "code":
        rich = {"text/html": SCRIPT, "application/javascript": "alert(1)", "image/svg+xml": SCRIPT}
        cell["outputs"] = [result(SCRIPT, **rich)]


@change
def ids_are_scripts(content: Content) -> Content:
    """Add a cell each of whose names is a script."""
    mark = {"grade_id": SCRIPT, "solution": True, "grade": False, "locked": False}
    metadata = {"nbgrader": mark, "tags": [SCRIPT], "name": SCRIPT}
    content["cells"].append(
        {"cell_type": "code", "id": SCRIPT, "source": "os._exit(0)", "metadata": metadata}
    )
    return content


@change
def metadata_is_a_script(content: Content) -> Content:
    """Put scripts where a page has its title and its language."""
    kernel = {"name": SCRIPT, "display_name": SCRIPT, "language": SCRIPT}
    about = {"title": SCRIPT, "authors": [{"name": SCRIPT}], "language_info": {"name": SCRIPT}}
    return content | {"metadata": about | {"kernelspec": kernel, "widgets": {SCRIPT: SCRIPT}}}
