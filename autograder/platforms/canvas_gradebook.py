"""Canvas's gradebook: the CSV file that an instructor exported, filled and ready to import.

`Student,ID,SIS User ID,SIS Login ID,Section,…,<Title (assignment_id)>,…`; a row that says which
assignments are posted by hand and the row `    Points Possible` may follow, and some columns are
read only. Canvas deletes a grade whose cell comes back empty: a cell stays as it is unless its
points are known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Course
from autograder.course.roster import Person, as_name
from autograder.course.sheets import Sheet, number_in
from autograder.errors import CourseError
from autograder.gradebook import scores_of
from autograder.platforms.canvas_files import PLATFORM, user_id_in
from autograder.platforms.exporting.exported import Choices, Exported, Scores, listing, people
from autograder.platforms.exporting.filling import Column, fill_column
from autograder.platforms.exporting.matching import NAME, match
from autograder.platforms.source import entry_of

_IDS = ("ID", "SIS User ID", "SIS Login ID")
_COLUMN = re.compile(r"(?P<title>.*?)\s*\((?P<id>\d+)\)\s*", re.DOTALL)
_POSTING = re.compile(r"\s*(Muted|Manual Posting.*)?\s*", re.IGNORECASE)
_WRAPPED = re.compile(r'="(.*)"')  # how Canvas writes a name that begins like a formula


@dataclass(frozen=True)
class _Layout:
    """What stands where in the file."""

    ids: Mapping[str, int]
    columns: Mapping[str, int]  # of assignments, by header
    possible: int | None  # the row of the points possible
    students: Mapping[int, str]  # the name in each row of a student


def fill(
    course: Course, file: Path, assignments: Sequence[str], choices: Choices
) -> tuple[bytes, Exported]:
    """Return the file with the points of `assignments` filled in, and what became of them.

    If none is named, they are those of the course that have a column in the file.
    """
    sheet, done = Sheet.read(file), Exported()
    layout = _layout(sheet, file.name)
    columns = _columns(course, layout, assignments, choices, file.name)
    scores = {assignment: scores_of(course, assignment) for assignment in columns}
    owners = _owners(course, sheet, layout, scores)
    for assignment, number in columns.items():
        maximum = _maximum(sheet, layout, number, file.name)
        column = Column(file.name, assignment, number, maximum, layout.students, owners)
        fill_column(sheet, column, scores[assignment], choices, done)
    skipped = [name for name in assignments or course.released() if name not in columns]
    collected = [name for name in skipped if any(course.submitted.glob(f"*/{name}"))]
    done.tell(f"No column of {file.name} could be told to be that of", collected)
    return sheet.to_bytes(), done


def _layout(sheet: Sheet, name: str) -> _Layout:
    header = [text.strip() for text in sheet.values(0)]
    is_split = header[:2] == ["LastName", "FirstName"]
    if "ID" not in header or not (is_split or header[0] == "Student"):
        raise CourseError(
            f"{name} isn't a Canvas gradebook: name the CSV file that Canvas's gradebook exports."
        )
    rows = range(1, len(sheet.rows))
    possible = next((row for row in rows if "Points Possible" in sheet.value(row, 0)), None)
    named = {row: _name(sheet, row, is_split) for row in rows}
    return _Layout(
        ids={kind: header.index(kind) for kind in _IDS if kind in header},
        columns={text: n for n, text in enumerate(header) if _COLUMN.fullmatch(text)},
        possible=possible,
        students={
            row: name
            for row, name in named.items()
            if row != possible and not all(map(_POSTING.fullmatch, sheet.values(row)))
        },
    )


def _name(sheet: Sheet, row: int, is_split: bool) -> str:
    parts = [_WRAPPED.sub(r"\1", sheet.value(row, column)) for column in range(1 + is_split)]
    return " ".join(reversed(parts)).strip() if is_split else as_name(parts[0])


def _columns(
    course: Course, layout: _Layout, assignments: Sequence[str], choices: Choices, file: str
) -> dict[str, int]:
    """Return the column of each assignment; raise `CourseError` where there is none, or several."""
    found: dict[str, int] = {}
    for assignment in assignments or course.released():
        chosen = choices.columns.get(assignment)
        chosen = chosen or course.settings.assignment(assignment).canvas_column
        columns = [text for text in layout.columns if _is_meant(text, chosen or assignment)]
        if len(columns) == 1:
            found[assignment] = layout.columns[columns[0]]
        elif chosen or assignments or columns:
            raise CourseError(_which_column(assignment, columns, layout, file))
    if not found:
        raise CourseError(_which_column("ASSIGNMENT", [], layout, file))
    if len(set(found.values())) < len(found):
        raise CourseError(f"Several assignments go into one column of {file}: name different ones.")
    return found


def _which_column(assignment: str, found: list[str], layout: _Layout, file: str) -> str:
    several = f"{len(found)} columns" if found else "No column"
    columns = listing(found or layout.columns) or "none that ends in (id)"
    return (
        f"{several} of {file} can be that of {assignment}: choose one by "
        f'--column {assignment}="TITLE (ID)"; there are {columns}.'
    )


def _is_meant(header: str, wanted: str) -> bool:
    """Tell whether a column is the one that is wanted: by header, by title, or by id."""
    column = _COLUMN.fullmatch(header)
    texts = (header, *column.group("title", "id")) if column else (header,)
    return any(_plain(text) == _plain(wanted) for text in texts)


def _plain(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _maximum(sheet: Sheet, layout: _Layout, column: int, file: str) -> float | None:
    """Return what Canvas says that the column is worth at most, if it does."""
    if layout.possible is None:
        return None
    text = sheet.value(layout.possible, column)
    if "read only" in text:
        header = sheet.value(0, column)
        raise CourseError(f"The column {header} of {file} is read only: name another by --column.")
    return number_in(text)


def _owners(
    course: Course, sheet: Sheet, layout: _Layout, scores: Mapping[str, Scores]
) -> dict[int, str]:
    """Return the student of each row that one of ours can be told to own."""
    lines = [
        {kind: sheet.value(row, column) for kind, column in layout.ids.items()} | {NAME: name}
        for row, name in layout.students.items()
    ]
    handed_in = {student: name for name, each in scores.items() for student in each}
    students = {
        student: _keys(person, course, student, handed_in.get(student, ""))
        for student, person in people(course, handed_in).items()
    }
    owners = match((*_IDS, NAME), lines, students)
    return {row: owner for row, owner in zip(layout.students, owners, strict=True) if owner}


def _keys(person: Person, course: Course, student: str, assignment: str) -> dict[str, str]:
    """Return what Canvas may know a student by: the roster says it, or a collected file's name."""
    user_id = person.canvas_id
    if not user_id and assignment:
        user_id = user_id_in(entry_of(course, student, assignment, PLATFORM))
    ids = (user_id, person.canvas_sis_id, person.canvas_login)
    return dict(zip(_IDS, ids, strict=True)) | {NAME: as_name(person.name)}
