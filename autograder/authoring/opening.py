"""What locked notes say to known answers, opened as a student's notebook opens them."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.authoring.notes import notebook
from autograder.errors import first_of
from autograder.sandbox.host.in_process import InProcess
from autograder.work import bounded

MAX_SHOWN = 5  # wrong answers that no note names
BOUNDS = bounded.Bounds(seconds=60, cpu_seconds=60, memory_mb=8 << 10, max_bytes=1 << 16)


@dataclass(frozen=True)
class LockedNotes:
    """The notes of one exercise."""

    exercise: str
    table: Mapping[str, Any]
    size: int  # bytes of the notebook, without the words, which all exercises share

    def open(self, sources: Mapping[str, str], folder: Path) -> str:
        """Return what opens for `sources`, the cells of a notebook by name; "" for nothing.

        Nothing opens either for an answer that takes too long or ends its process.
        """
        with suppress(bounded.Unfinished):
            return bounded.call(lambda: self._opened(sources, folder).encode(), BOUNDS).decode()
        return ""

    def _opened(self, sources: Mapping[str, str], folder: Path) -> str:
        names = InProcess(sources.values(), may_raise=True, folder=folder).namespace
        exercise = self.table["exercises"][self.exercise]
        found = notebook.opened(self.table, exercise, notebook.outcomes(exercise, names, 1))
        return str(found[0][1]) if found else ""


def notes_in(cells: Iterable[str], key: str) -> dict[str, LockedNotes] | None:
    """Return the notes of each exercise in a notebook's `cells`, opened by the course's `key`.

    None if no notes were made for it, not even a table of none.
    """
    found = (cell.partition("locked_notes.TABLE = r'''")[2] for cell in cells)
    text = next(filter(None, (each.removesuffix("'''").strip() for each in found)), "")
    if not text:
        return None
    table = notebook.unpacked(text)
    table["salt"] += key
    return {
        name: LockedNotes(name, table, len(notebook.packed(exercise)))
        for name, exercise in table["exercises"].items()
    }


@dataclass(frozen=True)
class Openings:
    """What the notes of an exercise say to its wrong answers."""

    tried: int
    silent: tuple[str, ...]  # those to which no note opens
    blind: tuple[str, ...]  # those that are told that all is right
    size: int  # bytes

    def summary(self) -> str:
        named = self.tried - len(self.silent) - len(self.blind)
        if not named:
            few = "perhaps hidden tests ask for too few numbers"
            return f"notes that name none of {self.tried} wrong ones ({few})"
        said = f"notes of {self.size / 1000:.1f} KB name {named} of {self.tried} wrong ones"
        if self.silent:
            said += f", not {first_of(self.silent, MAX_SHOWN)}"
        return f"{said}, and are blind to {', '.join(self.blind)}" if self.blind else said
