"""Which cells of a notebook need which: by the names that each binds and reads.

A name stands for what the last cell above bound to it: an exercise that brings a helper `softmax`
of its own doesn't depend on the exercise `softmax`.
"""

import builtins
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import dropwhile, takewhile

from autograder.intake.names import Names, names_in
from autograder.intake.notebook import CellRole
from autograder.intake.submission import SubmittedCell

_BEHIND_A_DOT = re.compile(r"\.(\w+)\(")  # as in `np.softmax(`


def in_running_order(cells: Sequence[SubmittedCell]) -> tuple[SubmittedCell, ...]:
    """Return all cells of a notebook in the order in which they run.

    A helper that the student wrote between an answer and its visible checks is there when these are
    run. It comes before the answer, which is graded as its own cell left it.
    """
    waiting, ordered, bound = list(cells), list[SubmittedCell](), set(dir(builtins))
    while waiting:
        cell = waiting.pop(0)
        names = names_in(cell.cell.source) if cell.is_run else Names()
        if cell.role is CellRole.SOLUTION:
            for helper in _helpers(cell.name, names.read - names.bound - bound, waiting):
                waiting.remove(helper)
                ordered.append(helper)
                bound |= names_in(helper.cell.source).bound
        bound |= names.bound
        ordered.append(cell)
    return tuple(ordered)


def _helpers(
    answer: str, missing: Collection[str], below: Sequence[SubmittedCell]
) -> list[SubmittedCell]:
    """Return the cells up to the next one with a role that bind what is `missing`, in order."""
    found: list[SubmittedCell] = []
    for cell in takewhile(lambda cell: cell.role is CellRole.FREE, below):
        names = names_in(cell.cell.source) if cell.is_run else Names()
        if names.bound & set(missing) and answer not in names.bound | names.read:
            found.append(cell)
    return found


@dataclass(frozen=True)
class Dependencies:
    cells: Sequence[SubmittedCell]

    def cells_of(self, exercise: str) -> frozenset[str]:
        """Return the names of the earlier cells that `exercise` needs, directly or not.

        An exercise whose name stands behind a dot may be what is meant, so its cells count, too.
        """
        sources = (cell.cell.source for cell in self.cells if cell.name == exercise)
        dotted = set(_BEHIND_A_DOT.findall(next(sources, "")))
        meant = (self._exercises & dotted) - {exercise}
        return frozenset(meant).union(*map(self._cells_of, (exercise, *meant)))

    def _cells_of(self, exercise: str) -> frozenset[str]:
        return self._needed.get(exercise, frozenset())

    def exercises_of(self, exercise: str, called: Collection[str] = ()) -> frozenset[str]:
        """Return the earlier exercises that `exercise` uses, or that its tests `called`."""
        own = self._names[exercise].bound if exercise in self._names else frozenset()
        also = {name for name in called if name in self._exercises and name not in own}
        found = self._cells_of(exercise).union(also, *map(self._cells_of, also))
        return (found & self._exercises) - {exercise}

    def bound_later(self, name: str, exercise: str) -> SubmittedCell | None:
        """Return the first of a student's cells after that of `exercise` that binds `name`.

        Of a cell that answers several exercises there are copies, which bind nothing new.
        """
        below = list(dropwhile(lambda cell: cell.name != exercise, self.cells))
        others = (cell for cell in below if cell.cell.source != below[0].cell.source)
        own = (cell for cell in others if cell.role is not CellRole.SETUP)
        return next((cell for cell in own if name in self._names[cell.name].bound), None)

    def bound_above(self, name: str, exercise: str) -> SubmittedCell | None:
        """Return the last cell that binds `name` up to that of `exercise`."""
        found = None
        for cell in self.cells:
            if name in self._names[cell.name].bound:
                found = cell
            if cell.name == exercise:
                break
        return found

    @cached_property
    def _exercises(self) -> frozenset[str]:
        return frozenset(cell.name for cell in self.cells if cell.role is CellRole.SOLUTION)

    @cached_property
    def _names(self) -> dict[str, Names]:
        return {cell.name: names_in(cell.cell.source) for cell in self.cells}

    @cached_property
    def _needed(self) -> dict[str, frozenset[str]]:
        needed: dict[str, frozenset[str]] = {}
        bringing: dict[str, frozenset[str]] = {}  # the cells that are needed for a name
        for cell in self.cells:
            names, own = self._names[cell.name], {cell.name} & self._exercises
            read = ((names.read - names.bound) | names.before) - own
            needed[cell.name] = frozenset().union(*(bringing.get(n, frozenset()) for n in read))
            with_this = needed[cell.name] | {cell.name}
            bringing |= dict.fromkeys(names.bound | names.changed | own, with_this)
        return needed
