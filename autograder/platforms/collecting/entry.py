"""What a platform hands out: a file, and all that the platform itself says of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from autograder.course import Course
from autograder.course.roster import folded
from autograder.intake.archive import File

MAX_FIELD = 200  # characters of a name or an id


@dataclass(frozen=True)
class Account:
    """Somebody as a platform knows them: `ids` by the roster's column, the surest first."""

    ids: tuple[tuple[str, str], ...]
    name: str = ""
    is_sortable: bool = False  # the name is Canvas's: last name first, without what isn't a letter
    is_label: bool = False  # the ids are one text, which can be any of them, or the name
    is_student_id: bool = True  # whether, where there is no roster, the first id can be one

    @property
    def key(self) -> str:
        """The ids in one text: each value once."""
        once: dict[str, str] = {}
        for column, value in self.ids:
            once.setdefault(value, column)
        return "; ".join(f"{column}={value}" for value, column in once.items())

    @property
    def identity(self) -> tuple[str, str]:
        """What two entries of one person share."""
        return self.key, folded(self.name)


@dataclass(frozen=True)
class Entry:
    """A file, who handed it in, and when."""

    file: File
    accounts: tuple[Account, ...] = ()  # of a group: all; of an unknown owner: none
    readings: tuple[Account, ...] = ()  # other accounts that the platform's words can mean
    time: datetime | None = None
    number: int = 0  # the platform's running number: a later file has a greater one
    is_late: bool = False  # by the platform's own flag
    doubt: str = ""  # why the owner can't be told

    @property
    def claims(self) -> list[tuple[Account, ...]]:
        """Each account, with the other accounts that it can be."""
        return [(owner, *self.readings) for owner in self.accounts]


class Platform(Protocol):
    """How a platform's files are read; each module of a platform is one."""

    TITLE: str
    NOTE: str  # what its downloads don't say

    def recognises(self, files: Sequence[File], course: Course) -> bool:
        """Tell whether `files` come from this platform."""
        ...

    def entries(self, files: Sequence[File], course: Course) -> Iterable[Entry]:
        """Yield each file with what the platform says of it."""
        ...


def account(name: str, ids: Mapping[str, str], *, is_sortable: bool = False) -> Account:
    """Return an account, without ids that are empty, and with what is too long cut."""
    known = tuple((key, value.strip()[:MAX_FIELD]) for key, value in ids.items() if value.strip())
    return Account(known, name.strip()[:MAX_FIELD], is_sortable)


def without_wrapper(files: Iterable[File]) -> list[File]:
    """Return the files without the one folder, if there is one, that all of them lie in."""
    files = list(files)
    tops = {file.parts[:1] for file in files}
    if len(tops) == 1 and all(len(file.parts) > 1 for file in files):
        return [replace(file, name="/".join(file.parts[1:])) for file in files]
    return files
