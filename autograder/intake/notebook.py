"""Read an untrusted notebook file into cells; keep only the parts of it that are needed.

Only an ordinary file is opened: a link could lead to what isn't the student's, a pipe waits until
somebody writes into it, and a device may never end. Releases and submissions are read by the same
code. A submission's outputs have no effect on grading; of them, only pictures are kept.
"""

import base64
import hashlib
import json
import os
import re
import stat
import struct
from collections.abc import Callable
from enum import StrEnum
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import IO, Annotated, Any, Literal, NamedTuple

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from autograder.errors import SubmissionError, shown
from autograder.sandbox.limits import MAX_TEXT

MAX_NOTEBOOK = 20 << 20  # bytes of a notebook file
MAX_CELLS = 1000
MAX_CODE = 1_000_000  # characters of all code cells together: they are parsed, which takes memory
MAX_OUTPUTS = 100  # of one cell, that are looked at
MAX_PICTURES = 4  # of one cell: as many as a page has room for
MAX_PICTURE = 400_000  # bytes of one
MAX_SIDE = 4000  # pixels
MAX_ATTACHED = 20  # pictures that are attached to one cell of prose
# By how they begin: what is handed in under a notebook's name.
_OTHER_KINDS = {
    b"%pdf": "a PDF",
    b"<": "a web page",
    b"pk\x03\x04": "a zip file",
    b"\x89png": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"# in[": "a Python script",
    b"#!": "a script",
    b"import ": "a Python script",
}
_DATA = re.compile(r"data:(image/[\w.+-]{1,30});base64,([A-Za-z0-9+/=]+)")
# A link is refused, and a pipe or a device keeps nobody waiting.
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def open_regular(path: Path, below: Path) -> IO[bytes]:
    """Open a file; neither it nor a folder between `below` and it may be a link.

    Raises `SubmissionError` for a link and for what is no ordinary file, OSError if it can't be
    opened.
    """
    *folders, name = path.relative_to(below).parts
    folder = os.open(below, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in folders:
            _check_kind(part, folder, stat.S_ISDIR)
            outer, folder = folder, os.open(part, _FLAGS | os.O_DIRECTORY, dir_fd=folder)
            os.close(outer)
        _check_kind(name, folder, stat.S_ISREG)
        # Should it be replaced by a link or a pipe meanwhile, opening fails, and doesn't wait.
        stream = os.fdopen(os.open(name, _FLAGS, dir_fd=folder), "rb")
        if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            return stream
        stream.close()
        raise SubmissionError(f"{shown(name)} changed while it was read: try again.")
    finally:
        os.close(folder)


def _check_kind(name: str, folder: int, is_right: Callable[[int], bool]) -> None:
    """Refuse what lies in an open folder under this name, unless it is of the right kind."""
    mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    if not is_right(mode):
        kind = "not a folder" if is_right is stat.S_ISDIR else "not a file"
        kind = "a link" if stat.S_ISLNK(mode) else kind
        raise SubmissionError(f"{shown(name)} is {kind}: hand in the notebook itself.")


def read_file(path: Path, below: Path | None = None) -> bytes:
    """Return the bytes of a notebook file, which must be an ordinary one.

    Where `below` isn't given, a person of ours named the file: it may lie behind links. Raises
    `SubmissionError` as `open_regular` does and for more than `MAX_NOTEBOOK` bytes, OSError if the
    file can't be read.
    """
    path = path if below else path.resolve()
    with open_regular(path, below or path.parent) as file:
        raw = file.read(MAX_NOTEBOOK + 1)
    _check_size(raw)
    return raw


def read_submitted(path: Path) -> bytes:
    """Return the bytes of `…/<student>/<assignment>/<notebook>`, as `read_file` without links."""
    return read_file(path, below=path.parents[2])


def _check_size(raw: bytes) -> None:
    if len(raw) > MAX_NOTEBOOK:
        raise SubmissionError(
            f"The file is larger than {MAX_NOTEBOOK >> 20} MB: clear its outputs and save it again."
        )


class CellRole(StrEnum):
    SETUP = "setup"  # given code that solutions build on: locked, and run by the grader
    SOLUTION = "solution"  # code that a student writes
    TEST = "test"  # the visible checks of an exercise; the hidden tests decide its points
    WRITTEN = "written"  # an answer, in prose or code, that a person grades
    FREE = "free"  # everything else: prose, plots, experiments, a student's own cells


ANSWERED = (CellRole.SOLUTION, CellRole.WRITTEN)  # the cells that a student fills in
# What the id of a cell begins with that a student added, and of a folded given one that differs.
OWN, GIVEN = "own-", "given-"
FOLDED = "#@title "  # begins a folded cell, before its title


class Picture(NamedTuple):
    """A picture: its type, and its bytes in base64. These types can't contain anything active."""

    kind: Literal["image/png", "image/jpeg"]
    data: str


def pictures_in(outputs: Any) -> tuple[Picture, ...]:
    """Return the pictures among the outputs of a code cell, which may be anything."""
    found: list[Picture] = []
    for output in outputs[:MAX_OUTPUTS] if isinstance(outputs, list) else ():
        data = _mapping(_mapping(output).get("data"))
        texts = ((kind, _joined(data.get(kind))) for kind in ("image/png", "image/jpeg"))
        kind, text = next((pair for pair in texts if isinstance(pair[1], str)), ("", ""))
        picture = _picture(text)
        if picture and picture.kind == kind:
            found.append(picture)
    return tuple(found[:MAX_PICTURES])


def _picture(text: str) -> Picture | None:
    """Return the picture that `text` is in base64, if it is one of an ordinary size."""
    try:
        short = text if len(text) < MAX_PICTURE * 4 / 3 + 100 else ""
        raw = base64.b64decode("".join(short.split()), validate=True)
    except ValueError:
        return None
    plain = base64.b64encode(raw).decode()
    if raw.startswith(b"\x89PNG\r\n\x1a\n") and len(raw) > 24:
        width, height = struct.unpack(">II", raw[16:24])
        return Picture("image/png", plain) if 0 < width <= MAX_SIDE >= height > 0 else None
    return Picture("image/jpeg", plain) if raw.startswith(b"\xff\xd8\xff") else None


Attached = dict[str, str]  # the bytes of a picture in base64, by their type, as in a notebook


def attached_in(attachments: Any) -> dict[str, Attached]:
    """Return the pictures among a cell's attachments, which may be anything, by name."""
    found: dict[str, Attached] = {}
    for name, content in islice(_mapping(attachments).items(), MAX_ATTACHED):
        kind, data = next(iter(_mapping(content).items()), ("", None))
        if isinstance(text := _joined(data), str):
            found[name] = {kind: text}
    return found


def attachment_name(data: str) -> str:
    """Return the name that a picture in base64 has by its content: the same wherever it stands."""
    return hashlib.sha256(data.encode()).hexdigest()[:16]


def _joined(text: Any) -> Any:
    """Return a text that a notebook file may hold as a list of lines; anything else as it is."""
    is_lines = isinstance(text, list) and all(isinstance(line, str) for line in text)
    return "".join(text) if is_lines else text


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class NbgraderMetadata(_Frozen):
    grade_id: str = ""
    grade: bool = False
    solution: bool = False
    locked: bool = False
    points: float = 0


class Cell(_Frozen):
    cell_type: Literal["code", "markdown", "raw"] = "code"
    source: Annotated[
        str,
        BeforeValidator(_joined),
        Field(max_length=MAX_TEXT),
        AfterValidator(lambda text: text.replace("\r\n", "\n").replace("\r", "\n")),
    ] = ""
    id: Annotated[str, BeforeValidator(lambda name: name if isinstance(name, str) else "")] = ""
    metadata: Annotated[dict[str, Any], BeforeValidator(_mapping)] = Field(default_factory=dict)
    pictures: Annotated[tuple[Picture, ...], BeforeValidator(pictures_in)] = Field(
        default=(), validation_alias="outputs"
    )

    attachments: Annotated[dict[str, Attached], BeforeValidator(attached_in)] = Field(
        default_factory=dict
    )

    @model_validator(mode="before")
    @classmethod
    def _attach_data(cls, content: Any) -> Any:
        """Attach the pictures that stand in a text itself, where they make it endless."""
        source = _joined(_mapping(content).get("source"))
        if not isinstance(source, str) or content.get("cell_type") != "markdown":
            return content
        found: dict[str, Attached] = {}

        def name(match: re.Match[str]) -> str:
            found[attachment_name(match[2])] = {match[1]: match[2]}
            return f"attachment:{attachment_name(match[2])}"

        text = _DATA.sub(name, source)
        return content | {
            "source": text,
            "attachments": found | _mapping(content.get("attachments")),
        }

    @cached_property
    def nbgrader(self) -> NbgraderMetadata:
        """nbgrader's metadata of the cell; defaults if it is missing or invalid.

        A copy takes it along: a cell with other metadata must be made anew.
        """
        try:
            return NbgraderMetadata.model_validate(self.metadata.get("nbgrader", {}))
        except ValidationError:
            return NbgraderMetadata()

    @property
    def grade_id(self) -> str:
        """nbgrader's name for the cell, or an empty string."""
        return self.nbgrader.grade_id

    @property
    def role(self) -> CellRole:
        mark = self.nbgrader
        if not mark.grade_id:
            return CellRole.FREE
        if mark.solution:
            return CellRole.WRITTEN if mark.grade else CellRole.SOLUTION
        if mark.grade:
            return CellRole.TEST
        return CellRole.SETUP if self.cell_type == "code" else CellRole.FREE

    @property
    def content(self) -> dict[str, Any]:
        """The cell as in a notebook file; of its outputs, the pictures alone."""
        content = self.model_dump(exclude={"pictures", "attachments"})
        if self.attachments:
            content["attachments"] = self.attachments
        if self.cell_type == "code":
            pictures = [
                {"output_type": "display_data", "data": {kind: data}, "metadata": {}}
                for kind, data in self.pictures
            ]
            content |= {"outputs": pictures, "execution_count": None}
        return content


class Notebook(_Frozen):
    nbformat: Literal[4]
    cells: Annotated[tuple[Cell, ...], Field(max_length=MAX_CELLS)]


def read_notebook(raw: bytes) -> Notebook:
    """Read a notebook file; raise `SubmissionError`, a sentence for its author, if it is none."""
    if not raw.strip():
        raise SubmissionError("The file is empty: save the notebook and hand it in again.")
    _check_size(raw)
    content = _parse(raw)
    if content.get("nbformat") == 3:
        content = _upgraded(content)
    try:
        notebook = Notebook.model_validate(content)
    except ValidationError as error:
        raise SubmissionError(f"The notebook {_what_is_invalid(content, error)}") from None
    if sum(len(cell.source) for cell in notebook.cells if cell.cell_type == "code") > MAX_CODE:
        raise SubmissionError(
            f"The notebook holds more than {MAX_CODE:,} characters of code: remove cells that are "
            "not part of your work, or data that was pasted into them."
        )
    return notebook


def _what_is_invalid(content: dict[str, Any], error: ValidationError) -> str:
    place, kind = error.errors()[0]["loc"], error.errors()[0]["type"]
    if content["nbformat"] != 4:
        return "is not in format 4: open it in a current version of Jupyter and save it again."
    if place == ("cells",) and kind == "too_long":
        return f"has more than {MAX_CELLS:,} cells: remove those that you don't need."
    if place[-1:] == ("source",) and kind.endswith("too_long"):
        return (
            f"has a cell of more than {MAX_TEXT:,} characters: split it, or remove data that was "
            "pasted into it."
        )
    cell = next((f"cell {part + 1}" for part in place if isinstance(part, int)), "")
    where = cell or ".".join(map(str, place))
    return f"is damaged in {where}: open it in Jupyter and save it again."


def _parse(raw: bytes) -> dict[str, Any]:
    try:
        content = json.loads(raw.decode(_encoding(raw)))
        if b"\\ud" in raw.lower():  # perhaps a lone surrogate, which can't be written to a file
            text = json.dumps(content, ensure_ascii=False)
            content = json.loads(text.encode(errors="replace"))
    except (ValueError, RecursionError) as error:
        raise SubmissionError(_what_is_wrong(raw, error)) from None
    if not isinstance(content, dict) or "nbformat" not in content:
        raise SubmissionError(
            "The file is JSON but not a notebook: hand in the .ipynb file itself."
        )
    return content


def _encoding(raw: bytes) -> str:
    """Return how a text is encoded: Windows' Notepad saves UTF-16, with a mark or without one."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    return "utf-16-le" if raw[1:2] == b"\0" else "utf-8-sig"


def _what_is_wrong(raw: bytes, error: Exception) -> str:
    """Say what a file is that can't be read as JSON, or what happened to it."""
    head = raw[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")
    for begins, kind in _OTHER_KINDS.items():
        if head.lower().startswith(begins):
            return f"The file isn't a notebook but {kind}: hand in the .ipynb file itself."
    if b"\n<<<<<<< " in raw and b"\n>>>>>>> " in raw:
        return (
            "The notebook holds git's conflict markers: decide between the two versions, save it "
            "in Jupyter, and hand it in again."
        )
    if not (head.startswith(b"{") and b'"cells"' in head):
        return "The file isn't a notebook (invalid JSON): hand in the .ipynb file itself."
    if isinstance(error, UnicodeDecodeError):
        return "The notebook is not in UTF-8: save it in Jupyter, and hand it in again."
    if not isinstance(error, json.JSONDecodeError):
        return "The notebook is damaged: go back to a version that Jupyter opens, and hand it in."
    if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string"):
        return "The notebook breaks off before its end: save it, and hand in the whole file."
    return (
        f"The notebook is damaged in line {error.lineno:,} of its file: go back to a version that "
        "Jupyter opens, and hand it in."
    )


def _upgraded(content: dict[str, Any]) -> dict[str, Any]:
    """Convert a notebook of format 3, which Jupyter wrote before 2015, to format 4.

    Of outputs, pictures are kept. (nbformat would check each output against a schema first, which
    takes minutes for a file that somebody filled with them.)
    """
    try:
        old = [cell for sheet in content["worksheets"] for cell in sheet["cells"]]
        return {"nbformat": 4, "cells": [_upgraded_cell(cell) for cell in old[: MAX_CELLS + 1]]}
    except (LookupError, TypeError, ValueError, OverflowError, AttributeError):  # however damaged
        raise SubmissionError(
            "The notebook is in the old format 3 and can't be converted: open it in Jupyter and "
            "save it again."
        ) from None


def _upgraded_cell(old: dict[str, Any]) -> dict[str, Any]:
    kind, source = old["cell_type"], _joined(old.get("source", ""))
    metadata = old.get("metadata", {})
    if kind == "code":
        outputs = [_upgraded_output(each) for each in old.get("outputs", ())[:MAX_OUTPUTS]]
        code = old.get("input", "")
        return {"cell_type": kind, "source": code, "metadata": metadata, "outputs": outputs}
    if kind == "heading" and isinstance(source, str):
        source = f"{'#' * max(1, min(6, int(old.get('level', 1))))} {source}"
    kind = "raw" if kind == "raw" else "markdown"
    return {"cell_type": kind, "source": source, "metadata": metadata}


def _upgraded_output(old: dict[str, Any]) -> dict[str, Any]:
    return {"data": {f"image/{kind}": old[kind] for kind in ("png", "jpeg") if kind in old}}
