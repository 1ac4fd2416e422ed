"""Gradescope: "Download submissions", a folder each, and `submission_metadata.yml`.

That file alone says who handed in what, and when. A group's submission belongs to all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from autograder.course import Course
from autograder.course.roster import Person
from autograder.course.sheets import Table
from autograder.errors import SubmissionError
from autograder.intake.archive import File
from autograder.intake.times import parse_time
from autograder.platforms.collecting.entry import Account, Entry, account

TITLE = "Gradescope"
NOTE = ""
_METADATA = "submission_metadata.yml"
_EXPORT = re.compile(r"assignment_\d+_export.*")
# It makes nothing but texts, lists and mappings, whatever a tag asks for: a student id of 007 stays
# one.
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

# By which a student_id is chosen, the best first.
STUDENT_IDS = ("gradescope_sid", "email")


def recognises(files: Sequence[File], course: Course) -> bool:
    """Tell whether Gradescope's metadata lie where Gradescope puts them.

    Deeper, or in a folder of another name, they can be a student's own file.
    """
    metadata = _metadata(files)
    return metadata is not None and all(map(_EXPORT.fullmatch, metadata.parts[:-1]))


def entries(files: Sequence[File], course: Course) -> Iterator[Entry]:
    """Yield each file with those who submitted it; a submission without files is an entry too."""
    metadata = _metadata(files)
    if metadata is None:
        raise SubmissionError(
            f"There is no {_METADATA}: download the submissions from Gradescope as a whole."
        )
    root = metadata.parts[:-1]
    by_name: dict[str, list[File]] = {}
    for file in files:
        if file is metadata:
            continue
        is_inside = file.parts[: len(root)] == root and len(file.parts) > len(root)
        by_name.setdefault(file.parts[len(root)] if is_inside else file.name, []).append(file)
    for name, said in _read(metadata).items():
        for file in by_name.pop(name, None) or [File(name)]:
            yield _entry(file, said, course.settings.time_zone)
    for file in (file for left in by_name.values() for file in left):
        yield Entry(file, doubt=f"{_METADATA} doesn't name it")


def _metadata(files: Sequence[File]) -> File | None:
    """Return the outermost metadata: students can hand in files of that name."""
    found = [file for file in files if file.parts[-1] == _METADATA]
    return min(found, key=lambda file: len(file.parts), default=None)


def _entry(file: File, said: Any, zone: str) -> Entry:
    fields = said if isinstance(said, Mapping) else {}
    listed = fields.get(":submitters")
    people = [_account(each) for each in listed if isinstance(each, Mapping)] if listed else []
    owners = tuple(owner for owner in people if owner.ids)
    # Somebody without an id isn't left behind: the whole submission is asked about.
    is_known = bool(owners) and len(owners) == len(people)
    return Entry(
        file,
        owners if is_known else (),
        time=parse_time(str(fields.get(":created_at", "")), zone),
        doubt="" if is_known else f"{_METADATA} gives no student id and no email",
    )


def _account(said: Mapping[str, Any]) -> Account:
    texts = (str(said.get(key, "")) for key in (":name", ":sid", ":email"))
    name, sid, email = ("" if text in ("null", "~") else text for text in texts)
    return account(name, {"gradescope_sid": sid, "student_id": sid, "email": email})


def _read(file: File) -> dict[str, Any]:
    """Return what the metadata say of each submission, by its name."""
    try:
        content = yaml.load(file.path.read_bytes() if file.path else b"", _LOADER)  # noqa: S506
    except (yaml.YAMLError, ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise SubmissionError(f"{_METADATA} can't be read: download the submissions again.")
    return {str(key): value for key, value in content.items()}


def people(table: Table) -> list[Person] | None:
    """Return the students in a roster; None if the table is none."""
    names = set(table.columns)
    if not (
        {"SID", "Email"} <= names and ("Name" in names or {"First Name", "Last Name"} <= names)
    ):
        return None
    return [
        Person(
            student_id="",
            name=row.get("Name") or f"{row['First Name']} {row['Last Name']}".strip(),
            email=row["Email"],
            gradescope_sid=row["SID"],
        )
        for row in table.rows
        if row.get("Role", "Student").casefold() == "student"
    ]
