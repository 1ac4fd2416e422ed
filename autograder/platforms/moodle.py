"""Moodle: the archive of submissions, feedback for it, and the grading worksheet.

Files lie in folders named `<Full name>_<participant id>_assignsubmission_file_`, or their names
begin so. Where names are hidden, the name is `Participant`, or `Participant_<n>`. A worksheet is
`Identifier,Full name,…,Grade,Maximum grade,…,Last modified (grade),Feedback comments` in its user's
language: columns are known by what stands in them. A participant id differs by assignment.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Self

from autograder.course import Course
from autograder.course.roster import SECTION, Person, as_name, folded
from autograder.course.sheets import Sheet, number_in
from autograder.errors import CourseError, in_digits
from autograder.gradebook.marks import Marks
from autograder.intake.archive import File
from autograder.platforms import points
from autograder.platforms.archives import Account, ArchiveEntry, source_entry, without_wrapper

TITLE = "Moodle"
NOTE = (
    "Moodle's archives don't say when anything was handed in. If a penalty depends on it, write "
    "the time, as 2026-10-05T23:59:00+02:00, into submitted/STUDENT/ASSIGNMENT/timestamp.txt "
    "before you grade."
)
STUDENT_IDS = ("student_id", "email", "moodle_id")  # to choose from, the best first
_OWNER = re.compile(r"_(?P<id>\d{1,25})_assignsubmission_[a-z]+")
_BLIND = re.compile(r"Participant[ _]\d+")
_UNSAFE = re.compile(r"[_/\\\x00-\x1f\x7f]+")
EMAIL_ADDRESS = re.compile(r"[^@\s]{1,100}@[^@\s]{1,100}")
_WORKSHEET_COLUMNS = 5  # or more: a shorter table of numbers and names is somebody's own
_PARTICIPANT = re.compile(r"\D+(\d{1,25})\s*")
_NUMBER = ("id number", "id-nummer", "numéro d'identification", "número de id", "numero id")
_ID, _EMAIL, _OTHER = "id", "email", "other"
_KINDS = (_ID, _EMAIL, points.NAME)
_OUR_COMMENT = re.compile(r"(<[^<>]*>|\s)*Points: [^<>]* = \S+ of \S+(<[^<>]*>|\s)*")

# Archives


def recognises(files: Sequence[File], course: Course) -> bool:
    """Tell whether most of what lies outermost is named as Moodle names it."""
    for outermost in (files, without_wrapper(files)):
        names = {file.parts[0] for file in outermost}
        if 2 * sum(bool(_OWNER.search(name)) for name in names) > len(names):
            return True
    return False


def entries(files: Sequence[File], course: Course) -> Iterator[ArchiveEntry]:
    """Yield each file with the participant that Moodle names in front of it."""
    for file in files:
        matches = _owners_in(file.parts)
        if len(matches) != 1:  # names of people and files can look like what Moodle writes
            reason = "can be read in several ways" if matches else "isn't one that Moodle gives"
            yield ArchiveEntry(file, doubt=f"its name {reason}")
            continue
        name = matches[0].string[: matches[0].start()]
        name = "" if _BLIND.fullmatch(name) else name
        owner = Account.of(name, {"moodle_id": matches[0]["id"]})
        own = file.parts[-1][matches[0].end() :] if matches[0].string == file.parts[-1] else ""
        yield ArchiveEntry(file, ((owner,),), own_name=own.removeprefix("_"))


def participant_id_in(entry: str) -> str:
    """Return the participant id in a downloaded file's path; empty if it can't be told."""
    matches = _owners_in(PurePosixPath(entry).parts)
    return matches[0]["id"] if len(matches) == 1 else ""


def feedback_names(entry: str, person: Person, pages: Sequence[str]) -> list[str]:
    """Return the paths under which Moodle takes `pages` on a file or person; none if it can't."""
    if not entry and person.name and person.moodle_id:
        name = _UNSAFE.sub(" ", as_name(person.name)).strip()
        entry = f"{name}_{person.moodle_id}_assignsubmission_file_"
    matches = _owners_in(PurePosixPath(entry).parts)
    if len(matches) != 1:
        return []
    part, end = matches[0].string, matches[0].end()
    end += part.startswith("_", end)
    return [f"{part[:end]}{'' if end < len(part) else '/'}{page}" for page in pages]


def _owners_in(parts: Iterable[str]) -> list[re.Match[str]]:
    """Return what names an owner, in the first part of a path in which anything does."""
    return next((found for part in parts if (found := list(_OWNER.finditer(part)))), [])


# The grading worksheet


def roster_in(table: Sequence[Mapping[str, str]]) -> list[Person] | None:
    """Return the participants in a worksheet: by number and name, in front. None if it is none."""
    if len(table[0]) < _WORKSHEET_COLUMNS:
        return None
    first, second, *others = table[0]
    number = next((name for name in others if name.casefold() in _NUMBER), "")
    found = [
        Person(
            student_id=row.get(number, ""),
            name="" if _PARTICIPANT.fullmatch(row[second]) else row[second],
            email=next((row[name] for name in others if EMAIL_ADDRESS.fullmatch(row[name])), ""),
            moodle_id=match[1],
            section=row.get(SECTION, ""),
        )
        for row in table
        if (match := _PARTICIPANT.fullmatch(row[first]))
    ]
    # One word stands before all numbers; logins such as `jli12` have letters of their own.
    words = {row[first].rstrip().rstrip("0123456789") for row in table}
    return found if len(found) == len(table) and len(words) == 1 else None


