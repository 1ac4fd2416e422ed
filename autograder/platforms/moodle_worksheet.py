"""Moodle's grading worksheet: the CSV file that an instructor downloaded, filled.

`Identifier,Full name,…,Grade,Maximum grade,…,Last modified (grade),Feedback comments`, in the
language of whoever downloaded it: columns are known by what stands in them. Identifiers are
`Participant <participant id>`, and the id is another one in each assignment.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Course
from autograder.course.roster import as_name, folded
from autograder.course.sheets import Sheet, as_number, number_in
from autograder.errors import CourseError
from autograder.gradebook import scores_of
from autograder.gradebook.scores import Score
from autograder.platforms.exporting.exported import Choices, Exported, Scores, listing, people
from autograder.platforms.exporting.filling import Column, fill_column
from autograder.platforms.exporting.matching import NAME, match
from autograder.platforms.moodle_files import PLATFORM, participant_id_in
from autograder.platforms.source import entry_of

_PARTICIPANT = re.compile(r"\D*?(\d+)\s*")
_ID, _EMAIL, _OTHER = "id", "email", "other"
_OUR_COMMENT = re.compile(r"(<[^<>]*>|\s)*Points: [^<>]* = \S+ of \S+(<[^<>]*>|\s)*")


@dataclass(frozen=True)
class _Layout:
    """What stands where in the file; `comments` is None if the assignment has none."""

    grade: int
    maximum: float | None
    comments: int | None
    decimal_comma: bool
    students: Mapping[int, str]  # the full name in each row


def fill(
    course: Course, file: Path, assignments: Sequence[str], choices: Choices
) -> tuple[bytes, Exported]:
    """Return the worksheet with the points of one assignment filled in, and what became of them."""
    sheet, done = Sheet.read(file), Exported()
    assignment = _the_one(course, assignments)
    layout = _layout(sheet, assignment, choices.columns.get(assignment, ""), file.name)
    scores = scores_of(course, assignment)
    owners = _owners(course, sheet, layout, assignment, scores)

    def write(points: float) -> str:
        text = as_number(points)
        return text.replace(".", ",") if layout.decimal_comma else text

    column = Column(
        file.name, assignment, layout.grade, layout.maximum, layout.students, owners, write
    )
    filled = fill_column(sheet, column, scores, choices, done)
    if layout.comments is not None:
        _comment(sheet, layout.comments, filled, scores, done)
    return sheet.to_bytes(), done


def comment_on(score: Score) -> str:
    """Return how the points came about, in a line."""
    parts = [
        f"{each.name} {'not graded yet' if each.score is None else as_number(each.score)}"
        + ("" if each.score is None else f"/{as_number(each.max_score)}")
        for each in score.exercises
    ]
    if score.penalty:
        parts.append(f"late -{as_number(score.penalty)}")
    return f"Points: {', '.join(parts)} = {as_number(score.total)} of {as_number(score.max_score)}"


def _comment(
    sheet: Sheet, column: int, filled: Mapping[int, str], scores: Scores, done: Exported
) -> None:
    """Say how points came about wherever nobody wrote anything else."""
    kept = []
    for row, student in filled.items():
        present = sheet.value(row, column)
        if present.strip() and not _OUR_COMMENT.fullmatch(present):
            kept.append(student)
        else:
            sheet.put(row, column, comment_on(scores[student]))
    done.tell("Comments that a person wrote were left as they are", kept)


def _the_one(course: Course, assignments: Sequence[str]) -> str:
    names = assignments or [
        name for name in course.released() if any(course.submitted.glob(f"*/{name}"))
    ]
    if len(names) != 1:
        raise CourseError(
            "A worksheet of Moodle's is about one assignment: name that one after the file; there "
            f"are {', '.join(course.assignment_names())}."
        )
    return names[0]


def _layout(sheet: Sheet, assignment: str, chosen: str, name: str) -> _Layout:
    rows = [row for row in range(1, len(sheet.rows)) if any(map(str.strip, sheet.values(row)))]
    if not rows or not all(_PARTICIPANT.fullmatch(sheet.value(row, 0)) for row in rows):
        raise CourseError(
            f"{name} isn't a grading worksheet of Moodle's, whose lines begin with a participant's "
            "number: download one from the assignment's page."
        )
    header = sheet.values(0)
    grades = [
        column
        for column in range(1, len(header) - 1)
        if (folded(header[column]) == folded(chosen) if chosen else _is_grade(sheet, rows, column))
    ]
    if len(grades) != 1:
        raise CourseError(
            f"It can't be told which column of {name} is the grade: name it, as in "
            f'--column {assignment}="Grade"; there are {listing(header)}.'
        )
    (grade,) = grades
    maximum = sheet.value(rows[0], grade + 1)
    return _Layout(
        grade,
        number_in(maximum),
        _comments_column(header, grade),
        "," in maximum,
        {row: sheet.value(row, 1) for row in rows},
    )


def _is_grade(sheet: Sheet, rows: Sequence[int], column: int) -> bool:
    """Tell whether a column is empty or of numbers, and the one behind it their one maximum."""
    maxima = {number_in(sheet.value(row, column + 1)) for row in rows}
    if len(maxima) != 1 or not (maximum := maxima.pop()):
        return False
    texts = [sheet.value(row, column).strip() for row in rows]
    numbers = [number_in(text) for text in texts if text not in ("", "-")]
    return all(number is not None and number <= maximum for number in numbers)


def _comments_column(header: Sequence[str], grade: int) -> int | None:
    """Return the last column, unless it is the date of the grade, which has a word in brackets."""
    dated = [n for n, text in enumerate(header) if n > grade and any(c in text for c in "(（")]
    last = len(header) - 1
    return last if dated and last > dated[-1] else None


def _owners(
    course: Course, sheet: Sheet, layout: _Layout, assignment: str, scores: Scores
) -> dict[int, str]:
    """Return the student of each row that one of ours can be told to own."""
    lines = [_line(sheet, row, layout) for row in layout.students]
    here = {line[_ID] for line in lines}
    students = {}
    for student, person in people(course, scores).items():
        entry = entry_of(course, student, assignment, PLATFORM)
        # The roster's id may be that of another assignment: here it would only mislead.
        in_roster = person.moodle_id if person.moodle_id in here else ""
        ids = {_ID: participant_id_in(entry) or in_roster, _EMAIL: person.email}
        students[student] = ids | {NAME: as_name(person.name)}
    owners = match((_ID, _EMAIL, NAME), lines, students)
    return {row: owner for row, owner in zip(layout.students, owners, strict=True) if owner}


def _line(sheet: Sheet, row: int, layout: _Layout) -> dict[str, str]:
    """Return what a line says of its student, before the grade."""
    found = _PARTICIPANT.fullmatch(sheet.value(row, 0))
    line = {_ID: found[1] if found else "", NAME: as_name(layout.students[row])}
    for column in range(2, layout.grade):
        text = sheet.value(row, column).strip()
        line[_EMAIL if "@" in text and _EMAIL not in line else f"{_OTHER}{column}"] = text
    return line
