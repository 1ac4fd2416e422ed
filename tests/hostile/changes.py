"""What a hostile notebook does to itself, where no cell can say it: cases name a change.

A change that an expression says stands in a table: what it makes of the notebook, of the list of
its cells, or of the bytes of the file. A function edits one cell after the other.
"""

import copy
import io
import json
import pickle
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

from tests.notebooks import code, markdown

Content = dict[str, Any]
Cells = list[Content]
EDITS: dict[str, Callable[[Content], None]] = {}  # of a cell, in place
SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>"
_SMALL = {"cell_type": "markdown", "metadata": {}, "source": ""}
_LONG = "x=1;" * 49_000 + "x=1"  # just below what a cell may have, on one line
_DEEP = b'{"a":' * 10_000 + b"1" + b"}" * 10_000
_COMMAND = "../../../bin/sh -c 'touch /tmp/touched'"
_BINDING = "".join(f"a{n} = a{n + 1} = lambda: a{n}\n" for n in range(700))
_ODD_POINTS: list[Any] = [-5, float("nan"), float("inf"), "many", None, [3], {"a": 1}, True]
_ODD_NAMES: list[Any] = ["<b>", "../../x", "", "a" * 10**5, None, 7, ["softmax"], {}]
_WRONG = {
    "Transformer": "class Transformer(nn.Module):\n"
    "    def __init__(self, *sizes, **more):\n"
    "        super().__init__()\n"
    "        self.one = nn.Linear(1, 1)\n"
    "    def forward(self, src, tgt): return torch.zeros(*tgt.shape, 12)",
    "greedy_decode": "def greedy_decode(model, src, bos, eos, max_len): return src",
}


def changed(content: Content, change: str) -> bytes:
    """Return the file that a `change` makes of a notebook's content; "" is none."""
    for cell in content["cells"] if change in EDITS else ():
        EDITS[change](cell)
    if change in OF_CELLS:
        content["cells"] = OF_CELLS[change](content["cells"])
    if change in OF_NOTEBOOK:
        content = OF_NOTEBOOK[change](content)
    raw = json.dumps(content).encode()
    return OF_FILE[change](raw) if change in OF_FILE else raw


def _mark_of(cell: Content) -> Content:
    mark: Content = cell["metadata"].get("nbgrader", {})
    return mark


def _is_test(cell: Content) -> bool:
    return bool(_mark_of(cell).get("grade")) and cell["cell_type"] == "code"


def _is_answer(cell: Content) -> bool:
    return bool(_mark_of(cell).get("solution")) and not _mark_of(cell)["grade"]


def _answers_in(cells: Cells) -> Cells:
    """Return the answers that earn points, from that to softmax on."""
    return [cell for cell in cells if _is_answer(cell) and cell["id"] != "softmax_examples"]


def _own(number: int, source: str, **more: Any) -> Content:
    return code(source) | {"id": f"own-{number}"} | more


def _result(text: str, **data: Any) -> Content:
    data = {"text/plain": text} | data
    return {"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": 1}


def _copies(cells: Cells, number: int) -> Cells:
    """Return answers to one exercise, each as long as may be."""
    first = _answers_in(cells)[0]
    return [first | {"source": f"{first['source']}\n{_LONG} # {n}"} for n in range(number)]


def _lost(cells: Cells, number: int) -> Cells:
    """Leave the answers out, and add long cells in which each has to be looked for."""
    rest = [cell for cell in cells if not _is_answer(cell)]
    return rest + [_own(n, _LONG) for n in range(number)]


def _tests_again(cells: Cells) -> Iterator[Content]:
    """Yield tests of the same names that hold and count more."""
    for cell in copy.deepcopy(list(filter(_is_test, cells))):
        _mark_of(cell)["points"] = 1000
        yield cell | {"source": "assert True"}


def _in_one_cell(cells: Cells) -> Cells:
    """Put all functions into the first solution cell and delete the others."""
    first, *others = _answers_in(cells)
    first["source"] = "\n\n".join(cell["source"] for cell in (first, *others))
    return [cell for cell in cells if cell not in others]


def _with_two_names_exchanged(cells: Cells) -> Cells:
    first, *_, last = _answers_in(cells)
    for key in ("metadata", "id"):
        first[key], last[key] = last[key], first[key]
    return cells


def _odd_names() -> Iterator[Content]:
    """Yield cells whose grade_ids are nobody's."""
    for number, odd in enumerate(_ODD_NAMES):
        mark = {"grade_id": odd, "solution": True, "grade": number % 2 == 0, "points": 9}
        yield _own(number, "1", metadata={"nbgrader": mark})


def _named_by_scripts() -> Content:
    mark = {"grade_id": SCRIPT, "solution": True, "grade": False, "locked": False}
    metadata = {"nbgrader": mark, "tags": [SCRIPT], "name": SCRIPT}
    return {"cell_type": "code", "id": SCRIPT, "source": "os._exit(0)", "metadata": metadata}


