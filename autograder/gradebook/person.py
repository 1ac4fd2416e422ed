"""All that is stored about one student: pack it for them, or forget it.

What is theirs alone is deleted: work, reports, pages, rows. What tells of them among others, and
can be made again, is deleted too: class reports, similar answers, exports. Frozen terms stay as
they are, and are named, as is every other file that still knows the student by an id, email or
name.
"""

import html
import json
import mmap
import os
import re
import sqlite3
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from autograder.course import Course, roster, settings
from autograder.course.course import DEMO
from autograder.course.locking import submissions_lock
from autograder.course.roster import Person, checked_id
from autograder.course.saving import new_file, refuse_links, save_whole
from autograder.course.sheets import Sheet, unescaped
from autograder.errors import CourseError
from autograder.folders import remove_tree
from autograder.gradebook import database
from autograder.gradebook.tables import (
    ANSWERS,
    COMMENT,
    DECISIONS,
    GIVEN,
    GRADE,
    NOTEBOOK,
    READINGS,
    RECORDED,
    SHIFTS,
    STUDENT,
    SUBMISSION,
    TOLD,
)
from autograder.gradebook.term_archive import DAMAGE, MANIFEST

ABOUT = "about.json"
FORMAT = "autograder/person/v1"
MIN_SOUGHT = 4  # letters of a name or an id that is looked for in files about others
_CHANGES, _UNASSIGNED = "changes-*.csv", "unassigned.csv"
_NOT_LOOKED_INTO = (".git", ".venv", "__pycache__", DEMO)


@dataclass
class Forgotten:
    """What became of it, as paths: what was deleted, and what still names the student."""

    deleted: list[Path] = field(default_factory=list)
    archives: list[Path] = field(default_factory=list)
    remaining: list[Path] = field(default_factory=list)


def find_person(course: Course, student: str) -> Person:
    """Return who has this id, as the roster knows them; raise `CourseError` if nothing is known."""
    checked_id(student)
    person = next((each for each in course.people if each.student_id == student), None)
    if person is None and not (_own(course, student) or _in_gradebook(course, student)):
        raise CourseError(f"Nothing is stored about a student {student!r}: check the id.")
    return person or Person(student)


def export_person(
    course: Course, person: Person, path: Path, served: Mapping[str, object] | None = None
) -> int:
    """Write a zip file of all that is stored about a student; return the number of its files.

    `served` is what the server knows of them.
    """
    student = person.student_id
    about = {
        "format": FORMAT,
        "course": course.settings.title,
        "student": student,
        "made": f"{datetime.now(UTC):%Y-%m-%d %H:%M UTC}",
        "roster": asdict(person),
        "tables": {
            table.relative_to(course.root).as_posix(): [
                dict(zip(sheet.values(0), sheet.values(row), strict=False)) for row in rows
            ]
            for table, sheet, rows in _tables(course, person)
        },
        "gradebook": _in_gradebook(course, student),
        **({"server": served} if served else {}),
    }
    files: list[Path] = []
    for own in _own(course, student):
        for each in own.rglob("*"):
            refuse_links(each, own.parent)
        files += _files_in(own)
    with (
        new_file(path) as raw,
        zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive,
    ):
        archive.writestr(ABOUT, json.dumps(about, indent=1, ensure_ascii=False, default=str))
        for file in files:
            archive.write(file, file.relative_to(course.root))
    return len(files) + 1


