"""Canvas: "Download submissions", files named `<name>[_LATE]_<user id>_<attachment id>_<file>`.

The user id tells students of one name apart. Both the name and the file's own name come from the
student, and can look like ids: such an entry has several readings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autograder.course import Course
from autograder.course.roster import Person
from autograder.course.sheets import Table
from autograder.intake.archive import File
from autograder.platforms.collecting.entry import Account, Entry, account, without_wrapper

TITLE = "Canvas"
NOTE = (
    "Canvas's archives say who is late, but not when anything was handed in. If a penalty depends "
    "on it, write the time into the submission's timestamp.txt, as 2026-10-05T23:59:00+02:00."
)
_IDS = re.compile(r"_(?=(?P<user>\d{1,25})_(?P<attachment>\d{1,25})_.)")
_ANONYMOUS = re.compile(r"anon_(?P<id>\w{1,25}?)(?P<late>_LATE)?_(?P<attachment>\d{1,25})_.+")
_LATE = "_LATE"
_TEST_STUDENT = "Student, Test"  # whom Canvas lists in each course that has tried its student view


# By which a student_id is chosen, the best first.
STUDENT_IDS = ("canvas_sis_id", "canvas_login", "canvas_id")


def recognises(files: Sequence[File], course: Course) -> bool:
    """Tell whether most files are named as Canvas names them."""
    names = [file.name for file in without_wrapper(files) if len(file.parts) <= 2]
    named = [name for name in names if _IDS.search(name) or _ANONYMOUS.fullmatch(name)]
    return bool(named) and 2 * len(named) > len(files)


def entries(files: Sequence[File], course: Course) -> Iterator[Entry]:
    """Yield each file with the user whom Canvas names in front of it."""
    files = without_wrapper(files)
    is_anonymous = all(file.name.startswith("anon_") for file in files)
    for file in files:
        yield _anonymous(file) if is_anonymous else _named(file)


def _anonymous(file: File) -> Entry:
    if not (match := _ANONYMOUS.fullmatch(file.name)):
        return _unknown(file)
    owner = account("", {"canvas_anonymous_id": match["id"]})
    return Entry(file, (owner,), number=int(match["attachment"]), is_late=bool(match["late"]))


def _named(file: File) -> Entry:
    if len(file.parts) != 1 or not (matches := list(_IDS.finditer(file.name))):
        return _unknown(file)
    first, *others = matches
    return Entry(
        file,
        (_account(first),),
        tuple(_account(match) for match in others),
        number=int(first["attachment"]),
        is_late=_name(first).endswith(_LATE),
    )


def _name(match: re.Match[str]) -> str:
    return match.string[: match.start()]


def _account(match: re.Match[str]) -> Account:
    name = _name(match).removesuffix(_LATE)
    return account(name, {"canvas_id": match["user"]}, is_sortable=True)


def _unknown(file: File) -> Entry:
    return Entry(file, doubt="its name isn't one that Canvas gives")


def people(table: Table) -> list[Person] | None:
    """Return the students in a gradebook's CSV; None if the table is none."""
    if not {"Student", "ID", "SIS Login ID"} <= set(table.columns):
        return None
    return [
        Person(
            student_id="",
            name=row["Student"],
            email=row["SIS Login ID"] if "@" in row["SIS Login ID"] else "",
            canvas_id=row["ID"],
            canvas_sis_id=row.get("SIS User ID", ""),
            canvas_login=row["SIS Login ID"],
        )
        for row in table.rows
        if row["ID"].isdecimal() and row["Student"] != _TEST_STUDENT
    ]