def _those(which: Callable[[Content], bool], cells: Cells, **more: Any) -> Cells:
    return [cell | more if which(cell) else cell for cell in cells]


def _first_with(cells: Cells, **more: Any) -> Cells:
    return [cells[0] | more, *cells[1:]]


def _answer_with(cells: Cells, place: int = 0, end: str = "", **more: Any) -> Cells:
    answer = _answers_in(cells)[place]
    answer |= {"source": answer["source"] + end} | more
    return cells


OF_CELLS: dict[str, Callable[[Cells], Cells]] = {
    # what they claim by their order and their marks
    "everything_twice": lambda cells: [cell for cell in cells for _ in range(2)],
    "order_is_reversed": lambda cells: cells[::-1],
    "tests_hold_for_everything": lambda cells: _those(_is_test, cells, source="assert True"),
    "answers_are_prose": lambda cells: _those(_is_answer, cells, cell_type="markdown"),
    "answers_are_raw": lambda cells: _those(_is_answer, cells, cell_type="raw"),
    "marks_are_gone": lambda cells: [cell | {"metadata": {}} for cell in cells],  # by an editor
    "tests_are_deleted": lambda cells: [cell for cell in cells if not _is_test(cell)],
    "answers_alone": lambda cells: list(filter(_is_answer, cells)),
    "answers_are_in_one_cell": _in_one_cell,
    "softmax_has_a_rival": lambda cells: [
        *cells,
        *(c | {"source": "def softmax(x): return x * 0"} for c in cells if c["id"] == "softmax"),
    ],
    "tests_again_with_other_points": lambda cells: [*cells, *_tests_again(cells)],
    "two_grade_ids_are_exchanged": _with_two_names_exchanged,
    "grade_ids_are_odd": lambda cells: [*cells, *_odd_names()],
    "ids_are_scripts": lambda cells: [*cells, _named_by_scripts()],
    "source_is_a_number": lambda cells: _first_with(cells, source=7),
    "kind_is_unknown": lambda cells: _first_with(cells, cell_type="movie"),
    # what is much, or stands in many cells: for readers that take each cell on its own
    "answer_has_a_zero": lambda cells: _answer_with(cells, -1, "\n# \0 \ud800"),
    "source_is_huge": lambda cells: _answer_with(cells, end="\n# " + "x" * 10**6),
    "outputs_are_huge": lambda cells: _answer_with(cells, outputs=[_result("x" * (100 << 20))]),
    "cells_are_many": lambda cells: cells + [_SMALL] * 10_000,
    "cells_are_empty_by_the_thousand": lambda cells: (
        cells + [_own(n, "") for n in range(1000 - len(cells))]
    ),
    "own_cells_are_many": lambda cells: (
        cells + [_own(n, f"print('x' * 1000, {n})") for n in range(800)]
    ),
    "a_hundred_cells_of_one_name": lambda cells: cells + _copies(cells, 100),
    "three_cells_of_one_name": lambda cells: cells + _copies(cells, 3),
    "answers_are_lost_among_many": lambda cells: _lost(cells, 100),
    "answers_are_lost_among_three": lambda cells: _lost(cells, 3),
    "many_cells_bind_names": lambda cells: cells + [_own(n, _BINDING) for n in range(800)],
    "brackets_are_in_fifty_cells": lambda cells: (
        cells + [markdown("[" * 199_000) | {"id": f"p-{n}"} for n in range(50)]
    ),
}


def _format_3(content: Content) -> Content:
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


def _kernel(**spec: Any) -> Content:
    return {"metadata": {"kernelspec": spec}}


def _scripts_in_metadata() -> Content:
    kernel = {"name": SCRIPT, "display_name": SCRIPT, "language": SCRIPT}
    about = {"title": SCRIPT, "authors": [{"name": SCRIPT}], "language_info": {"name": SCRIPT}}
    return {"metadata": about | {"kernelspec": kernel, "widgets": {SCRIPT: SCRIPT}}}


OF_NOTEBOOK: dict[str, Callable[[Content], Content]] = {
    "format_is_3": _format_3,
    "minor_format_is_of_the_future": lambda content: (
        content | {"nbformat_minor": 10**9, "novelty": {"a": 1}}
    ),
    "kernel_is_another": lambda content: (
        content | _kernel(name="ir", display_name="R", language="R")
    ),
    "kernel_is_a_command": lambda content: (
        content | _kernel(name=_COMMAND, argv=["/bin/sh"], display_name=_COMMAND)
    ),
    "metadata_is_a_script": lambda content: content | _scripts_in_metadata(),
}


def _zipped(raw: bytes) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("../../hw1_attention.ipynb", raw)
    return archive.getvalue()


def _of_windows(raw: bytes) -> bytes:
    """Put a byte order mark before the file, and Windows' line ends into it."""
    text = json.dumps(json.loads(raw), indent=1)
    return b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()