def forget_person(course: Course, person: Person) -> Forgotten:
    """Delete what is stored about a student; if it is interrupted, it can be run again."""
    found = Forgotten()
    known_by = _known_by(person)
    long_enough = _known_by(person, MIN_SOUGHT)  # to mean a person, wherever it stands
    with submissions_lock(course), database.write_lock(course):
        _delete(found, _made_of_many(course, person.student_id))
        exports = (path for path in sorted(_files_in(course.exports)) if not _is_frozen(path))
        _delete(found, (path for path in exports if _is_in(known_by, path, inside=True)))
        _forget_in_gradebook(course, person.student_id)
        for path, sheet, rows in _tables(course, person):
            for row in reversed(rows):
                del sheet.rows[row], sheet.line_ends[row]
            save_whole(sheet.to_bytes(), path)
        _delete(found, _own(course, person.student_id))
    handed_in = (course.submitted, course.autograded)
    for path in _all_files(course):
        is_work = any(folder in path.parents for folder in handed_in)  # which nobody unpacks here
        if not is_work and _is_frozen(path):
            found.archives += [path] if _is_in(known_by, path, inside=True) else []
        elif (
            _is_in(long_enough, path)
            or _is_in_settings(path, person.student_id)
            or _is_in_copy(path, person.student_id)
        ):
            found.remaining.append(path)
    return found


# Files


def _own(course: Course, student: str) -> list[Path]:
    """Return the folders and files of this student alone; raise `CourseError` for a link."""
    folders = (course.autograded, course.feedback, course.submitted)
    found = [(path / f"{student}.json", course.reports) for path in course.reports.glob("*/")]
    found += [(folder / student, folder) for folder in folders]
    return [refuse_links(path, below) for path, below in found if os.path.lexists(path)]


def _made_of_many(course: Course, student: str) -> list[Path]:
    """Return the pages and tables on each assignment that the student handed in."""
    folders = (course.submitted / student, course.autograded / student)
    names = {path.name for folder in folders for path in folder.glob("*/")}
    names |= {path.parent.name for path in course.reports.glob(f"*/{student}.json")}
    kinds = ("{}.html", "{}-*.html", "{}-*.csv")
    found = {path for n in names for kind in kinds for path in course.reports.glob(kind.format(n))}
    return sorted(found)


def _all_files(course: Course) -> Iterator[Path]:
    for place, folders, names in os.walk(course.root):
        folders[:] = sorted(name for name in folders if name not in _NOT_LOOKED_INTO)
        yield from (Path(place, name) for name in sorted(names))


def _files_in(path: Path) -> Iterator[Path]:
    """Yield the ordinary files that lie in a folder, or the one that `path` is."""
    for file in [path, *path.rglob("*")]:
        if file.is_file() and not file.is_symlink():
            yield file


def _delete(found: Forgotten, paths: Iterable[Path]) -> None:
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            remove_tree(path)
        else:
            path.unlink()
        found.deleted.append(path)


def _is_frozen(path: Path) -> bool:
    """Tell whether `autograder archive` made this file."""
    with suppress(OSError, zipfile.BadZipFile):
        return zipfile.is_zipfile(path) and MANIFEST in zipfile.ZipFile(path).namelist()
    return False


def _is_in_settings(path: Path, student: str) -> bool:
    if path.name != settings.FILE:
        return False
    with suppress(CourseError):  # it is none of ours, such as one that a student handed in
        each = settings.read_settings(path).assignments.values()
        return any(student in (*a.extensions, *a.slip) for a in each)
    return False


def _is_in_copy(path: Path, student: str) -> bool:
    """Tell whether a file is a gradebook that knows a student, such as a copy that `migrate` kept.

    Its cells lie side by side, so that no search of its bytes finds the ends of a word.
    """
    if path.is_symlink() or not path.is_file():
        return False
    url = f"{path.absolute().as_uri()}?mode=ro&immutable=1"  # so that nothing is made beside it
    with suppress(sqlite3.Error), closing(sqlite3.connect(url, uri=True)) as book:
        return book.execute("SELECT 1 FROM student WHERE id = ?", [student]).fetchone() is not None
    return False  # it is no gradebook


def _known_by(person: Person, least: int = 1) -> re.Pattern[bytes]:
    """Return what finds all that a student is known by, of `least` letters, as words of their own.

    They are found in files of any kind, also as JSON and HTML write them.
    """
    spelled = {
        form.encode(errors="replace")
        for each in {*asdict(person).values()} - {person.section}
        for form in (each, json.dumps(each)[1:-1], html.escape(each))
        if len(each) >= least
    }
    words = b"|".join(map(re.escape, sorted(spelled))) or rb"(?!)"  # which finds nothing
    return re.compile(rb"(?<![a-zA-Z0-9])(?:" + words + rb")(?![a-zA-Z0-9])", re.IGNORECASE)


