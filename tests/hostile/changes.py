"""What a hostile notebook does to itself: each change takes its content and returns another."""

from __future__ import annotations

import copy
import io
import json
import pickle
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

Content = dict[str, Any]
Change = Callable[[Content], Content | bytes]
CHANGES: dict[str, Change] = {}
SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>"


def _change(function: Change) -> Change:
    CHANGES[function.__name__] = function
    return function


def _change_cells(edit: Callable[[Content], None]) -> Change:
    """Make a change of a function that edits one cell after the other, in place."""

    def change(content: Content) -> Content:
        for cell in content["cells"]:
            edit(cell)
        return content

    CHANGES[edit.__name__] = change
    return change


def _mark(cell: Content) -> Content:
    mark: Content = cell["metadata"].get("nbgrader", {})
    return mark


def _is_test(cell: Content) -> bool:
    return bool(_mark(cell).get("grade")) and cell["cell_type"] == "code"


def _is_code_answer(cell: Content) -> bool:
    return bool(_mark(cell).get("solution")) and not _mark(cell)["grade"]


def _answers(content: Content) -> Iterator[Content]:
    return filter(_is_code_answer, content["cells"])


def _result(text: str, **data: Any) -> Content:
    data = {"text/plain": text} | data
    return {"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": 1}


@_change_cells
def points_are_a_thousand(cell: Content) -> None:
    """Raise every test's points."""
    if "points" in _mark(cell):
        _mark(cell)["points"] = 1000


@_change_cells
def points_are_odd(cell: Content) -> None:
    """Give points that make no sense."""
    odd: list[Any] = [-5, float("nan"), float("inf"), "many", None, [3], {"a": 1}, True]
    if "points" in _mark(cell):
        _mark(cell)["points"] = odd[len(cell["source"]) % len(odd)]


@_change_cells
def tests_hold_for_everything(cell: Content) -> None:
    """Empty the tests."""
    if _is_test(cell):
        cell["source"] = "assert True"


@_change_cells
def tests_return_numbers(cell: Content) -> None:
    """Let each test end in a number, which nbgrader takes for partial credit."""
    if _is_test(cell):
        cell["source"] = f"float({_mark(cell)['points']})"


@_change
def given_code_lies(content: Content) -> Content:
    """Edit the imports that all exercises rely on."""
    for cell in content["cells"]:
        if cell["id"] == "imports":
            cell["source"] = "import numpy as np\nnp.allclose = lambda *args, **kwargs: True"
    return content


@_change_cells
def outputs_are_full_marks(cell: Content) -> None:
    """Claim in each test's output that it gave full marks."""
    if _is_test(cell):
        cell["outputs"] = [_result(str(_mark(cell)["points"]))]
        cell["execution_count"] = 1


@_change
def everything_twice(content: Content) -> Content:
    """Hand in each cell a second time, with the same ids."""
    return content | {"cells": [cell for cell in content["cells"] for _ in range(2)]}


@_change
def tests_again_with_other_points(content: Content) -> Content:
    """Append tests of the same names that hold and count more."""
    again = copy.deepcopy([cell for cell in content["cells"] if _is_test(cell)])
    for cell in again:
        cell["source"] = "assert True"
        _mark(cell)["points"] = 1000
    return content | {"cells": content["cells"] + again}


@_change
def softmax_has_a_rival(content: Content) -> Content:
    """Hand in two answers to one exercise: the last one defines the name."""
    wrong = "def softmax(x): return x * 0"
    rivals = [cell | {"source": wrong} for cell in _answers(content) if cell["id"] == "softmax"]
    return content | {"cells": content["cells"] + rivals}


@_change_cells
def marks_are_gone(cell: Content) -> None:
    """Remove nbgrader's metadata, as some editors do."""
    cell["metadata"] = {}


@_change_cells
def marks_and_ids_are_gone(cell: Content) -> None:
    """Remove all that tells cells apart but their sources."""
    cell["metadata"] = {}
    del cell["id"]


@_change
def order_is_reversed(content: Content) -> Content:
    """Turn the notebook upside down."""
    return content | {"cells": content["cells"][::-1]}


@_change
def answers_are_in_one_cell(content: Content) -> Content:
    """Put all functions into the first solution cell and delete the others."""
    first, *others = _answers(content)
    first["source"] = "\n\n".join(cell["source"] for cell in (first, *others))
    return content | {"cells": [cell for cell in content["cells"] if cell not in others]}


@_change
def tests_are_deleted(content: Content) -> Content:
    """Delete every test."""
    return content | {"cells": [cell for cell in content["cells"] if not _is_test(cell)]}


@_change
def answers_alone(content: Content) -> Content:
    """Delete all but the solution cells."""
    return content | {"cells": list(_answers(content))}