@dataclass(frozen=True)
class _Worksheet:
    """The file, and what stands where in it; `comments` is None if the assignment has none."""

    sheet: Sheet
    grade: int
    maximum: str
    comments: int | None
    students: Mapping[int, str]  # the full name in each row

    @classmethod
    def read(cls, file: Path, assignment: str, chosen: str) -> Self:
        sheet = Sheet.read(file)
        rows = [row for row in range(1, len(sheet.rows)) if any(map(str.strip, sheet.values(row)))]
        if not rows or not all(_PARTICIPANT.fullmatch(sheet.value(row, 0)) for row in rows):
            raise CourseError(
                f"{file.name} isn't a Moodle grading worksheet, whose lines begin with a "
                "participant's number: download one from the assignment's page."
            )
        header = sheet.values(0)
        grades = [
            n
            for n in range(1, len(header) - 1)
            if (folded(header[n]) == folded(chosen) if chosen else _is_grade(sheet, rows, n))
        ]
        if len(grades) != 1:
            raise CourseError(
                f"It isn't clear which column of {file.name} is the grade: name it, as in "
                f'--column {assignment}="Grade"; there are {points.listing(header)}.'
            )
        (grade,) = grades
        # Comments stand last, behind the date of the grade, which has a word in brackets.
        dated = [n for n, text in enumerate(header) if n > grade and any(c in text for c in "(（")]
        comments = len(header) - 1 if dated and len(header) - 1 > dated[-1] else None
        students = {row: sheet.value(row, 1) for row in rows}
        return cls(sheet, grade, sheet.value(rows[0], grade + 1), comments, students)

    def write(self, number: float) -> str:
        text = in_digits(number)
        return text.replace(".", ",") if "," in self.maximum else text

    def owners(self, course: Course, assignment: str, scores: points.Scores) -> dict[int, str]:
        """Return the student of each row that one of ours can be told to own."""
        lines = {}
        for row, name in self.students.items():
            found = _PARTICIPANT.fullmatch(self.sheet.value(row, 0))
            lines[row] = {_ID: found[1] if found else "", points.NAME: as_name(name)}
            for column in range(2, self.grade):
                text = self.sheet.value(row, column).strip()
                is_email = "@" in text and _EMAIL not in lines[row]
                lines[row][_EMAIL if is_email else f"{_OTHER}{column}"] = text
        here = {line[_ID] for line in lines.values()}
        students = {}
        for student, person in points.people(course, scores).items():
            entry = source_entry(course, student, assignment, "moodle")
            # The roster's id may be that of another assignment: here it would only mislead.
            in_roster = person.moodle_id if person.moodle_id in here else ""
            ids = (participant_id_in(entry) or in_roster, person.email, as_name(person.name))
            students[student] = dict(zip(_KINDS, ids, strict=True))
        return points.match(_KINDS, lines, students)


def fill_worksheet(
    course: Course, file: Path, assignments: Sequence[str], choices: points.Choices
) -> tuple[bytes, points.Exported]:
    """Return the worksheet with the points of one assignment filled in, and what became of them."""
    names = assignments or points.collected(course)
    if len(names) != 1:
        raise CourseError(
            "A Moodle worksheet is about one assignment: add its name behind the file's; there "
            f"are {', '.join(course.assignment_names())}."
        )
    (assignment,) = names
    book = _Worksheet.read(file, assignment, choices.columns.get(assignment, ""))
    scores, done = points.scores_on(course, assignment, choices), points.Exported()
    maximum, owners = number_in(book.maximum), book.owners(course, assignment, scores)
    column = points.Column(
        file.name, assignment, book.grade, maximum, book.students, owners, book.write
    )
    filled = points.fill_column(book.sheet, column, scores, choices, done)
    kept = []
    for row, student in filled.items():
        present = "" if book.comments is None else book.sheet.value(row, book.comments)
        if present.strip() and not _OUR_COMMENT.fullmatch(present):
            kept.append(student)
        elif book.comments is not None:
            book.sheet.put(row, book.comments, _comment_on(scores[student]))
    done.tell("Comments that a person wrote were left as they are", kept)
    return book.sheet.to_bytes(), done


def _comment_on(marks: Marks) -> str:
    parts = [
        f"{each.name} not graded yet"
        if each.score is None
        else f"{each.name} {in_digits(each.score)}/{in_digits(each.max_score)}"
        for each in marks.each
    ]
    if marks.penalty:
        parts.append(f"late -{in_digits(marks.penalty)}")
    return f"Points: {', '.join(parts)} = {in_digits(marks.score)} of {in_digits(marks.full_score)}"


def _is_grade(sheet: Sheet, rows: Sequence[int], column: int) -> bool:
    """Tell whether a column is empty or of numbers, and the one behind it their one maximum."""
    maxima = {number_in(sheet.value(row, column + 1)) for row in rows}
    if len(maxima) != 1 or not (maximum := maxima.pop()):
        return False
    texts = [sheet.value(row, column).strip() for row in rows]
    numbers = [number_in(text) for text in texts if text not in ("", "-")]
    return all(number is not None and number <= maximum for number in numbers)