def _is_in(wanted: re.Pattern[bytes], path: Path, *, inside: bool = False) -> bool:
    """Tell whether it is found in a file or its name, or `inside` what is packed in the file."""
    if wanted.search(os.fsencode(path.name)):
        return True
    if path.is_symlink():
        return False
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                return False
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
                if wanted.search(content):
                    return True
        if not (inside and zipfile.is_zipfile(path)):
            return False
        with zipfile.ZipFile(path) as archive:  # which we made
            return any(wanted.search(archive.read(name)) for name in archive.namelist())
    except (OSError, *DAMAGE):  # no ordinary file, a damaged one, or nobody may read it
        return False


def _tables(course: Course, person: Person) -> Iterator[tuple[Path, Sheet, list[int]]]:
    """Yield our tables that have rows about a student, with the numbers of those rows."""
    known_by = _known_by(person)
    paths = [course.root / roster.FILE, course.root / _UNASSIGNED]
    for path in (*paths, *sorted(course.reports.glob(_CHANGES))):
        if not path.is_file() or not path.stat().st_size:
            continue
        sheet = Sheet.read(path)
        header = [unescaped(cell) for cell in sheet.values(0)]
        column = header.index("student_id") if "student_id" in header else 0
        rows = [
            row
            for row in range(1, len(sheet.rows))
            if unescaped(sheet.value(row, column)) == person.student_id
            or (path.name == _UNASSIGNED and known_by.search("\n".join(sheet.values(row)).encode()))
        ]
        if rows:
            yield path, sheet, rows


# The gradebook


def _rows(
    connection: sa.Connection, student: str
) -> list[tuple[sa.TableClause, sa.ColumnElement[bool]]]:
    """Return what is about a student in nbgrader's tables and in ours, dependents first."""
    submissions = sa.select(SUBMISSION.c.id).where(SUBMISSION.c.student_id == student)
    notebooks = sa.select(NOTEBOOK.c.id).where(NOTEBOOK.c.assignment_id.in_(submissions))
    grades = sa.select(GRADE.c.id).where(GRADE.c.notebook_id.in_(notebooks))
    about = [
        *((table, table.c.grade.in_(grades)) for table in (GIVEN, READINGS, SHIFTS, ANSWERS)),
        *((table, table.c.student == student) for table in (RECORDED, TOLD, DECISIONS)),
        *((table, table.c.notebook_id.in_(notebooks)) for table in (COMMENT, GRADE)),
        (NOTEBOOK, NOTEBOOK.c.assignment_id.in_(submissions)),
        (SUBMISSION, SUBMISSION.c.student_id == student),
        (STUDENT, STUDENT.c.id == student),
    ]
    there = sa.inspect(connection).get_table_names()
    return [each for each in about if each[0].name in there]


def _in_gradebook(course: Course, student: str) -> dict[str, list[dict[str, object]]]:
    """Return the rows about a student, by the table's name; no table without any."""
    found = {}
    with database.gradebook_of(course) as engine:
        if engine is None:
            return {}
        with engine.connect() as connection:
            for table, about in _rows(connection, student):
                wanted: sa.Select[Any] = sa.select(sa.literal_column("*")).select_from(table)
                rows = connection.execute(wanted.where(about))
                found[table.name] = [dict(row._mapping) for row in rows]
    return {name: rows for name, rows in found.items() if rows}


def _forget_in_gradebook(course: Course, student: str) -> None:
    with database.gradebook_of(course) as engine:
        if engine is None:
            return
        with database.writing(engine) as connection:
            present = _rows(connection, student)
            for table, about in present:
                connection.execute(table.delete().where(about))
        database.overwrite(engine, [table.name for table, _ in present])
