"""The course's gradebook, rubrics, and graded notebooks, read in a process that can be killed."""

from __future__ import annotations

import hashlib
import json
import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from markupsafe import Markup
from nbformat import NotebookNode, v4
from sqlalchemy import Connection, Engine, inspect

from autograder.course import Course
from autograder.course.roster import EVERYBODY, Section
from autograder.course.saving import sign_of
from autograder.errors import CourseError, DeskError, GraderFault
from autograder.gradebook import database, giving
from autograder.gradebook.lateness import settle
from autograder.gradebook.marks import Marks, marks_on
from autograder.gradebook.tables import GRADE, answer_hash
from autograder.intake.notebook import MAX_NOTEBOOK
from autograder.telling.pages.pictures import HandedInPictures, drawn_in
from autograder.telling.pages.press import Made, Press
from autograder.telling.pages.safe_html import NOT_RENDERED, get_ready, render_texts
from autograder.telling.pages.student_page import page_of, pictures_of
from autograder.telling.record import Summary
from autograder.work.bounded import Unfinished

MAX_GRADED = 4 * MAX_NOTEBOOK  # bytes of a graded notebook, which holds outputs as well
MAX_KEPT = 2000  # rendered texts
_BATCH = 20  # notebooks that are read at once
# What says nothing: the marks of code and formulas, of headings and of a bold beginning, the dot of
# a list's number or at a line's end, and a sentence's signs behind a word. All else is a token.
_WORD = r"[^\W\d_]{2,}"
_MARK = rf"(?:[`$]|\\(?={_WORD}))"
_BETWEEN = re.compile(rf"(?<=\w){_MARK}+(?=\w)")
_MARKS = re.compile(rf"{_MARK}|^\s*#+\s", re.MULTILINE)
_STOPS = re.compile(r"(?<=[^\W_])\.\s*$|(?<=[^\W\d_]{2})[.,;:?](?=\s)", re.MULTILINE)
_BOLD = re.compile(rf"^(\s*)\*\*({_WORD}(?: {_WORD})*[.,:]?)\*\*(?!\w)", re.MULTILINE)
_NUMBERED = re.compile(r"^(\s*\d+)[.)](?=\s)", re.MULTILINE)
_TOKEN = re.compile(r"(?:(?<!\w)[.,])?\d+(?:[.,]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)*|\S")


@contextmanager
def open_books(course: Course, section: Section = EVERYBODY) -> Iterator[Books]:
    """Open the gradebook of `course`; raise `CourseError` if nothing is recorded in it."""
    with database.explaining_errors(), database.gradebook_of(course) as engine:
        if engine is None or not inspect(engine).has_table(GRADE.name):
            raise CourseError("Nothing is recorded in the gradebook yet: run `make grade` first.")
        database.make_tables(engine)
        with closing(NotebookReader()) as reader:
            yield Books(course, engine, reader, section)


@dataclass(frozen=True)
class Books:
    course: Course
    engine: Engine
    reader: NotebookReader
    section: Section  # whose work is shown and graded

    def marks(self, connection: Connection, assignment: str, **only: str) -> list[Marks]:
        """Return the marks on `assignment` of the section, or of `only` one submission in it."""
        found = marks_on(connection, assignment, **only)
        return [each for each in found if each.student in self.section]

    def check(self, keys: Iterable[str]) -> None:
        """Raise `DeskError` if any of these grades is that of another section's student."""
        with self.engine.connect() as connection:
            students = giving.students_of(connection, keys)
        if not all(student in self.section for student in students):
            raise DeskError(
                f"This is the work of another section than {self.section.name}: open a desk "
                "without `--section` to grade it."
            )

    def settle(self, assignment: str, students: set[str]) -> None:
        for student in students:
            settle(self.course, self.engine, assignment, student)


@dataclass(frozen=True)
class AnswerText:
    """An answer that a person grades, and what is the same for those that may be graded as one."""

    text: str
    kind: str  # of its cell: "markdown" or "code"
    alike: str
    hash: str  # as the gradebook has it
    is_pictured: bool  # pictures stand in it, or were handed in beside it
    pdfs: Mapping[str, str]  # that were handed in beside it: names by the hash of each

    @classmethod
    def of(
        cls,
        text: str,
        beside: Mapping[str, str] | None = None,
        kind: str = "markdown",
        drawn: Sequence[str] = (),
    ) -> AnswerText:
        """Tell what is the same for answers of this `kind`, with files `beside` and pictures.

        Files are given by name, with the hash of each, and the pictures that code has `drawn` in
        base64: they must be the same ones.
        """
        files = dict(beside or {})
        said = _said(text) if kind == "markdown" else [line.rstrip() for line in text.split("\n")]
        alike = hashlib.sha256("\0".join([*said, *sorted(files.values()), *drawn]).encode())
        is_pictured = bool(files or drawn) or "attachment:" in text
        pdfs = {files[name]: name for name in files if name.lower().endswith(".pdf")}
        found = answer_hash(text, files.values())
        return cls(text, kind, alike.hexdigest(), found, is_pictured, pdfs)


def _said(text: str) -> Iterator[str]:
    """Return what prose shares that differs in layout, and in how sentences are written, alone.

    No sign is dropped that could be an operator, part of a number, or a negation.
    """
    plain = unicodedata.normalize("NFC", text).replace("’", "'")
    plain = _MARKS.sub("", _BETWEEN.sub(" ", plain))
    plain = _STOPS.sub("", _BOLD.sub(r"\1\2", _NUMBERED.sub(r"\1", plain)))
    # Q is not q: the case counts of single letters, and of names such as QK.
    return (t.casefold() if t[1:].islower() else t for t in _TOKEN.findall(plain))