@_change
def two_grade_ids_are_exchanged(content: Content) -> Content:
    """Let two answers stand under each other's names."""
    first, *_, last = _answers(content)
    first["metadata"], last["metadata"] = last["metadata"], first["metadata"]
    first["id"], last["id"] = last["id"], first["id"]
    return content


@_change
def grade_ids_are_odd(content: Content) -> Content:
    """Add cells whose grade_ids are nobody's."""
    names: list[Any] = ["<b>", "../../x", "", "a" * 10**5, None, 7, ["softmax"], {}]
    for number, odd in enumerate(names):
        mark = {"grade_id": odd, "solution": True, "grade": number % 2 == 0, "points": 9}
        cell = {"cell_type": "code", "id": f"odd-{number}", "source": "1", "outputs": []}
        content["cells"].append(cell | {"metadata": {"nbgrader": mark}, "execution_count": None})
    return content


@_change_cells
def answers_are_prose(cell: Content) -> None:
    """Make prose of the solution cells."""
    if _is_code_answer(cell):
        cell["cell_type"] = "markdown"


@_change_cells
def answers_are_raw(cell: Content) -> None:
    """Make raw cells of the solution cells."""
    if _is_code_answer(cell):
        cell["cell_type"] = "raw"


@_change_cells
def written_answers_are_code(cell: Content) -> None:
    """Make code of the cells for prose."""
    if _mark(cell).get("grade") and _mark(cell)["solution"]:
        cell |= {"cell_type": "code", "outputs": [], "execution_count": None}


@_change_cells
def answers_are_marked_as_tests(cell: Content) -> None:
    """Give the solution cells points of their own."""
    if _is_code_answer(cell):
        _mark(cell).update(grade=True, solution=False, locked=True, points=1000)


@_change_cells
def tests_are_marked_as_answers(cell: Content) -> None:
    """Claim that the tests are cells for answers, which are not restored."""
    if _is_test(cell):
        _mark(cell).update(grade=False, solution=True, locked=False)
        cell["source"] = "assert True"


@_change_cells
def metadata_is_a_list(cell: Content) -> None:
    """Replace metadata by what is no mapping, where nothing else tells."""
    if not _mark(cell):
        cell["metadata"] = [1, 2]


@_change_cells
def schema_is_old(cell: Content) -> None:
    """Write the marks as nbgrader did in its first version."""
    if _mark(cell):
        _mark(cell).update(schema_version=1, checksum="0" * 32)
        _mark(cell).pop("locked")


@_change
def kernel_is_another(content: Content) -> Content:
    """Ask for R."""
    return content | {
        "metadata": {"kernelspec": {"name": "ir", "display_name": "R", "language": "R"}}
    }


@_change
def kernel_is_a_command(content: Content) -> Content:
    """Ask for a kernel whose name is a path and a command."""
    name = "../../../bin/sh -c 'touch /tmp/touched'"
    return content | {
        "metadata": {"kernelspec": {"name": name, "argv": ["/bin/sh"], "display_name": name}}
    }


@_change
def format_is_3(content: Content) -> Content:
    """Write the notebook as Jupyter did before 2015."""
    kinds = {"code": "input", "markdown": "source"}
    cells = [
        {"cell_type": kind, kinds[kind]: cell["source"], "metadata": cell["metadata"]}
        | ({"outputs": [], "language": "python"} if kind == "code" else {})
        for cell in content["cells"]
        for kind in [cell["cell_type"]]
    ]
    sheets = [{"cells": cells, "metadata": {}}]
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": sheets}


@_change
def minor_format_is_of_the_future(content: Content) -> Content:
    """Claim a version that nobody has written yet."""
    return content | {"nbformat_minor": 10**9, "novelty": {"a": 1}}


@_change
def bytes_are_no_text(content: Content) -> bytes:
    """Write bytes that are no UTF-8 into the file."""
    return json.dumps(content).encode().replace(b"softmax", b"soft\xff\xfemax")


@_change
def text_is_utf_16(content: Content) -> bytes:
    """Write the file in another encoding."""
    return json.dumps(content).encode("utf-16")


@_change
def file_is_a_pickle(content: Content) -> bytes:
    """Hand in a pickle."""
    return pickle.dumps(content)


