"""Export points to a platform."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from autograder.course import Course
from autograder.course.sheets import save_whole
from autograder.errors import CourseError
from autograder.platforms import canvas_gradebook, moodle_worksheet
from autograder.platforms.exporting import tables
from autograder.platforms.exporting.exported import Choices, Exported


class Target(StrEnum):
    """Where points can go."""

    CANVAS = "canvas"
    MOODLE = "moodle"
    GRADESCOPE = "gradescope"
    CSV = "csv"


_FILL = {Target.CANVAS: canvas_gradebook.fill, Target.MOODLE: moodle_worksheet.fill}
_WRITE = {Target.GRADESCOPE: tables.gradescope, Target.CSV: tables.plain}
_NAMES = {Target.GRADESCOPE: "gradescope.csv", Target.CSV: "grades.csv"}


def export(
    course: Course, target: Target, words: Sequence[str], choices: Choices, out: Path | None
) -> tuple[Path, Exported]:
    """Export points; return the file that was written, and what became of them.

    `words` are the platform's file to fill, if it has one, and then assignments.
    """
    file = _file_in(target, words) if target in _FILL else None
    names = [course.check_assignment(name) for name in (words[1:] if file else words)]
    if file and choices.by_exercise:
        raise CourseError("Leave out --by-exercise: it is for --to csv and --to gradescope.")
    if file:
        raw, done = _FILL[target](course, file, names, choices)
    else:
        raw, done = _WRITE[target](course, names, choices)
    path = out or course.exports / (f"{target}-{file.name}" if file else _NAMES[target])
    if file and path.exists() and path.samefile(file):
        raise CourseError(f"{path} is the file to fill, which stays as it is: name another --out.")
    save_whole(raw, path)
    return path, done


def columns_in(course: Course, texts: Sequence[str]) -> dict[str, str]:
    """Return the column of each assignment, from texts such as `hw1=Homework 1 (123)`."""
    columns = {}
    for text in texts:
        assignment, _, column = text.partition("=")
        if not column.strip():
            raise CourseError(f"--column {text}: write it as --column ASSIGNMENT='TITLE (ID)'.")
        columns[course.check_assignment(assignment.strip())] = column.strip()
    return columns


def _file_in(target: Target, words: Sequence[str]) -> Path:
    if not words:
        raise CourseError(
            f"Name the CSV file to fill, as {target.title()} exported it: `autograder export "
            f"--to {target} FILE.csv`."
        )
    path = Path(words[0])
    if not path.is_file():
        raise CourseError(f"There is no file {path}: name the one that {target.title()} exported.")
    return path
