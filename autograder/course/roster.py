"""`roster.csv`: who is in the course, and by which ids each platform knows them.

student_id   the student's folder under `submitted/`, and nbgrader's id
name, email  as the platforms write them
canvas_id, canvas_sis_id, canvas_login   Canvas's user id, SIS user id, and SIS login id
moodle_id                                Moodle's participant id, which differs by assignment
gradescope_sid                           the student id that Gradescope knows
github                                   the GitHub user name

Every column but `student_id` may be empty or missing.
"""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from autograder.course.cells import escaped, unescaped
from autograder.course.students import student_id_of
from autograder.errors import CourseError

FILE = "roster.csv"
_APOSTROPHES = str.maketrans("’‘ʼ`´", "'''''")


@dataclass(frozen=True)
class Person:
    """A student, and the ids by which platforms know them."""

    student_id: str
    name: str = ""
    email: str = ""
    canvas_id: str = ""
    canvas_sis_id: str = ""
    canvas_login: str = ""
    moodle_id: str = ""
    gradescope_sid: str = ""
    github: str = ""


COLUMNS = tuple(field.name for field in fields(Person))


@dataclass(frozen=True)
class Roster:
    """The students of a course, in the order of the file; each `student_id` once."""

    people: tuple[Person, ...] = ()

    def __iter__(self) -> Iterator[Person]:
        return iter(self.people)

    def by(self, column: str) -> dict[str, Person]:
        """Return the people by what stands in `column`, those alone who share it with nobody."""
        found: dict[str, list[Person]] = {}
        for person in self.people:
            if key := folded(getattr(person, column)):
                found.setdefault(key, []).append(person)
        return {key: people[0] for key, people in found.items() if len(people) == 1}


def folded(text: str) -> str:
    """Return a name or an id in the form in which two spellings of it are the same."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def as_name(text: str) -> str:
    """Return a name with the first name first: `Lovelace, Ada` and `Ada Lovelace` are the same."""
    last, comma, first = text.translate(_APOSTROPHES).partition(",")
    return f"{first.strip()} {last.strip()}" if comma else last


def read(path: Path) -> Roster:
    """Read a roster; raise `CourseError` if the file can't be one."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (UnicodeDecodeError, csv.Error) as error:
        raise CourseError(
            f"{path} can't be read as CSV in UTF-8 ({error}): save it in that format."
        ) from None
    if rows and "student_id" not in rows[0]:
        raise CourseError(
            f"{path} has no column student_id: give a column that name in its first line."
        )
    people = [_person(row) for row in rows]
    known: set[str] = set()
    for person in people:
        if folded(person.student_id) in known:
            raise CourseError(f"{path} lists {person.student_id} twice: keep one line.")
        known.add(folded(person.student_id))
    return Roster(tuple(people))


def write(path: Path, people: Iterable[Person]) -> None:
    """Write a roster, all of it or nothing; columns of the instructor's own in `path` stay."""
    own = _own_columns(path)
    columns = [*COLUMNS, *next(iter(own.values()), {})]
    fresh = path.with_suffix(".fresh")
    with fresh.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        for person in people:
            ours = {name: escaped(text) for name, text in asdict(person).items()}
            writer.writerow(own.get(folded(person.student_id), {}) | ours)
    fresh.replace(path)


def _own_columns(path: Path) -> dict[str, dict[str, str]]:
    """Return what stands in the columns of `path` that aren't ours, by the folded student_id."""
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        folded(row["student_id"] or ""): {
            name: text or "" for name, text in row.items() if name and name not in COLUMNS
        }
        for row in rows
    }


def _person(row: dict[str, str | None]) -> Person:
    known = {name: unescaped(row.get(name) or "") for name in COLUMNS}
    return Person(**known | {"student_id": student_id_of(known["student_id"])})
