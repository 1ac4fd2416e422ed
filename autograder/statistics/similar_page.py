"""The page of similar answers: pairs side by side, for a person who looks and decides.

It is a hint, never a verdict: nothing here has a say in a grade, or runs unless it is asked for.
Each notebook is read in a process with bounds; what comes back are texts and tokens.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path

from markupsafe import Markup

from autograder.course import Course
from autograder.errors import CourseError, SubmissionError, shown
from autograder.grading.submissions import find_submissions
from autograder.intake.notebook import CellRole, read_file, read_notebook
from autograder.intake.submission import Release, normalise
from autograder.report import printable
from autograder.statistics.similar import (
    Author,
    ComparedAnswer,
    ComparedClass,
    SimilarPair,
    imported,
    passages_in,
    tokens_of,
)
from autograder.telling.pages.looks import rendered
from autograder.telling.pages.press import PRESS
from autograder.work.bounded import Unfinished

MAX_CODE = 20_000  # characters of an answer that are compared
MAX_PAIRS = 50
MAX_LINES = 80  # of an answer
MAX_LENGTH = 200  # characters of a line
_LINE = Markup("{}\n")
_SHARED = Markup('<mark class="shared">{}</mark>\n')


class AnswerReader:
    """Reads answers in copies of a release; what that gives to everybody is nobody's own."""

    def __init__(self, release: Release) -> None:
        """Note the names that the release imports, and the passages of its stubs."""
        self.release = release
        setup = (cell.source for cell in release.cells if cell.role is CellRole.SETUP)
        self.known = frozenset(imported(setup))
        self._given = {
            name: passages_in(tokens_of(cell.source, self.known))
            for name, cell in release.exercises.items()
        }

    def compared(
        self, exercise: str, code: str, tokens: Sequence[tuple[str, int]]
    ) -> ComparedAnswer:
        """Return an answer, without what is given."""
        return ComparedAnswer(code, passages_in(tokens, self._given[exercise]))

    def author(self, name: str, raw: bytes, exercise: str = "") -> Author:
        """Return what a notebook holds, or a file of code that answers one `exercise`.

        Raises `SubmissionError` if that can't be told.
        """
        try:
            told = json.loads(PRESS.run(partial(_told, raw, self.release, self.known, exercise)))
        except Unfinished as error:
            raise SubmissionError(f"{shown(name)} can't be compared: {error}.") from None
        if isinstance(told, str):
            raise SubmissionError(f"{shown(name)} can't be compared: {told}")
        return Author(name, {each: self.compared(each, *pair) for each, pair in told.items()})

    def handed_in(self, course: Course, tell: Callable[[str], None]) -> list[Author]:
        """Return who handed in what; `tell` receives a sentence about what can't be compared."""
        found = []
        for job in find_submissions(course, [self.release.assignment], tell=tell):
            try:
                found.append(self.author(job.student, job.read()))
            except SubmissionError as error:
                tell(str(error))
        return found

    def references(self, folder: Path) -> list[Author]:
        """Return the references in a folder: notebooks, and files `<exercise>/<name>.py`.

        Raises `CourseError` if there are none, or if one can't be read.
        """
        exercises = self.release.exercises
        files = [(path, "") for path in sorted(folder.glob("*.ipynb"))]
        files += [(p, name) for name in exercises for p in sorted((folder / name).glob("*.py"))]
        if not files:
            raise CourseError(
                f"{folder} holds no references: put notebooks of {self.release.assignment} there, "
                f"or files such as {next(iter(exercises), 'exercise')}/from_the_web.py."
            )
        try:
            return [
                self.author(str(path.relative_to(folder)), read_file(path), exercise)
                for path, exercise in files
            ]
        except (OSError, SubmissionError) as error:
            raise CourseError(f"{folder} can't be compared with: {error}") from None


def _told(raw: bytes, release: Release, known: Collection[str], exercise: str) -> str:
    """Run in a process that can be killed: return codes and tokens by exercise, or why not."""
    try:
        if exercise:
            answers = {exercise: raw.decode(errors="replace")}
        else:
            answers = normalise(read_notebook(raw), release).answers
    except SubmissionError as error:
        return json.dumps(str(error))
    cut = {name: code[:MAX_CODE] for name, code in answers.items()}
    return json.dumps({name: (code, tokens_of(code, known)) for name, code in cut.items()})


def write_similar_page(
    course: Course, assignment: str, folder: Path | None, tell: Callable[[str], None]
) -> tuple[Path, int]:
    """Write the page on what is handed in, also compared with the references in a `folder`.

    Returns its path, and the number of pairs on it. `tell` receives a sentence about what can't be
    compared. Raises `CourseError` if there are too few to compare.
    """
    reader = AnswerReader(Release.load(course, assignment))
    authors = reader.handed_in(course, tell)
    compared = ComparedClass(authors)
    students = compared.pairs()
    others = compared.pairs_with(reader.references(folder)) if folder else None
    path = course.reports / f"{assignment}-similar.html"
    path.parent.mkdir(exist_ok=True)
    path.write_text(similar_page(assignment, len(authors), students, others), encoding="utf-8")
    return path, len(students) + len(others or ())


def similar_page(
    assignment: str,
    number: int,
    students: Sequence[SimilarPair],
    others: Sequence[SimilarPair] | None,
) -> str:
    """Return the page as HTML; all text is escaped, and its policy forbids scripts.

    `students` are pairs among `number` students, `others` pairs of a student and a reference,
    None if there are no references.
    """
    return rendered(
        "similar.html",
        *("class_report.css", "similar.css"),
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
