"""Canvas: the archive of submissions, feedback for it, and the gradebook's CSV file.

Files are named `<name>[_LATE]_<user id>_<attachment id>_<file>`, or, where students are anonymous,
`anon_<anonymous id>[_LATE]_<attachment id>_<file>`. The names in them come from the student, and
can look like ids. A gradebook is `Student,ID,SIS User ID,SIS Login ID,Section,…,<Title (id)>,…`;
some rows below are about all students. Canvas deletes a grade whose cell comes back empty.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Self

from autograder.course import Course
from autograder.course.roster import SECTION, Person, as_name
from autograder.course.sheets import Sheet, number_in
from autograder.errors import CourseError
from autograder.intake.archive import File
from autograder.platforms import points
from autograder.platforms.archives import Account, ArchiveEntry, source_entry, without_wrapper

TITLE = "Canvas"
NOTE = (
    "Canvas's archives say who is late, but not when anything was handed in. If a penalty depends "
    "on it, write the time, as 2026-10-05T23:59:00+02:00, into "
    "submitted/STUDENT/ASSIGNMENT/timestamp.txt before you grade."
)
STUDENT_IDS = ("canvas_sis_id", "canvas_login", "canvas_id")  # to choose from, the best first
_FILE = "(?P<attachment>[0-9]{1,25})_(?P<file>.+)"
_FILE_IDS = re.compile(rf"_(?=(?P<user>[0-9]{{1,25}})_{_FILE})")
_ANONYMOUS = re.compile(rf"anon_(?P<id>\w{{1,25}}?)(?P<late>_LATE)?_{_FILE}")
_LATE = "_LATE"
_NAME_COLUMNS = ("LastName", "FirstName")  # in place of one, if a school chose so
_TEST_STUDENT = "Student, Test"  # in each course whose student view was tried
_IDS = ("ID", "SIS User ID", "SIS Login ID")
_KINDS = (*_IDS, points.NAME)
_COLUMN = re.compile(r"(?P<title>.*?)\s*\((?P<id>\d+)\)\s*", re.DOTALL)
_POSTING = re.compile(r"\s*(Muted|Manual Posting.*)?\s*", re.IGNORECASE)
_WRAPPED = re.compile(r'="(.*)"')  # how Canvas writes a name that begins like a formula

# Archives


def recognises(files: Sequence[File], course: Course) -> bool:
    """Tell whether most files are named as Canvas names them."""
    names = [file.name for file in without_wrapper(files) if len(file.parts) <= 2]
    named = [name for name in names if _FILE_IDS.search(name) or _ANONYMOUS.fullmatch(name)]
    return bool(named) and 2 * len(named) > len(files)


def entries(files: Sequence[File], course: Course) -> Iterator[ArchiveEntry]:
    """Yield each file with the user that Canvas names in front of it."""
    files = without_wrapper(files)
    is_anonymous = all(file.name.startswith("anon_") for file in files)
    for file in files:
        if is_anonymous and (match := _ANONYMOUS.fullmatch(file.name)):
            owners = [Account.of("", {"canvas_anonymous_id": match["id"]})]
            number, is_late = int(match["attachment"]), bool(match["late"])
            own = match["file"]
        elif not is_anonymous and (matches := list(_FILE_IDS.finditer(file.name))):
            names = [file.name[: match.start()] for match in matches]
            owners = [
                Account.of(name.removesuffix(_LATE), {"canvas_id": match["user"]}, is_sortable=True)
                for name, match in zip(names, matches, strict=True)
            ]
            number, is_late = int(matches[0]["attachment"]), names[0].endswith(_LATE)
            own = matches[0]["file"]
        else:
            owners = []
        if owners and len(file.parts) == 1:
            yield ArchiveEntry(file, (tuple(owners),), number=number, is_late=is_late, own_name=own)
        else:
            yield ArchiveEntry(file, doubt="its name isn't one that Canvas gives")


def user_id_in(entry: str) -> str:
    """Return the user id in the name of a downloaded file; empty if it can't be told."""
    name = PurePosixPath(entry).name
    found = list(_FILE_IDS.finditer(name))
    if len(found) != 1 or _ANONYMOUS.fullmatch(name):
        return ""
    read_by_canvas = [part for part in name.split("_") if part.isascii() and part.isdigit()][:2]
    is_sure = read_by_canvas == list(found[0].group("user", "attachment"))
    return found[0]["user"] if is_sure else ""


def feedback_names(entry: str, person: Person, pages: Sequence[str]) -> list[str]:
    """Return the names under which Canvas takes `pages` on the file `entry`; none if it can't."""
    file = PurePosixPath(entry)
    if not user_id_in(entry) and not _ANONYMOUS.fullmatch(file.name):
        return []
    if len(pages) == 1:
        return [f"{file.stem}{PurePosixPath(pages[0]).suffix}"]
    return [f"{file.stem}-{page}" for page in pages]


# The gradebook


