"""`roster.csv`: who is in the course, and by which ids each platform knows them.

A student id is the name of a folder, a key of the gradebook, a cell of tables that spreadsheets
open, and a word on a terminal. It is checked where it enters, and nowhere else.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Self, TypeVar

from autograder.course.saving import save_whole
from autograder.course.sheets import SIGNS, Sheet, is_formula, read_table, unescaped
from autograder.errors import CourseError, shown

FILE, SECTION = "roster.csv", "section"
_Owner = TypeVar("_Owner", int, str)
MAX_ID = 80  # characters
_APOSTROPHES = str.maketrans("’‘ʼ`´", "'''''")
_SEVERAL = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+")  # between the sections of one person
_SEPARATORS, _PATTERNS = "/\\", "*?["
# What Unicode lets a font show as nothing, though Python calls it printable.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]|[\U000e0100-\U000e01ef]"
)


@dataclass(frozen=True)
class Person:
    student_id: str
    name: str = ""
    email: str = ""
    canvas_id: str = ""  # of the user
    canvas_sis_id: str = ""
    canvas_login: str = ""
    moodle_id: str = ""
    gradescope_sid: str = ""
    github: str = ""  # the user name
    lti_id: str = ""  # `user@platform`, where students come in from their learning platform
    section: str = ""  # or several, as a platform lists them: `A and B`


COLUMNS = tuple(field.name for field in fields(Person))
IDS = tuple(column for column in COLUMNS if column not in ("name", SECTION))
_PLATFORMS_OWN = ("canvas_id", "moodle_id")  # running numbers, which mean nothing elsewhere
# Universities use one number or one email in all of these.
SHARED = ("student_id", "email", "canvas_sis_id", "canvas_login", "gradescope_sid")


def folded(text: str) -> str:
    """Return a name or an id in the form in which two spellings of it are the same."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def unique(texts: Mapping[_Owner, str]) -> dict[str, _Owner]:
    """Return who has each text, folded, of those that nobody else has."""
    forms = {owner: folded(text) for owner, text in texts.items()}
    counts = Counter(forms.values())
    return {form: owner for owner, form in forms.items() if form and counts[form] == 1}


def as_name(text: str) -> str:
    """Return a name with the first name first: `Lovelace, Ada` and `Ada Lovelace` are the same."""
    last, comma, first = text.translate(_APOSTROPHES).partition(",")
    return f"{first.strip()} {last.strip()}" if comma else last


def plain_name(name: str) -> str:
    """Return a name, first name first, in the form in which two spellings of it are the same."""
    return folded(as_name(name))


@dataclass(frozen=True)
class Section:
    """Some of a class, or all of it if it has no name: `student_id in section` tells."""

    name: str = ""
    students: frozenset[str] = frozenset()  # their ids, folded

    @classmethod
    def of(cls, people: Iterable[Person], name: str) -> Self:
        """Return the section of this name; raise `CourseError` if nobody is in it."""
        by_section = {folded(each.student_id): each.section for each in people}
        found = {student for student, text in by_section.items() if folded(name) in _names_in(text)}
        if not found:
            known = ", ".join(sorted({text for text in by_section.values() if text}))
            there_are = f"there are {known}" if known else f"{FILE} names no sections"
            raise CourseError(f"Nobody is in a section {shown(name)!r}: {there_are}.")
        return cls(name, frozenset(found))

    def __contains__(self, student: object) -> bool:
        return not self.name or folded(str(student)) in self.students

    @property
    def suffix(self) -> str:
        """What a file about this section alone has behind its name."""
        plain = re.sub(r"\W+", "-", folded(self.name)).strip("-")
        return f"-section-{plain[:MAX_ID]}" if self.name else ""


EVERYBODY = Section()


def _names_in(text: str) -> set[str]:
    """Return all names that the section of a person goes by: a student of `A and B` is in both."""
    return {folded(name) for name in (text, *_SEVERAL.split(text))}


def student_id_of(text: str) -> str:
    """Return `text` as a student id; raise `CourseError` if it can't be one."""
    return checked_id(unicodedata.normalize("NFC", text).strip())


def checked_id(text: str) -> str:
    """Return `text`; raise `CourseError` if it, as it stands, can't be a student id."""
    if problem := problem_with(text):
        raise CourseError(f"'{shown(text[:MAX_ID])}' can't be a student id: {problem}.")
    return text


