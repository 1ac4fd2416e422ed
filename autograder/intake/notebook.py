"""Read an untrusted notebook file into cells; keep only the parts of it that are needed.

Releases and submissions are read by the same code. Outputs are dropped, apart from pictures: the
outputs in a submission have no effect on grading.
"""

from __future__ import annotations

import json
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
)

from autograder.errors import SubmissionError
from autograder.intake.files import open_named, open_regular
from autograder.intake.pictures import Picture, joined, pictures_in
from autograder.sandbox.limits import MAX_TEXT

MAX_BYTES = 20 << 20  # of a notebook file
MAX_CELLS = 1000
MAX_CODE = 1_000_000  # characters of all code cells together: they are parsed, which takes memory


class CellRole(StrEnum):
    """The role of a cell in an assignment."""

    SETUP = "setup"  # given code that solutions build on: locked, and run by the grader
    SOLUTION = "solution"  # code that a student writes
    TEST = "test"  # the visible checks of an exercise; the hidden tests decide its points
    WRITTEN = "written"  # an answer in prose that a person grades
    FREE = "free"  # everything else: prose, plots, experiments, a student's own cells


ANSWERED = (CellRole.SOLUTION, CellRole.WRITTEN)  # the cells that a student fills in


def _unix(source: str) -> str:
    """Convert Windows and old Mac line endings."""
    return source.replace("\r\n", "\n").replace("\r", "\n")


def _mapping(value: Any) -> Any:
    return value if isinstance(value, dict) else {}


Source = Annotated[str, BeforeValidator(joined), Field(max_length=MAX_TEXT), AfterValidator(_unix)]


class NbgraderMetadata(BaseModel):
    """nbgrader's metadata of a cell; missing fields have defaults."""

    model_config = ConfigDict(frozen=True)

    grade_id: str = ""
    grade: bool = False
    solution: bool = False
    locked: bool = False
    points: float = 0


class Cell(BaseModel):
    """One cell: its type, source and metadata."""

    model_config = ConfigDict(frozen=True)

    cell_type: Literal["code", "markdown", "raw"] = "code"
    source: Source = ""
    id: str = ""
    metadata: Annotated[dict[str, Any], BeforeValidator(_mapping)] = Field(default_factory=dict)
    pictures: Annotated[tuple[Picture, ...], BeforeValidator(pictures_in)] = Field(
        default=(), validation_alias="outputs"
    )

    @cached_property
    def nbgrader(self) -> NbgraderMetadata:
        """nbgrader's metadata of the cell; defaults if it is missing or invalid.

        A copy takes it along: what gets other metadata is made anew.
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
        """The role of the cell, according to nbgrader's metadata."""
        mark = self.nbgrader
        if not mark.grade_id:
            return CellRole.FREE
        if mark.solution:
            return CellRole.WRITTEN if mark.grade else CellRole.SOLUTION
        if mark.grade:
            return CellRole.TEST
        return CellRole.SETUP if self.cell_type == "code" else CellRole.FREE


class Notebook(BaseModel):
    """The cells of a notebook."""

    model_config = ConfigDict(frozen=True)

    nbformat: Literal[4]
    cells: Annotated[tuple[Cell, ...], Field(max_length=MAX_CELLS)]


def read_file(path: Path, below: Path | None = None) -> bytes:
    """Return the bytes of a notebook file, which must be an ordinary one.

    If `below` is given, neither the file nor a folder between them may be a link: it could lead to
    what isn't the student's. Raises `SubmissionError` for links, for what is no ordinary file and
    for more than `MAX_BYTES`, OSError if the file can't be read.
    """
    with open_regular(path, below) if below else open_named(path) as file:
        raw = file.read(MAX_BYTES + 1)
    _check_size(raw)
    return raw


def read_submitted(path: Path) -> bytes:
    """Return the bytes of `…/<student>/<assignment>/<notebook>`, as `read_file` without links."""
    return read_file(path, below=path.parents[2])


def read(raw: bytes) -> Notebook:
    """Read the bytes of a notebook file.

    Raises `SubmissionError`, with a sentence for its author, if it is not a valid notebook.
    """
    if not raw.strip():
        raise SubmissionError("The file is empty: save the notebook and hand it in again.")
    _check_size(raw)
    content = _parse(raw)
    if content.get("nbformat") == 3:
        content = _upgraded(content)
    try:
        notebook = Notebook.model_validate(content)
    except ValidationError as error:
        raise SubmissionError(_reason(content, error)) from None
    if sum(len(cell.source) for cell in notebook.cells if cell.cell_type == "code") > MAX_CODE:
        raise SubmissionError(
            f"The notebook holds more than {MAX_CODE:,} characters of code: remove cells that are "
            "not part of your work, or data that was pasted into them."
        )
    return notebook


def _check_size(raw: bytes) -> None:
    if len(raw) > MAX_BYTES:
        raise SubmissionError(
            f"The file is larger than {MAX_BYTES >> 20} MB: clear its outputs and save it again."
        )


def _parse(raw: bytes) -> dict[str, Any]:
    try:
        content = json.loads(raw.decode("utf-8-sig"))
        if b"\\ud" in raw.lower():  # perhaps a lone surrogate, which can't be written to a file
            text = json.dumps(content, ensure_ascii=False)
            content = json.loads(text.encode(errors="replace"))
    except (ValueError, RecursionError):
        raise SubmissionError(
            "The file isn't a notebook (invalid JSON): hand in the .ipynb file itself."
        ) from None
    if not isinstance(content, dict) or "nbformat" not in content:
        raise SubmissionError(
            "The file is JSON but not a notebook: hand in the .ipynb file itself."
        )
    return content


def _upgraded(content: dict[str, Any]) -> dict[str, Any]:
    """Convert a notebook of format 3, which Jupyter wrote before 2015, to format 4."""
    from nbformat import v3, v4  # here: only old files need it, and it is slow to import

    try:
        old = v3.reads_json(json.dumps(content))  # type: ignore[no-untyped-call]
        return dict(v4.upgrade(old))  # type: ignore[no-untyped-call]
    except Exception as error:  # an old file can be damaged in any way
        raise SubmissionError(
            "The notebook is in the old format 3 and can't be converted: open it in Jupyter and "
            "save it again."
        ) from error


def _reason(content: dict[str, Any], error: ValidationError) -> str:
    if content.get("nbformat") != 4:
        return (
            "The notebook is not in format 4: open it in a current version of Jupyter and save it "
            "again."
        )
    place = ".".join(str(part) for part in error.errors()[0]["loc"])
    return f"The notebook is damaged at {place}: open it in Jupyter and save it again."