def roster_in(table: Sequence[Mapping[str, str]]) -> list[Person] | None:
    """Return the students in a gradebook's CSV; None if the table is none."""
    if set(_NAME_COLUMNS) <= set(table[0]):
        table = [{**row, "Student": ", ".join(row[n] for n in _NAME_COLUMNS)} for row in table]
    if not {"Student", "ID", "SIS Login ID"} <= set(table[0]):
        return None
    return [
        Person(
            student_id="",
            name=row["Student"],
            email=row["SIS Login ID"] if "@" in row["SIS Login ID"] else "",
            canvas_id=row["ID"],
            canvas_sis_id=row.get("SIS User ID", ""),
            canvas_login=row["SIS Login ID"],
            section=row.get(SECTION, ""),
        )
        for row in table
        if row["ID"].isdecimal() and row["Student"] != _TEST_STUDENT
    ]


@dataclass(frozen=True)
class _Gradebook:
    name: str
    sheet: Sheet
    header: Sequence[str]
    possible: int | None  # the row of the points possible
    students: Mapping[int, str]  # the name in each row of a student

    @classmethod
    def read(cls, file: Path) -> Self:
        sheet = Sheet.read(file)
        header = [text.strip() for text in sheet.values(0)]
        is_split = header[:2] == [*_NAME_COLUMNS]
        if "ID" not in header or not (is_split or header[0] == "Student"):
            raise CourseError(
                f"{file.name} isn't a Canvas gradebook: name the CSV file that Canvas's gradebook "
                "exports."
            )
        rows = range(1, len(sheet.rows))
        possible = next((row for row in rows if "Points Possible" in sheet.value(row, 0)), None)
        students = {
            row: _name(sheet, row, is_split)
            for row in rows
            if row != possible and not all(map(_POSTING.fullmatch, sheet.values(row)))
        }
        return cls(file.name, sheet, header, possible, students)

    def column(self, assignment: str, chosen: str) -> int | None:
        """Return the column of an assignment; raise `CourseError` if several can be meant."""
        wanted = _letters(chosen or assignment)
        titles = filter(None, map(_COLUMN.fullmatch, dict.fromkeys(self.header)))
        found = [t[0] for t in titles if wanted in map(_letters, t.group(0, "title", "id"))]
        if len(found) == 1:
            return self.header.index(found[0])
        if chosen or found:
            raise self.which_column(assignment, found)
        return None

    def which_column(self, assignment: str, found: Sequence[str] = ()) -> CourseError:
        """Return what is wrong where no column, or several that were `found`, can be meant."""
        several = f"{len(found)} columns" if found else "No column"
        listed = points.listing(found or filter(_COLUMN.fullmatch, self.header))
        return CourseError(
            f"{several} of {self.name} can be that of {assignment}: choose one by --column "
            f'{assignment}="TITLE (ID)"; there are {listed or "none that ends in (id)"}.'
        )

    def maximum(self, column: int) -> float | None:
        """Return what Canvas says that the column is worth at most, if it does."""
        text = "" if self.possible is None else self.sheet.value(self.possible, column)
        if "read only" in text:
            raise CourseError(
                f"The column {self.sheet.value(0, column)} of {self.name} is read only: name "
                "another by --column."
            )
        return number_in(text)

    def owners(self, course: Course, handed_in: Mapping[str, str]) -> dict[int, str]:
        """Return the student of each row that one of ours can be told to own."""
        columns = {kind: self.header.index(kind) for kind in _IDS if kind in self.header}
        lines = {
            row: {points.NAME: name, **{k: self.sheet.value(row, n) for k, n in columns.items()}}
            for row, name in self.students.items()
        }
        students = {}
        for student, person in points.people(course, handed_in).items():
            user_id = person.canvas_id
            if not user_id and student in handed_in:
                user_id = user_id_in(source_entry(course, student, handed_in[student], "canvas"))
            ids = (user_id, person.canvas_sis_id, person.canvas_login, as_name(person.name))
            students[student] = dict(zip(_KINDS, ids, strict=True))
        return points.match(_KINDS, lines, students)


def fill_gradebook(
    course: Course, file: Path, assignments: Sequence[str], choices: points.Choices
) -> tuple[bytes, points.Exported]:
    """Return the file with the points of `assignments` (or all of its), and what became of them."""
    book, done = _Gradebook.read(file), points.Exported()
    columns: dict[str, int] = {}
    for name in assignments or course.released():
        chosen = choices.columns.get(name) or course.settings.assignment(name).canvas_column
        if (number := book.column(name, chosen)) is not None:
            columns[name] = number
        elif assignments:
            raise book.which_column(name)
    if not columns:
        released = course.released()
        raise book.which_column(released[0] if len(released) == 1 else "ASSIGNMENT")
    if len(set(columns.values())) < len(columns):
        raise CourseError(
            f"Several assignments go into one column of {book.name}: name different ones."
        )
    scores = {name: points.scores_on(course, name, choices) for name in columns}
    owners = book.owners(course, {s: name for name, each in scores.items() for s in each})
    for assignment, number in columns.items():
        maximum = book.maximum(number)
        column = points.Column(file.name, assignment, number, maximum, book.students, owners)
        points.fill_column(book.sheet, column, scores[assignment], choices, done)
    skipped = [name for name in points.collected(course) if not (assignments or name in columns)]
    done.tell(f"No column of {file.name} could be told to be that of", skipped)
    return book.sheet.to_bytes(), done


def _name(sheet: Sheet, row: int, is_split: bool) -> str:
    parts = [_WRAPPED.sub(r"\1", sheet.value(row, column)) for column in range(1 + is_split)]
    return " ".join(reversed(parts)).strip() if is_split else as_name(parts[0])


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
