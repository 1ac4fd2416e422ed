"""How a change is told from other functions, and what changes ask of cells."""

from collections.abc import Callable, Iterator
from typing import Any

Content = dict[str, Any]
Change = Callable[[Content], Content | bytes]
CHANGES: dict[str, Change] = {}
SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>"


def change(function: Change) -> Change:
    """Let cases name the change `function`, which takes a notebook's content."""
    CHANGES[function.__name__] = function
    return function


def change_cells(edit: Callable[[Content], None]) -> Change:
    """Make a change of a function that edits one cell after the other, in place."""

    def change_all(content: Content) -> Content:
        for cell in content["cells"]:
            edit(cell)
        return content

    CHANGES[edit.__name__] = change_all
    return change_all


def mark_of(cell: Content) -> Content:
    mark: Content = cell["metadata"].get("nbgrader", {})
    return mark


def is_test(cell: Content) -> bool:
    return bool(mark_of(cell).get("grade")) and cell["cell_type"] == "code"


def is_code_answer(cell: Content) -> bool:
    return bool(mark_of(cell).get("solution")) and not mark_of(cell)["grade"]


def answers_in(content: Content) -> Iterator[Content]:
    return filter(is_code_answer, content["cells"])


def result(text: str, **data: Any) -> Content:
    data = {"text/plain": text} | data
    return {"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": 1}
