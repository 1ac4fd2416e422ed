"""What a notebook claims by its cells, their order and their marks."""

import copy
from typing import Any

from tests.hostile.changes.registry import (
    Content,
    answers_in,
    change,
    change_cells,
    is_code_answer,
    is_test,
    mark_of,
    result,
)


@change_cells
def points_are_a_thousand(cell: Content) -> None:
    """Raise every test's points."""
    if "points" in mark_of(cell):
        mark_of(cell)["points"] = 1000


@change_cells
def points_are_odd(cell: Content) -> None:
    """Give points that make no sense."""
    odd: list[Any] = [-5, float("nan"), float("inf"), "many", None, [3], {"a": 1}, True]
    if "points" in mark_of(cell):
        mark_of(cell)["points"] = odd[len(cell["source"]) % len(odd)]


@change_cells
def tests_hold_for_everything(cell: Content) -> None:
    """Empty the tests."""
    if is_test(cell):
        cell["source"] = "assert True"


@change_cells
def tests_return_numbers(cell: Content) -> None:
    """Let each test end in a number, which nbgrader takes for partial credit."""
    if is_test(cell):
        cell["source"] = f"float({mark_of(cell)['points']})"


@change
def given_code_lies(content: Content) -> Content:
    """Edit the imports that all exercises rely on."""
    for cell in content["cells"]:
        if cell["id"] == "imports":
            cell["source"] = "import numpy as np\nnp.allclose = lambda *args, **kwargs: True"
    return content


@change_cells
def outputs_are_full_marks(cell: Content) -> None:
    """Claim in each test's output that it gave full marks."""
    if is_test(cell):
        cell["outputs"] = [result(str(mark_of(cell)["points"]))]
        cell["execution_count"] = 1


@change
def everything_twice(content: Content) -> Content:
    """Hand in each cell a second time, with the same ids."""
    return content | {"cells": [cell for cell in content["cells"] for _ in range(2)]}


@change
def tests_again_with_other_points(content: Content) -> Content:
    """Append tests of the same names that hold and count more."""
    again = copy.deepcopy([cell for cell in content["cells"] if is_test(cell)])
    for cell in again:
        cell["source"] = "assert True"
        mark_of(cell)["points"] = 1000
    return content | {"cells": content["cells"] + again}


@change
def softmax_has_a_rival(content: Content) -> Content:
    """Hand in two answers to one exercise: the last one defines the name."""
    wrong = "def softmax(x): return x * 0"
    rivals = [cell | {"source": wrong} for cell in answers_in(content) if cell["id"] == "softmax"]
    return content | {"cells": content["cells"] + rivals}


@change_cells
def marks_are_gone(cell: Content) -> None:
    """Remove nbgrader's metadata, as some editors do."""
    cell["metadata"] = {}


@change_cells
def marks_and_ids_are_gone(cell: Content) -> None:
    """Remove all that tells cells apart but their sources."""
    cell["metadata"] = {}
    del cell["id"]


@change
def order_is_reversed(content: Content) -> Content:
    """Turn the notebook upside down."""
    return content | {"cells": content["cells"][::-1]}


@change
def answers_are_in_one_cell(content: Content) -> Content:
    """Put all functions into the first solution cell and delete the others."""
    first, *others = answers_in(content)
    first["source"] = "\n\n".join(cell["source"] for cell in (first, *others))
    return content | {"cells": [cell for cell in content["cells"] if cell not in others]}


@change
def tests_are_deleted(content: Content) -> Content:
    """Delete every test."""
    return content | {"cells": [cell for cell in content["cells"] if not is_test(cell)]}


@change
def answers_alone(content: Content) -> Content:
    """Delete all but the solution cells."""
    return content | {"cells": list(answers_in(content))}


@change
def two_grade_ids_are_exchanged(content: Content) -> Content:
    """Let two answers stand under each other's names."""
    first, *_, last = answers_in(content)
    first["metadata"], last["metadata"] = last["metadata"], first["metadata"]
    first["id"], last["id"] = last["id"], first["id"]
    return content


@change
def grade_ids_are_odd(content: Content) -> Content:
    """Add cells whose grade_ids are nobody's."""
    names: list[Any] = ["<b>", "../../x", "", "a" * 10**5, None, 7, ["softmax"], {}]
    for number, odd in enumerate(names):
        mark = {"grade_id": odd, "solution": True, "grade": number % 2 == 0, "points": 9}
        cell = {"cell_type": "code", "id": f"odd-{number}", "source": "1", "outputs": []}
        content["cells"].append(cell | {"metadata": {"nbgrader": mark}, "execution_count": None})
    return content


@change_cells
def answers_are_prose(cell: Content) -> None:
    """Make prose of the solution cells."""
    if is_code_answer(cell):
        cell["cell_type"] = "markdown"


@change_cells
def answers_are_raw(cell: Content) -> None:
    """Make raw cells of the solution cells."""
    if is_code_answer(cell):
        cell["cell_type"] = "raw"


@change_cells
def written_answers_are_code(cell: Content) -> None:
    """Make code of the cells for prose."""
    if mark_of(cell).get("grade") and mark_of(cell)["solution"]:
        cell |= {"cell_type": "code", "outputs": [], "execution_count": None}


@change_cells
def answers_are_marked_as_tests(cell: Content) -> None:
    """Give the solution cells points of their own."""
    if is_code_answer(cell):
        mark_of(cell).update(grade=True, solution=False, locked=True, points=1000)


@change_cells
def tests_are_marked_as_answers(cell: Content) -> None:
    """Claim that the tests are cells for answers, which are not restored."""
    if is_test(cell):
        mark_of(cell).update(grade=False, solution=True, locked=False)
        cell["source"] = "assert True"


@change_cells
def metadata_is_a_list(cell: Content) -> None:
    """Replace metadata by what is no mapping, where nothing else tells."""
    if not mark_of(cell):
        cell["metadata"] = [1, 2]


@change_cells
def schema_is_old(cell: Content) -> None:
    """Write the marks as nbgrader did in its first version."""
    if mark_of(cell):
        mark_of(cell).update(schema_version=1, checksum="0" * 32)
        mark_of(cell).pop("locked")
