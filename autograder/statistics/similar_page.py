"""The page of similar answers: pairs side by side, for a person who looks and decides."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from markupsafe import Markup

from autograder.course import Course
from autograder.intake.submission import Release
from autograder.report import printable
from autograder.statistics.similar.answers import Reader, references, submitted
from autograder.statistics.similar.comparison import Class, Pair
from autograder.telling.pages.looks import instructors, rendered, style_of

MAX_PAIRS = 50
MAX_LINES = 80  # of an answer
MAX_LENGTH = 200  # characters of a line
_LINE = Markup("{}\n")
_SHARED = Markup('<mark class="shared">{}</mark>\n')


def write(
    course: Course, assignment: str, folder: Path | None, tell: Callable[[str], None]
) -> tuple[Path, int]:
    """Write the page on what is handed in, also compared with the references in a `folder`.

    Returns its path, and the number of pairs on it. `tell` receives a sentence about what can't be
    compared. Raises `CourseError` if there are too few to compare.
    """
    reader = Reader.of(Release.load(course, assignment))
    works = submitted(course, reader, tell)
    compared = Class(works)
    students = compared.pairs()
    others = compared.pairs_with(references(folder, reader)) if folder else None
    path = course.reports / f"{assignment}-similar.html"
    path.parent.mkdir(exist_ok=True)
    path.write_text(page(assignment, len(works), students, others), encoding="utf-8")
    return path, len(students) + len(others or ())


def page(
    assignment: str, number: int, students: Sequence[Pair], others: Sequence[Pair] | None
) -> str:
    """Return the page as HTML; all text is escaped, and its policy forbids scripts.

    `students` are pairs among `number` students, `others` pairs of a student and a reference,
    None if there are no references.
    """
    return rendered(
        instructors().get_template("similar.html"),
        style_of("class_report.css", "similar.css"),
        assignment=assignment,
        number=number,
        students=students,
        others=others,
        most=MAX_PAIRS,
        marked=marked,
    )


def marked(code: str, lines: Collection[int]) -> Markup:
    """Return code as HTML in which the `lines` with these numbers, from 1 on, are marked."""
    rows = printable(code).split("\n")
    shown = [
        (_SHARED if number in lines else _LINE).format(text[:MAX_LENGTH])
        for number, text in enumerate(rows[:MAX_LINES], 1)
    ]
    more = f"… and {len(rows) - MAX_LINES} more lines\n" if len(rows) > MAX_LINES else ""
    return Markup("<pre>{}</pre>").format(Markup().join([*shown, more]))
