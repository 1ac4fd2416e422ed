"""Moodle: "Download all submissions", `<Full name>_<participant id>_assignsubmission_file_`.

That is a folder, or, in the flat form, the beginning of the file's name. Blind marking puts
`Participant_<n>` in place of the name. The participant id differs by assignment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autograder.course import Course
from autograder.course.roster import Person
from autograder.course.sheets import Table
from autograder.intake.archive import File
from autograder.platforms.collecting.entry import Entry, account, without_wrapper

TITLE = "Moodle"
NOTE = (
    "Moodle's archives don't say when anything was handed in. If a penalty depends on it, write "
    "the time into the submission's timestamp.txt, as 2026-10-05T23:59:00+02:00."
)
_OWNER = re.compile(r"_(?P<id>\d{1,25})_assignsubmission_[a-z]+")
_BLIND = re.compile(r"Participant[ _]\d+")

_EMAIL = re.compile(r"[^@\s]{1,100}@[^@\s]{1,100}")
_PARTICIPANT = re.compile(r"\D+(\d{1,25})")
_NUMBER = ("id number", "id-nummer", "numéro d'identification", "número de id", "numero id")
# By which a student_id is chosen, the best first.
STUDENT_IDS = ("student_id", "email", "moodle_id")


def recognises(files: Sequence[File], course: Course) -> bool:
    """Tell whether most of what lies outermost is named as Moodle names it."""
    return any(_are_moodles({file.parts[0] for file in f}) for f in (files, without_wrapper(files)))


def _are_moodles(names: set[str]) -> bool:
    return 2 * sum(bool(_OWNER.search(name)) for name in names) > len(names)


def entries(files: Sequence[File], course: Course) -> Iterator[Entry]:
    """Yield each file with the participant whom Moodle names in front of it."""
    for file in files:
        part = next((part for part in file.parts if _OWNER.search(part)), "")
        matches = list(_OWNER.finditer(part))
        if len(matches) != 1:  # names of people and files can look like what Moodle writes
            reason = "can be read in several ways" if matches else "isn't one that Moodle gives"
            yield Entry(file, doubt=f"its name {reason}")
            continue
        name = part[: matches[0].start()]
        name = "" if _BLIND.fullmatch(name) else name
        yield Entry(file, (account(name, {"moodle_id": matches[0]["id"]}),))


def people(table: Table) -> list[Person] | None:
    """Return the participants in a grading worksheet; None if the table is none.

    Its headers are in the site's language: the identifier stands in its first column, the name in
    the second, and an email is what contains an @.
    """
    if len(table.columns) < 3:
        return None
    first, second, *others = table.columns
    found = [(row, _PARTICIPANT.fullmatch(row[first])) for row in table.rows]
    if not found or not all(match for _, match in found):
        return None
    number = next((name for name in others if name.casefold() in _NUMBER), "")
    return [
        Person(
            student_id=row.get(number, ""),
            name="" if _PARTICIPANT.fullmatch(row[second]) else row[second],
            email=next((row[name] for name in others if _EMAIL.fullmatch(row[name])), ""),
            moodle_id=match[1],
        )
        for row, match in found
        if match
    ]