def problem_with(text: str) -> str:
    """Say why `text`, as it stands, can't be a student id; nothing if it can."""
    if not text or text != text.strip():
        return "it begins or ends with a blank" if text else "it is empty"
    if len(text) > MAX_ID:
        return f"it has more than {MAX_ID} characters"
    if unseen := next((c for c in text if not c.isprintable() or _UNSEEN.match(c)), ""):
        return f"it contains U+{ord(unseen):04X}, which nobody can see"
    if odd := next((c for c in text if c in _SEPARATORS + _PATTERNS), ""):
        means = "separates folders" if odd in _SEPARATORS else "nbgrader takes for a pattern"
        return f"it contains {odd}, which {means}"
    if text[0] in SIGNS:
        return f"it begins with {text[0]}, which a spreadsheet takes for a formula"
    if is_formula(text):
        return "a spreadsheet would take what follows a separator in it for a formula"
    if text[0] == ".":
        return "it begins with a dot, as hidden folders do"
    if (composed := unicodedata.normalize("NFC", text)) != text:
        return f"its accents are characters of their own, unlike those of '{composed}' (NFC)"
    return ""


class People:
    """The people of a roster, and which of them a line elsewhere can be about.

    Two lines are about one person where they have a platform's own number in common, or else an id
    or an email that several platforms share.
    """

    def __init__(self, people: Iterable[Person] = ()) -> None:
        self.by_id: dict[str, Person] = {}
        self._spelling: dict[str, str] = {}
        self._sharing: dict[tuple[str, str], set[str]] = defaultdict(set)
        for person in people:
            self.put(person)

    def put(self, person: Person) -> None:
        """Put a line into the roster, or another in place of the one with this student id."""
        self.by_id[person.student_id] = person
        self._spelling[folded(person.student_id)] = person.student_id
        for key in _keys(person):
            self._sharing[key].add(person.student_id)

    def spelled(self, student: str) -> str:
        """Return a student id as it stands in the roster; nothing if it isn't there."""
        return self._spelling.get(folded(student), "")

    def sharing(self, person: Person) -> set[str]:
        """Return the ids of the students who can be this person."""
        return {student for key in _keys(person) for student in self._sharing.get(key, ())}


def _keys(person: Person) -> list[tuple[str, str]]:
    """Return what identifies a person, by what it is compared with."""
    fields = {name: folded(text) for name, text in asdict(person).items() if text}
    own = [(name, fields[name]) for name in _PLATFORMS_OWN if name in fields]
    # Where a student_id is such a number, it means nothing elsewhere.
    numbers = {number for _, number in own}
    shared = (fields.get(name, "") for name in SHARED)
    return [*own, *(("", text) for text in shared if text and text not in numbers)]


def read_roster(path: Path) -> tuple[Person, ...]:
    """Return the students in order, none without a file; raise `CourseError` if it is no roster."""
    rows = read_table(path) if path.is_file() else []
    if rows and "student_id" not in rows[0]:
        raise CourseError(
            f"{path} has no column student_id: give a column that name in its first line."
        )
    people: dict[str, Person] = {}
    for row in rows:
        known = {name: row.get(name, "") for name in COLUMNS}
        try:
            person = Person(**known | {"student_id": student_id_of(known["student_id"])})
        except CourseError as error:
            who = shown(known["name"] or known["email"] or "somebody")
            raise CourseError(f"{path}, the line of {who}: {error}") from None
        if people.setdefault(folded(person.student_id), person) is not person:
            raise CourseError(f"{path} lists {person.student_id} twice: keep one line.")
    return tuple(people.values())


def write_roster(path: Path, people: Iterable[Person]) -> None:
    """Write a roster into what an instructor has there: columns, their order, what divides them."""
    is_new = not (path.is_file() and path.stat().st_size)
    sheet = Sheet() if is_new else Sheet.read(path)
    if is_new:
        sheet.add_row(COLUMNS)
    header = [text.strip() for text in sheet.values(0)]
    for name in COLUMNS:
        if name not in header:
            sheet.put(0, len(header), name)
            header.append(name)
    ids = header.index("student_id")
    lines = {folded(unescaped(sheet.value(row, ids))): row for row in range(1, len(sheet.rows))}
    for person in people:
        row = lines.pop(folded(person.student_id), None) or sheet.add_row()
        sheet.rows[row] += [""] * (len(header) - len(sheet.rows[row]))
        for name, text in asdict(person).items():
            if unescaped(sheet.value(row, header.index(name))) != text:
                sheet.put(row, header.index(name), text)
    for row in sorted(lines.values(), reverse=True):
        del sheet.rows[row], sheet.line_ends[row]
    save_whole(sheet.to_bytes(), path)
