"""What is much, or stands in many cells: for readers that take each cell on its own."""

from typing import Any

from tests.hostile.changes.registry import Content, answers_in, change

_LONG = "x=1;" * 49_000 + "x=1"  # just below what a cell may have, on one line
_PROSE = 199_000  # characters


@change
def a_hundred_cells_of_one_name(content: Content) -> Content:
    """Hand in a hundred answers to one exercise, each as long as may be."""
    first = next(answers_in(content))
    return content | {"cells": content["cells"] + _copies(first, 100)}


@change
def four_cells_of_one_name(content: Content) -> Content:
    """Hand in as much for one exercise as is let through."""
    first = next(answers_in(content))
    return content | {"cells": content["cells"] + _copies(first, 4)}


@change
def answers_are_lost_among_many(content: Content) -> Content:
    """Leave the answers out, and add long cells in which each has to be looked for."""
    return _lost(content, 100)


@change
def answers_are_lost_among_four(content: Content) -> Content:
    """Leave the answers out, and add as much to look for them in as is let through."""
    return _lost(content, 4)


@change
def a_thousand_cells_bind_names(content: Content) -> Content:
    """Add cells each of which binds and reads thousands of names."""
    names = "".join(f"a{n} = a{n + 1} = lambda: a{n}\n" for n in range(700))
    return content | {"cells": content["cells"] + [_own(n, names) for n in range(900)]}


@change
def cells_are_empty_by_the_thousand(content: Content) -> Content:
    """Fill the notebook up to the last cell that is let through."""
    room = 1000 - len(content["cells"])
    return content | {"cells": content["cells"] + [_own(n, "") for n in range(room)]}


@change
def earlier_answers_are_wrong(content: Content) -> Content:
    """Let the model and its decoding be alive but wrong, so that others are followed through."""
    wrong = {
        "Transformer": "class Transformer(nn.Module):\n"
        "    def __init__(self, *sizes, **more):\n"
        "        super().__init__()\n"
        "        self.one = nn.Linear(1, 1)\n"
        "    def forward(self, src, tgt): return torch.zeros(*tgt.shape, 12)",
        "greedy_decode": "def greedy_decode(model, src, bos, eos, max_len): return src",
    }
    for cell in answers_in(content):
        mark: Any = cell["metadata"]["nbgrader"]
        cell["source"] = wrong.get(mark["grade_id"], cell["source"])
    return content


def _copies(answer: Content, number: int) -> list[Content]:
    return [answer | {"source": f"{answer['source']}\n{_LONG} # {n}"} for n in range(number)]


def _lost(content: Content, number: int) -> Content:
    lost = list(answers_in(content))
    cells = [cell for cell in content["cells"] if cell not in lost]
    return content | {"cells": cells + [_own(n, _LONG) for n in range(number)]}


def _own(number: int, source: str) -> Content:
    kind: Content = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    return kind | {"id": f"crowd-{number}", "source": source}


@change
def brackets_are_in_fifty_cells(content: Content) -> Content:
    """Add prose that takes long to be read as markdown, in one cell after the other."""
    prose = {"cell_type": "markdown", "metadata": {}, "source": "[" * _PROSE}
    return content | {"cells": content["cells"] + [prose | {"id": f"p-{n}"} for n in range(50)]}
