"""A notebook with right answers, and the edits that make a habit of it."""

import copy
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.courses import KIT, solved
from tests.notebooks import Cell, code, filled

HW1, HW2, HW3, HW4 = KIT.released()
MANY = 5  # cells: who changes more changes the whole notebook


@dataclass
class Kept:
    """A notebook file, as somebody keeps it."""

    content: dict[str, Any]

    @property
    def cells(self) -> list[Cell]:
        """Its cells, which may be changed."""
        cells: list[Cell] = self.content["cells"]
        return cells

    def place(self, name: str) -> int:
        """The place of the cell with that grade_id, or that id."""
        ids = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in self.cells]
        return ids.index(name)

    def cell(self, name: str) -> Cell:
        """The cell with that grade_id."""
        return self.cells[self.place(name)]

    def insert(self, place: int, *sources: str) -> None:
        """Add code cells of the student's own."""
        self.cells[place:place] = [
            code(source) | {"id": f"own-{place}-{number}"} for number, source in enumerate(sources)
        ]


Edit = Callable[[Kept], None]


@dataclass(frozen=True)
class Habit:
    """A habit: what it is, in a few words, and how it changes a notebook of the assignment."""

    title: str
    edit: Edit
    assignment: str = HW1

    def notebook(self) -> bytes:
        """The bytes of a notebook with right answers, kept in this habit."""
        return kept_in([self])

    @property
    def touched(self) -> set[str]:
        """The ids of the cells that it changes or removes; all if it changes the whole notebook."""
        kept = Kept(json.loads(_text(self.assignment)))
        before = {cell["id"]: copy.copy(cell) for cell in kept.cells}
        self.edit(kept)
        after = {cell.get("id"): cell for cell in kept.cells}
        changed = {name for name, cell in before.items() if after.get(name) != cell}
        is_whole = kept.content["metadata"] != _right(self.assignment)["metadata"]
        return set(before) if is_whole or len(changed) > MANY else changed


def kept_in(habits: Sequence[Habit]) -> bytes:
    """The bytes of a notebook with right answers, kept in all these habits."""
    kept = Kept(json.loads(_text(habits[0].assignment)))
    for habit in habits:
        habit.edit(kept)
    return json.dumps(kept.content).encode()


def together(catalogue: Iterable[Habit]) -> list[list[Habit]]:
    """Sort habits into as few notebooks as can keep them: no two change the same cell."""
    notebooks: list[tuple[list[Habit], set[str]]] = []
    for habit in catalogue:
        touched = habit.touched
        for kept, taken in notebooks:
            if kept[0].assignment == habit.assignment and not taken & touched:
                kept.append(habit)
                taken |= touched
                break
        else:
            notebooks.append(([habit], touched))
    return [kept for kept, _ in notebooks]


@cache
def _right(assignment: str) -> dict[str, Any]:
    content = filled(KIT.release_path(assignment), solved(KIT, assignment))
    for cell in content["cells"]:
        cell["source"] = "".join(cell["source"])
        cell.pop("attachments", None)  # pictures, which make it large
    return content


@cache
def _text(assignment: str) -> str:
    """The same as text, of which a copy is made in a third of the time."""
    return json.dumps(_right(assignment))


def habits(assignment: str, edits: dict[str, Edit]) -> tuple[Habit, ...]:
    """The habits of these titles, in notebooks of the assignment."""
    return tuple(Habit(title, edit, assignment) for title, edit in edits.items())


def first(*sources: str) -> Edit:
    """Put cells of one's own below the given imports, above everything else."""
    return lambda kept: kept.insert(kept.place("imports") + 1, *sources)


def last(*sources: str) -> Edit:
    """Put cells of one's own at the end."""
    return lambda kept: kept.insert(len(kept.cells), *sources)


def above(name: str, *sources: str) -> Edit:
    """Put cells of one's own right above a cell."""
    return lambda kept: kept.insert(kept.place(name), *sources)


def below(name: str, *sources: str) -> Edit:
    """Put cells of one's own right below a cell."""
    return lambda kept: kept.insert(kept.place(name) + 1, *sources)


def written(name: str, source: str) -> Edit:
    """Write something else into a cell."""
    return lambda kept: kept.cell(name).update(source=source)


def begun(name: str, lines: str) -> Edit:
    """Write lines above what a cell holds."""
    return lambda kept: kept.cell(name).update(source=lines + kept.cell(name)["source"])


def ended(name: str, lines: str) -> Edit:
    """Write lines below what a cell holds."""
    return lambda kept: kept.cell(name).update(source=kept.cell(name)["source"] + lines)


def swapped(name: str, *pairs: tuple[str, str]) -> Edit:
    """Put one text in place of another in a cell."""

    def edit(kept: Kept) -> None:
        source = kept.cell(name)["source"]
        for old, new in pairs:
            assert old in source, f"{name} holds no {old!r}"
            source = source.replace(old, new)
        kept.cell(name)["source"] = source

    return edit


def both(*edits: Edit) -> Edit:
    """Do one after the other."""

    def edit(kept: Kept) -> None:
        for each in edits:
            each(kept)

    return edit
