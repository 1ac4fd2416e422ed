"""Texts out of graded notebooks, read and rendered in a process that can be killed.

What students wrote is opened there alone. Here, it is text or HTML that was cleaned.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from markupsafe import Markup
from nbformat import NotebookNode, v4

from autograder.errors import GraderFault
from autograder.intake.notebook import MAX_NOTEBOOK
from autograder.telling.pages.press import Made, Press
from autograder.telling.pages.safe_html import NOT_RENDERED, Style, render_texts
from autograder.telling.pages.student_page import page_of
from autograder.telling.record import Summary
from autograder.work.bounded import Unfinished

_BATCH = 20  # notebooks that are read at once
_KEPT = 2000  # rendered texts
_PAGE_ROOM = 4 * MAX_NOTEBOOK  # of a graded notebook, which holds outputs as well
_NUMBER = r"\d+(?:[.,]\d+)*"
_SYMBOL = r"[^\w\s.,;:!?'\"`$\\]"  # what may change what is meant, such as < and -
_TOKEN = re.compile(rf"{_NUMBER}|[^\W\d_]+|{_SYMBOL}")
_BOLD = re.compile(r"(?<!\w)\*\*(?=\S)|(?<=\S)\*\*(?!\w)")
_BEGINNING = re.compile(r"^\s*[-*#]+\s+(?=[^\W\d])")  # of a line: a list, a heading


@dataclass(frozen=True)
class Written:
    """An answer in prose: its text, and what is the same for answers that are nearly equal."""

    text: str
    alike: str

    @property
    def answer(self) -> str:
        """The hash by which the gradebook knows it."""
        return hashlib.sha256(self.text.encode()).hexdigest()


_Texts = Mapping[str, Written]  # by the name of the question


class Reader:
    """Reads and renders, one thing at a time, and keeps what stays the same."""

    def __init__(self) -> None:
        self._press, self._lock = Press(), threading.RLock()
        self._texts: dict[Path, tuple[tuple[int, int], _Texts]] = {}
        self._rendered: OrderedDict[tuple[str, str], Markup] = OrderedDict()

    def warm(self) -> None:
        """Start the process that does the work."""
        with self._lock:
            self._press.warm(_nothing)

    def close(self) -> None:
        """End it."""
        with self._lock:
            self._press.close()

    def written(self, notebooks: Iterable[Path]) -> dict[Path, _Texts]:
        """Return the answers in prose in each graded notebook; one that can't be read has none."""
        signs = {path: sign for path in notebooks if (sign := _sign(path))}
        with self._lock:
            stale = [path for path in signs if self._known(path, signs[path]) is None]
            for start in range(0, len(stale), _BATCH):
                for path, texts in self._read(stale[start : start + _BATCH]).items():
                    self._texts[path] = signs[path], texts
            return {path: self._texts[path][1] for path in signs}

    def _known(self, path: Path, sign: tuple[int, int]) -> _Texts | None:
        found = self._texts.get(path)
        return found[1] if found and found[0] == sign else None

    def _read(self, paths: Sequence[Path]) -> dict[Path, _Texts]:
        """Read some notebooks at once; if that fails, one by one."""
        try:
            told: dict[str, dict[str, list[str]]] = json.loads(
                self._press.run(partial(_written_in, [str(path) for path in paths]))
            )
        except Unfinished:
            if len(paths) == 1:
                return {paths[0]: {}}
            return {path: texts for each in paths for path, texts in self._read([each]).items()}
        return {
            path: {name: Written(*pair) for name, pair in told[str(path)].items()} for path in paths
        }

    def prose(self, text: str) -> Markup:
        """Return markdown that a student wrote as HTML, cleaned as feedback is."""
        return self._shown("markdown", text)

    def code(self, text: str) -> Markup:
        """Return code as HTML."""
        return self._shown("code", text)

    def _shown(self, kind: str, text: str) -> Markup:
        with self._lock:
            key = kind, text
            if key not in self._rendered:
                made = self._make(partial(_text, kind, text))
                why = NOT_RENDERED.format(made.why) if made.why else Markup()
                self._rendered[key] = why + Markup(made.text)  # noqa: S704 - cleaned
                if len(self._rendered) > _KEPT:
                    self._rendered.popitem(last=False)
            return self._rendered[key]

    def sources(self, notebook: Path) -> dict[str, str]:
        """Return the code of each exercise in a graded notebook; nothing if it can't be read."""
        with self._lock:
            try:
                found: dict[str, str] = json.loads(
                    self._press.run(partial(_exercises_in, str(notebook)))
                )
            except Unfinished:
                return {}
            return found

    def page(self, notebook: Path, summary: Summary) -> str:
        """Return the page that feedback makes of a graded notebook."""
        with self._lock:
            return self._make(partial(_page, str(notebook), summary)).text

    def _make(self, work: Callable[[Style], str]) -> Made:
        try:
            return self._press.make(work)
        except Unfinished as error:
            raise GraderFault(
                f"What the student wrote can't be shown: {error}. Open the notebook in "
                "`autograded/` to read it."
            ) from None


def alike(text: str) -> str:
    """Return what answers have in common that differ in nothing that could matter.

    Case, spacing, the marks between sentences and markdown's emphasis don't count. Every word,
    number and sign of a formula does, and their order.
    """
    plain = unicodedata.normalize("NFC", text).casefold().replace("_", "")
    plain = _BOLD.sub("", plain)
    tokens = _TOKEN.findall("\n".join(_BEGINNING.sub("", line) for line in plain.split("\n")))
    return hashlib.sha256("\0".join(tokens).encode()).hexdigest()


def _sign(path: Path) -> tuple[int, int] | None:
    """Return what differs when a file was written again; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _nothing() -> str:
    """Do nothing, so that a process has to be there for it."""
    return ""


def _open(path: str) -> NotebookNode:
    raw = Path(path).read_bytes() if Path(path).stat().st_size <= _PAGE_ROOM else b""
    found: NotebookNode = v4.reads_json(raw)  # type: ignore[no-untyped-call]
    return found


def _marked(path: str) -> Iterator[tuple[Mapping[str, object], str]]:
    """Yield what nbgrader notes of each cell in a notebook, and the cell's source."""
    for cell in _open(path).cells:
        yield cell.get("metadata", {}).get("nbgrader", {}), cell.source


def _written_in(paths: Sequence[str]) -> str:
    return json.dumps({path: _answers_in(path) for path in paths})


def _answers_in(path: str) -> dict[str, tuple[str, str]]:
    return {
        str(mark["grade_id"]): (source, alike(source))
        for mark, source in _marked(path)
        if mark.get("solution") and mark.get("grade")
    }


def _exercises_in(path: str) -> str:
    return json.dumps({m["grade_id"]: source for m, source in _marked(path) if m.get("solution")})


def _text(kind: str, text: str, style: Style) -> str:
    make = v4.new_markdown_cell if kind == "markdown" else v4.new_code_cell
    notebook = v4.new_notebook(cells=[make(text)])  # type: ignore[no-untyped-call]
    render_texts(notebook, style)
    return str(notebook.cells[0].source)


def _page(path: str, summary: Summary, style: Style) -> str:
    return page_of(_open(path), summary, style)
