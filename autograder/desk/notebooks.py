"""Graded notebooks, read and rendered in a process that can be killed."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from markupsafe import Markup
from nbformat import NotebookNode, v4

from autograder.course.saving import sign_of
from autograder.desk.alike import AnswerText
from autograder.errors import GraderFault
from autograder.intake.notebook import MAX_NOTEBOOK
from autograder.telling.pages.pictures import HandedInPictures, drawn_in
from autograder.telling.pages.press import Made, Press
from autograder.telling.pages.safe_html import NOT_RENDERED, get_ready, render_texts
from autograder.telling.pages.student_page import page_of, pictures_of
from autograder.telling.record import Summary
from autograder.work.bounded import Unfinished

MAX_GRADED = 4 * MAX_NOTEBOOK  # bytes of a graded notebook, which holds outputs as well
MAX_KEPT = 2000  # rendered texts
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
            told = self._press.run_each(partial(_written_in), stale)
            for path, text in zip(stale, told, strict=True):
                found = {} if isinstance(text, Unfinished) else text
                texts = {name: AnswerText(**parts) for name, parts in found.items()}
                self._texts[path] = signs[path], texts
            return {path: self._texts[path][1] for path in signs}

    def _render(self, kind: str, text: str) -> Markup:
        """Return "markdown" or "code" that a student wrote as HTML, cleaned as feedback is."""
        return _cleaned(self._make(partial(_text, kind, text)))

    def answer(self, name: str, written: AnswerText, notebook: Path) -> Markup:
        """Return an answer as HTML, with its pictures: those aren't kept in memory."""
        if not written.is_pictured:
            return self.rendered(written.kind, written.text)
        work = partial(_pictured, name, written.kind, written.text, notebook)
        return _cleaned(self._make(work))

    def pdfs(self, notebook: Path) -> dict[str, str]:
        """Return the names of the PDFs beside a graded notebook, by the hash of each."""
        texts = self.written([notebook]).get(notebook, {})
        return {each: name for text in texts.values() for each, name in text.pdfs.items()}

    def sources(self, notebook: Path) -> dict[str, str]:
        """Return the code of each exercise in a graded notebook; nothing if it can't be read."""
        try:
            return self._press.run(partial(_exercises_in, notebook))
        except Unfinished:
            return {}

    def page(self, notebook: Path, summary: Summary) -> str:
        return self._make(partial(_page, notebook, summary)).text

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


def _open(path: Path) -> NotebookNode:
    raw = path.read_bytes() if path.stat().st_size <= MAX_GRADED else b""
    found: NotebookNode = v4.reads_json(raw)  # type: ignore[no-untyped-call]
    return found


def _marked(notebook: NotebookNode) -> Iterator[tuple[Mapping[str, object], NotebookNode]]:
    """Yield what nbgrader notes of each cell in a notebook, and the cell."""
    for cell in notebook.cells:
        yield cell.get("metadata", {}).get("nbgrader", {}), cell


def _written_in(path: Path) -> dict[str, dict[str, Any]]:
    """Return the fields of each `AnswerText`."""
    notebook = _open(path)
    beside, found = notebook.metadata.get("beside", {}), {}
    for mark, cell in _marked(notebook):
        if mark.get("solution") and mark.get("grade"):
            drawn = [data for _, data in pictures_of(cell)]
            answer = AnswerText.of(cell.source, beside, cell.cell_type, drawn)
            found[str(mark["grade_id"])] = asdict(answer)
    return found


def _exercises_in(path: Path) -> dict[str, str]:
    marked = _marked(_open(path))
    return {str(mark["grade_id"]): cell.source for mark, cell in marked if mark.get("solution")}


def _text(kind: str, text: str, plain: bool, pictures: HandedInPictures | None = None) -> str:
    make = v4.new_markdown_cell if kind == "markdown" else v4.new_code_cell
    notebook = v4.new_notebook(cells=[make(text, metadata={"nbgrader": {"solution": True}})])  # type: ignore[no-untyped-call]
    render_texts(notebook, plain, pictures)
    return str(notebook.cells[0].source)


def _pictured(name: str, kind: str, text: str, path: Path, plain: bool) -> str:
    if plain:
        return _text(kind, text, plain)
    notebook = _open(path)
    pictures = drawn_in(notebook, path.parent)
    shown = _text(kind, text, plain, pictures)
    cells = (cell for mark, cell in _marked(notebook) if mark.get("grade_id") == name)
    drawn = (str(pictures.drawn(*each)) for cell in cells for each in pictures_of(cell))
    return "".join([shown, *drawn, str(pictures.unseen())])


def _page(path: Path, summary: Summary, plain: bool) -> str:
    return page_of(_open(path), summary, plain, path.parent)
