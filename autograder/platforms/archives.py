"""What a platform says of the files in its archive, and the zip files that go back to it.

`source.json` beside a submission keeps what the platform called it, so that feedback can go back
under that name.
"""

import io
import stat
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol, Self

from pydantic import BaseModel, Field, ValidationError

from autograder.course import Course
from autograder.course.roster import IDS, folded
from autograder.course.saving import refuse_newer
from autograder.errors import SubmissionError
from autograder.intake.archive import File
from autograder.intake.attachments import MAX_FILES
from autograder.intake.notebook import open_regular

MAX_FIELD = 200  # characters of a name or an id
SOURCE = "source.json"
FORMAT: Literal["autograder/source/v1"] = "autograder/source/v1"
MAX_SOURCE = 256 << 10  # bytes
MAX_EARLIER = 100  # hashes of what a submission replaced
_DATE = (2000, 1, 1, 0, 0, 0)  # the same files make the same bytes


@dataclass(frozen=True)
class Account:
    """Somebody as a platform knows them: `ids` by the roster's column, the surest first."""

    ids: tuple[tuple[str, str], ...]
    name: str = ""
    is_sortable: bool = False  # the name is Canvas's: last name first, without what isn't a letter
    is_label: bool = False  # the ids are one text, which can be any of them, or the name
    is_student_id: bool = True  # whether, where there is no roster, the first id can be one

    @classmethod
    def of(cls, name: str, ids: Mapping[str, str], *, is_sortable: bool = False) -> Self:
        """Return an account, without ids that are empty, and with what is too long cut."""
        name, *values = (
            text.strip()[:MAX_FIELD].encode(errors="replace").decode()
            for text in (name, *ids.values())
        )
        known = ((key, value) for key, value in zip(ids, values, strict=True) if value)
        return cls(tuple(known), name, is_sortable)

    @classmethod
    def labelled(cls, text: str, *, is_student_id: bool = True) -> Self:
        """Return whom a label names, such as a folder's name: by any id, or by the name."""
        account = cls.of(text, dict.fromkeys(IDS, text))
        return replace(account, is_label=True, is_student_id=is_student_id)

    @property
    def key(self) -> str:
        """The ids in one text: each value once."""
        once: dict[str, str] = {}
        for column, value in self.ids:
            once.setdefault(value, column)
        return "; ".join(f"{column}={value}" for value, column in once.items())

    @property
    def identity(self) -> tuple[str, str]:
        return self.key, folded(self.name)


Readings = tuple[Account, ...]  # an account, and the others that a platform's words can mean


@dataclass(frozen=True)
class ArchiveEntry:
    """A file, who handed it in, and when."""

    file: File
    owners: tuple[Readings, ...] = ()  # of a group: all; of an unknown owner: none
    time: datetime | None = None
    number: int = 0  # the platform's running number: a later file has a greater one
    is_late: bool = False  # by the platform's own flag
    doubt: str = ""  # why the owner can't be told
    own_name: str = ""  # the file's, where the platform wrote something in front of it


class Platform(Protocol):
    """How a platform's archives are read; the module of each platform is one."""

    TITLE: str
    NOTE: str  # what its archives don't say

    def recognises(self, files: Sequence[File], course: Course) -> bool:
        """Tell whether `files` come from this platform."""

    def entries(self, files: Sequence[File], course: Course) -> Iterable[ArchiveEntry]:
        """Yield each file with what the platform says of it."""


class Source(BaseModel):
    """Where a submission comes from; `entry` is its path inside the archive as downloaded."""

    format: Literal["autograder/source/v1"] = FORMAT
    platform: str = Field(max_length=40)
    entry: str = Field(max_length=4096)
    number: int = 0  # the platform's running number
    earlier: list[str] = Field(default=[], max_length=MAX_EARLIER)  # hashes of what it replaced
    pages: list[str] = Field(default=[], max_length=MAX_FILES)  # files that came along with it


def source_beside(notebook: Path) -> Source | None:
    """Return where the submission in a place comes from, if that is known."""
    path = notebook.with_name(SOURCE)
    try:
        with open_regular(path, path.parent) as file:
            raw = file.read(MAX_SOURCE + 1)
        return Source.model_validate_json(raw) if len(raw) <= MAX_SOURCE else None
    except (OSError, SubmissionError):  # or there is a link in its place
        return None
    except ValidationError:
        refuse_newer(raw, "format", FORMAT, path)
        return None


def source_entry(course: Course, student: str, assignment: str, platform: str) -> str:
    """Return a submission's path in the archive from `platform`; empty if that isn't known."""
    source = source_beside(course.submission_path(student, assignment))
    return source.entry.replace("\\", "/") if source and source.platform == platform else ""


def without_wrapper(files: Sequence[File]) -> Sequence[File]:
    """Return the files without the one folder, if there is one, that all of them lie in."""
    tops = {file.parts[:1] for file in files}
    if len(tops) == 1 and all(len(file.parts) > 1 for file in files):
        return [replace(file, name="/".join(file.parts[1:])) for file in files]
    return files


def zip_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return a zip file of `files`, by name; scripts in it can be run."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _DATE)
            mode = 0o755 if content.startswith(b"#!") else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return raw.getvalue()
