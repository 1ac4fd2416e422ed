"""`unassigned.csv`: what couldn't be placed, for the instructor to complete.

`student_id` says whose the entry is, or `-` to leave it out; `assignment` is asked for where the
notebook doesn't show it. Completed lines stay, so that the next `collect` knows the same again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from autograder.course.roster import folded
from autograder.course.sheets import Table, read_table, save_whole, table_bytes
from autograder.errors import CourseError

FILE = "unassigned.csv"
LEFT_OUT = "-"
CONTENT = "sha256="  # among the ids of a row that is about one file, not about all of somebody's


@dataclass(frozen=True)
class Row:
    """A line of `unassigned.csv`."""

    platform: str
    entry: str  # the file's path in what was collected
    ids: str
    name: str = ""
    assignment: str = ""
    why: str = ""
    student_id: str = ""

    @property
    def is_about_file(self) -> bool:
        """Whether the row is about one file, and not about all that somebody hands in."""
        return CONTENT in self.ids

    @property
    def key(self) -> tuple[str, str, str]:
        """What the row is about: a person on a platform, or one file."""
        return self.platform, self.ids, self.entry if self.is_about_file else folded(self.name)

    @property
    def is_open(self) -> bool:
        """Whether the instructor has something to fill in."""
        if self.student_id == LEFT_OUT:
            return False
        return not self.student_id or (self.is_about_file and not self.assignment)


COLUMNS = tuple(field.name for field in fields(Row))


def read(path: Path) -> list[Row]:
    """Return the rows of a file; none if there is no such file."""
    table = read_table(path) if path.is_file() else Table()
    if table.rows and not set(COLUMNS) <= set(table.columns):
        raise CourseError(f"{path} must have the columns {', '.join(COLUMNS)}: put them back.")
    return [Row(**{name: row[name] for name in COLUMNS}) for row in table.rows]


def update(
    path: Path, old: Iterable[Row], seen: set[tuple[str, str, str]], now: Iterable[Row]
) -> int:
    """Write what is open `now`; keep completed rows, and open ones about nothing that was `seen`.

    Returns how many open ones were kept.
    """
    fresh = {row.key: row for row in now}
    kept = [row for row in old if row.key not in fresh and not (row.is_open and row.key in seen)]
    if not kept and not fresh:
        path.unlink(missing_ok=True)
        return 0
    save_whole(table_bytes(COLUMNS, [astuple(row) for row in (*kept, *fresh.values())]), path)
    return sum(row.is_open for row in kept)
