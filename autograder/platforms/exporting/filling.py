"""Fill one column of a platform's file with the points of one assignment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from autograder.course.sheets import Sheet, as_number
from autograder.errors import CourseError
from autograder.platforms.exporting.exported import Choices, Exported, Scores

_EXCUSED = ("EX", "N/A")  # on Canvas: excused, and not assigned to the student
_NO_GRADE = ("", "-")


@dataclass(frozen=True)
class Column:
    """A column of a file, and whom each of its lines is about.

    `lines` are the names of students in the file by row, `owners` the students whom we know.
    """

    file: str
    assignment: str
    number: int
    maximum: float | None
    lines: Mapping[int, str]
    owners: Mapping[int, str]
    write: Callable[[float], str] = as_number


def fill_column(
    sheet: Sheet, column: Column, scores: Scores, choices: Choices, done: Exported
) -> dict[int, str]:
    """Fill in what is known, and leave every other cell as it is; say what happened in `done`.

    Returns the students whose points were filled in, by row.
    """
    factor = _factor(column, scores, choices)
    held, excused, filled = [], [], {}
    for row, student in column.owners.items():
        present = sheet.value(row, column.number).strip()
        points = choices.points(scores.get(student))
        if student in scores and present.upper() in _EXCUSED:
            excused.append(student)
        elif points is not None:
            sheet.put(row, column.number, column.write(points * factor))
            filled[row] = student
        elif student in scores and present not in _NO_GRADE:
            held.append(student)
    done.grades += len(filled)
    done.tell_scores(column.assignment, scores, choices)
    about = f"{column.assignment}: in {column.file}"
    done.tell(f"{about}, excused or not assigned, and left so", excused)
    done.tell(f"{about} with an earlier grade, which was left as it is", held)
    _tell_unmatched(column, scores, done)
    return filled


def _tell_unmatched(column: Column, scores: Scores, done: Exported) -> None:
    """Say whom of ours the file doesn't have, and of whom in the file we have nothing."""
    owners = set(column.owners.values())
    lost = [student for student in scores if student not in owners]
    absent = [
        name for row, name in column.lines.items() if column.owners.get(row, "") not in scores
    ]
    done.lost += len(lost)
    done.absent += len(absent)
    about = f"{column.assignment}: "
    done.tell(f"{about}handed in, but not in {column.file} by an id that we know", lost)
    done.tell(f"{about}in {column.file}, but nothing of theirs was collected", absent)


def _factor(column: Column, scores: Scores, choices: Choices) -> float:
    """Return what points are multiplied by; refuse to give points out of another maximum."""
    ours = max((score.max_score for score in scores.values()), default=0)
    if not ours or column.maximum is None or abs(column.maximum - ours) < 0.005:
        return 1
    if choices.scale:
        return column.maximum / ours
    raise CourseError(
        f"{column.assignment} is worth {as_number(ours)} points here and "
        f"{as_number(column.maximum)} in {column.file}: change the points there, or convert them "
        "by --scale."
    )