OF_FILE: dict[str, Callable[[bytes], bytes]] = {
    "bytes_are_no_text": lambda raw: raw.replace(b"softmax", b"soft\xff\xfemax"),
    "text_is_utf_16": lambda raw: raw.decode().encode("utf-16"),
    "file_is_a_pickle": lambda raw: pickle.dumps(json.loads(raw)),
    "file_is_an_archive": _zipped,
    "file_breaks_off": lambda raw: raw[: len(raw) // 2],
    "keys_come_twice": lambda raw: b'{"nbformat": 9, "cells": 7, ' + raw[1:],  # the last one counts
    "brackets": lambda _: b"[" * 200_000,  # a careless parser calls itself on each
    "metadata_is_deep": lambda raw: raw.replace(b"{", b'{"deep": ' + _DEEP + b", ", 1),
    "number_is_long": lambda raw: raw.replace(
        b'"nbformat_minor": 5', b'"nbformat_minor": ' + b"9" * 10**6
    ),
    "windows_wrote_it": _of_windows,
}


def edit(function: Callable[[Content], None]) -> Callable[[Content], None]:
    """Let cases name `function`, which edits a cell."""
    EDITS[function.__name__] = function
    return function


@edit
def points_are_a_thousand(cell: Content) -> None:
    if "points" in _mark_of(cell):
        _mark_of(cell)["points"] = 1000


@edit
def points_are_odd(cell: Content) -> None:
    if "points" in _mark_of(cell):
        _mark_of(cell)["points"] = _ODD_POINTS[len(cell["source"]) % len(_ODD_POINTS)]


@edit
def tests_return_numbers(cell: Content) -> None:
    if _is_test(cell):
        cell["source"] = f"float({_mark_of(cell)['points']})"


@edit
def given_code_lies(cell: Content) -> None:
    if cell["id"] == "imports":
        cell["source"] = "import numpy as np\nnp.allclose = lambda *args, **kwargs: True"


@edit
def earlier_answers_are_wrong(cell: Content) -> None:
    """Let the model and its decoding be alive but wrong, so that others are followed through."""
    if _is_answer(cell):
        cell["source"] = _WRONG.get(_mark_of(cell)["grade_id"], cell["source"])


@edit
def outputs_are_full_marks(cell: Content) -> None:
    if _is_test(cell):
        cell |= {"outputs": [_result(str(_mark_of(cell)["points"]))], "execution_count": 1}


@edit
def outputs_are_scripts(cell: Content) -> None:
    if cell["cell_type"] == "code":
        rich = {"text/html": SCRIPT, "application/javascript": "alert(1)", "image/svg+xml": SCRIPT}
        cell["outputs"] = [_result(SCRIPT, **rich)]


@edit
def attachments_are_there(cell: Content) -> None:
    """Attach pictures, and tags that hide a cell or remove it."""
    cell["attachments"] = {"../../x.png": {"image/svg+xml": f"<svg>{SCRIPT}</svg>"}}
    cell["metadata"] |= {"tags": ["remove-cell", "hide-input", SCRIPT], "editable": SCRIPT}


@edit
def characters_are_odd(cell: Content) -> None:
    if _is_answer(cell) or not _mark_of(cell):
        sign = "#" if cell["cell_type"] == "code" else ""
        cell["source"] += f"\n{sign} \u200b\u202e\ufeff \U0001f469\u200d\U0001f52c \x1b[2J \x07"


@edit
def macintosh_wrote_it(cell: Content) -> None:
    """End lines as no computer has done since 2001."""
    cell["source"] = cell["source"].replace("\n", "\r")


@edit
def sources_are_lists(cell: Content) -> None:
    """Split sources as one may, and as nobody does."""
    by_lines = len(cell["source"]) % 2
    cell["source"] = cell["source"].splitlines(keepends=True) if by_lines else [*cell["source"], ""]


@edit
def marks_and_ids_are_gone(cell: Content) -> None:
    cell["metadata"] = {}
    del cell["id"]


@edit
def metadata_is_a_list(cell: Content) -> None:
    """Replace metadata by what is no mapping, where nothing else tells."""
    if not _mark_of(cell):
        cell["metadata"] = [1, 2]


@edit
def written_answers_are_code(cell: Content) -> None:
    if _mark_of(cell).get("grade") and _mark_of(cell)["solution"]:
        cell |= {"cell_type": "code", "outputs": [], "execution_count": None}


@edit
def answers_are_marked_as_tests(cell: Content) -> None:
    if _is_answer(cell):
        _mark_of(cell).update(grade=True, solution=False, locked=True, points=1000)


@edit
def tests_are_marked_as_answers(cell: Content) -> None:
    """Claim that the tests are cells for answers, which are not restored."""
    if _is_test(cell):
        _mark_of(cell).update(grade=False, solution=True, locked=False)
        cell["source"] = "assert True"


@edit
def schema_is_old(cell: Content) -> None:
    """Write the marks as nbgrader did in its first version."""
    if _mark_of(cell):
        _mark_of(cell).update(schema_version=1, checksum="0" * 32)
        _mark_of(cell).pop("locked")


CHANGES = {*EDITS, *OF_CELLS, *OF_NOTEBOOK, *OF_FILE}