_Texts = Mapping[str, AnswerText]  # by the name of the question


class NotebookReader:
    """Reads and renders, one thing at a time, and keeps what stays the same."""

    def __init__(self) -> None:
        self._press, self._lock = Press(), threading.Lock()  # of the texts
        self._texts: dict[Path, tuple[tuple[int, int], _Texts]] = {}  # with the notebook's sign
        self.rendered = lru_cache(MAX_KEPT)(self._render)

    def warm(self) -> None:
        self._press.warm(get_ready)

    def close(self) -> None:
        self._press.close()

    def written(self, notebooks: Iterable[Path]) -> dict[Path, _Texts]:
        """Return what people grade in each graded notebook; one that can't be read has none."""
        signs = {path: sign for path in notebooks if (sign := sign_of(path))}
        with self._lock:
            stale = [path for path in signs if self._texts.get(path, (None,))[0] != signs[path]]
            for start in range(0, len(stale), _BATCH):
                for path, texts in self._read(stale[start : start + _BATCH]):
                    self._texts[path] = signs[path], texts
            return {path: self._texts[path][1] for path in signs}

    def _read(self, paths: Sequence[Path]) -> Iterator[tuple[Path, _Texts]]:
        told = self._press.run_each(partial(_written_in), [*map(str, paths)])
        for path, text in zip(paths, told, strict=True):
            found: dict[str, list[Any]] = {} if isinstance(text, Unfinished) else json.loads(text)
            yield path, {name: AnswerText(*parts) for name, parts in found.items()}

    def _render(self, kind: str, text: str) -> Markup:
        """Return "markdown" or "code" that a student wrote as HTML, cleaned as feedback is."""
        return _cleaned(self._make(partial(_text, kind, text)))

    def answer(self, name: str, written: AnswerText, notebook: Path) -> Markup:
        """Return an answer as HTML, with its pictures: those aren't kept in memory."""
        if not written.is_pictured:
            return self.rendered(written.kind, written.text)
        work = partial(_pictured, name, written.kind, written.text, str(notebook))
        return _cleaned(self._make(work))

    def pdfs(self, notebook: Path) -> dict[str, str]:
        """Return the names of the PDFs beside a graded notebook, by the hash of each."""
        texts = self.written([notebook]).get(notebook, {})
        return {each: name for text in texts.values() for each, name in text.pdfs.items()}

    def sources(self, notebook: Path) -> dict[str, str]:
        """Return the code of each exercise in a graded notebook; nothing if it can't be read."""
        try:
            told = self._press.run(partial(_exercises_in, str(notebook)))
        except Unfinished:
            return {}
        found: dict[str, str] = json.loads(told)
        return found

    def page(self, notebook: Path, summary: Summary) -> str:
        return self._make(partial(_page, str(notebook), summary)).text

    def _make(self, work: partial[str]) -> Made:
        try:
            return self._press.make(work)
        except Unfinished as error:
            raise GraderFault(
                f"What the student wrote can't be shown: {error}. Open the notebook in "
                "`autograded/` to read it."
            ) from None


def _cleaned(made: Made) -> Markup:
    why = NOT_RENDERED.format(made.why) if made.why else Markup()
    return why + Markup(made.text)  # noqa: S704 - cleaned


def _open(path: str) -> NotebookNode:
    raw = Path(path).read_bytes() if Path(path).stat().st_size <= MAX_GRADED else b""
    found: NotebookNode = v4.reads_json(raw)  # type: ignore[no-untyped-call]
    return found


def _marked(notebook: NotebookNode) -> Iterator[tuple[Mapping[str, object], NotebookNode]]:
    """Yield what nbgrader notes of each cell in a notebook, and the cell."""
    for cell in notebook.cells:
        yield cell.get("metadata", {}).get("nbgrader", {}), cell


def _written_in(path: str) -> str:
    notebook = _open(path)
    beside = notebook.metadata.get("beside", {})
    answers = {
        str(mark["grade_id"]): astuple(
            AnswerText.of(
                cell.source, beside, cell.cell_type, [data for _, data in pictures_of(cell)]
            )
        )
        for mark, cell in _marked(notebook)
        if mark.get("solution") and mark.get("grade")
    }
    return json.dumps(answers)


def _exercises_in(path: str) -> str:
    marked = _marked(_open(path))
    return json.dumps(
        {mark["grade_id"]: cell.source for mark, cell in marked if mark.get("solution")}
    )


def _text(kind: str, text: str, plain: bool, pictures: HandedInPictures | None = None) -> str:
    make = v4.new_markdown_cell if kind == "markdown" else v4.new_code_cell
    notebook = v4.new_notebook(cells=[make(text, metadata={"nbgrader": {"solution": True}})])  # type: ignore[no-untyped-call]
    render_texts(notebook, plain, pictures)
    return str(notebook.cells[0].source)


def _pictured(name: str, kind: str, text: str, path: str, plain: bool) -> str:
    if plain:
        return _text(kind, text, plain)
    notebook = _open(path)
    pictures = drawn_in(notebook, Path(path).parent)
    shown = _text(kind, text, plain, pictures)
    cells = (cell for mark, cell in _marked(notebook) if mark.get("grade_id") == name)
    drawn = (str(pictures.drawn(*each)) for cell in cells for each in pictures_of(cell))
    return "".join([shown, *drawn, str(pictures.unseen())])


def _page(path: str, summary: Summary, plain: bool) -> str:
    return page_of(_open(path), summary, plain, Path(path).parent)