@_change
def file_is_an_archive(content: Content) -> bytes:
    """Hand in the notebook zipped, under the name of a notebook."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("../../hw1_attention.ipynb", json.dumps(content))
    return archive.getvalue()


@_change
def file_breaks_off(content: Content) -> bytes:
    """Hand in the first half, as after a full disk."""
    raw = json.dumps(content).encode()
    return raw[: len(raw) // 2]


@_change
def keys_come_twice(content: Content) -> bytes:
    """Give each key of the notebook two values; the last one counts."""
    raw = json.dumps(content).encode()
    return b'{"nbformat": 9, "cells": 7, ' + raw[1:]


@_change
def brackets(content: Content) -> bytes:
    """Hand in what a careless parser calls itself on until it ends."""
    return b"[" * 200_000


@_change
def metadata_is_deep(content: Content) -> bytes:
    """Nest metadata."""
    deep = b'{"a":' * 10_000 + b"1" + b"}" * 10_000
    return json.dumps(content).encode().replace(b"{", b'{"deep": ' + deep + b", ", 1)


@_change
def number_is_long(content: Content) -> bytes:
    """Write a number that takes long to read."""
    raw = json.dumps(content | {"nbformat_minor": 5}).encode()
    return raw.replace(b'"nbformat_minor": 5', b'"nbformat_minor": ' + b"9" * 10**6)


@_change
def windows_wrote_it(content: Content) -> bytes:
    """Put a byte order mark before the file, and Windows line ends into it."""
    return b"\xef\xbb\xbf" + json.dumps(content, indent=1).replace("\n", "\r\n").encode()


@_change_cells
def macintosh_wrote_it(cell: Content) -> None:
    """End lines as no computer has done since 2001."""
    cell["source"] = cell["source"].replace("\n", "\r")


@_change_cells
def sources_are_lists(cell: Content) -> None:
    """Split sources as one may, and as nobody does."""
    by_lines = len(cell["source"]) % 2
    cell["source"] = cell["source"].splitlines(keepends=True) if by_lines else [*cell["source"], ""]


@_change
def source_is_a_number(content: Content) -> Content:
    """Put a number where text belongs."""
    content["cells"][0]["source"] = 7
    return content


@_change
def kind_is_unknown(content: Content) -> Content:
    """Make up a kind of cell."""
    content["cells"][0]["cell_type"] = "movie"
    return content


@_change
def source_is_huge(content: Content) -> Content:
    """Write a novel into an answer."""
    next(_answers(content))["source"] += "\n# " + "x" * 10**6
    return content


@_change
def cells_are_many(content: Content) -> Content:
    """Add more cells than anybody reads."""
    return content | {"cells": content["cells"] + content["cells"][:1] * 10_000}


@_change
def own_cells_are_many(content: Content) -> Content:
    """Add as many cells as are let through, each of which prints and runs."""
    own: Content = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [own | {"id": f"own-{n}", "source": f"print('x' * 1000, {n})"} for n in range(900)]
    return content | {"cells": content["cells"] + cells}


@_change
def outputs_are_huge(content: Content) -> Content:
    """Leave a film in an output."""
    next(_answers(content))["outputs"] = [_result("x" * (100 << 20))]
    return content


@_change_cells
def characters_are_odd(cell: Content) -> None:
    """Put what is no letter into comments and prose, at the end of each answer."""
    if _is_code_answer(cell) or not _mark(cell):
        sign = "#" if cell["cell_type"] == "code" else ""
        cell["source"] += f"\n{sign} \u200b\u202e\ufeff \U0001f469\u200d\U0001f52c \x1b[2J \x07"


@_change
def answer_has_a_zero(content: Content) -> bytes:
    """Put a zero byte and half of a character into an answer."""
    *_, last = _answers(content)
    last["source"] += "\n# \0 \ud800"
    return json.dumps(content).encode()


@_change_cells
def attachments_are_there(cell: Content) -> None:
    """Attach pictures, and tags that hide a cell or remove it."""
    cell["attachments"] = {"../../x.png": {"image/svg+xml": f"<svg>{SCRIPT}</svg>"}}
    cell["metadata"] |= {"tags": ["remove-cell", "hide-input", SCRIPT], "editable": SCRIPT}


@_change_cells
def outputs_are_scripts(cell: Content) -> None:
    """Leave outputs that would run in a page."""
    if cell["cell_type"] == "code":
        rich = {"text/html": SCRIPT, "application/javascript": "alert(1)", "image/svg+xml": SCRIPT}
        cell["outputs"] = [_result(SCRIPT, **rich)]


@_change
def ids_are_scripts(content: Content) -> Content:
    """Add a cell each of whose names is a script."""
    mark = {"grade_id": SCRIPT, "solution": True, "grade": False, "locked": False}
    metadata = {"nbgrader": mark, "tags": [SCRIPT], "name": SCRIPT}
    content["cells"].append(
        {"cell_type": "code", "id": SCRIPT, "source": "os._exit(0)", "metadata": metadata}
    )
    return content


@_change
def metadata_is_a_script(content: Content) -> Content:
    """Put scripts where a page has its title and its language."""
    kernel = {"name": SCRIPT, "display_name": SCRIPT, "language": SCRIPT}
    about = {"title": SCRIPT, "authors": [{"name": SCRIPT}], "language_info": {"name": SCRIPT}}
    return content | {"metadata": about | {"kernelspec": kernel, "widgets": {SCRIPT: SCRIPT}}}
