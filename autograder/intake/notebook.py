"""Read a notebook file, whatever it is, into cells; never believe more of it than is needed.

A release and a submission are read by the same code. Outputs are dropped on the way in: what a
submission claims to have printed has no say.
"""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from autograder.errors import SubmissionError
from autograder.sandbox.limits import MAX_TEXT

MAX_BYTES = 20 << 20
MAX_CELLS = 1000


class CellRole(StrEnum):
    """The part that a cell plays in an assignment."""

    SETUP = "setup"  # given code that solutions build on: locked, and run by the grader
    SOLUTION = "solution"  # code that a student writes
    TEST = "test"  # the visible checks of an exercise; its points are decided elsewhere
    WRITTEN = "written"  # an answer in prose that a person grades
    FREE = "free"  # everything else: prose, plots, experiments, a student's own cells


ANSWERED = (CellRole.SOLUTION, CellRole.WRITTEN)  # what a student fills in


def _joined(source: Any) -> Any:
    return "".join(source) if isinstance(source, list) and all(map(_is_text, source)) else source


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _unix(source: str) -> str:
    return source.replace("\r\n", "\n").replace("\r", "\n")


def _mapping(value: Any) -> Any:
    return value if isinstance(value, dict) else {}


Source = Annotated[str, BeforeValidator(_joined), Field(max_length=MAX_TEXT)]


class NbgraderMetadata(BaseModel):
    """nbgrader's mark on a cell; what is missing or odd in it counts as not said."""

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

    def model_post_init(self, context: Any) -> None:
        """Read Windows line ends as line ends."""
        object.__setattr__(self, "source", _unix(self.source))

    @property
    def nbgrader(self) -> NbgraderMetadata:
        """nbgrader's mark on the cell, an empty one if there is none that can be read."""
        try:
            return NbgraderMetadata.model_validate(self.metadata.get("nbgrader", {}))
        except ValidationError:
            return NbgraderMetadata()

    @property
    def grade_id(self) -> str:
        """nbgrader's name for the cell, or nothing."""
        return self.nbgrader.grade_id

    @property
    def role(self) -> CellRole:
        """The part that the cell plays, by nbgrader's mark on it."""
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


def read_file(path: Path) -> bytes:
    """Return the bytes of a notebook file, and no more of them than a notebook may have.

    Raises `SubmissionError` if the file is larger, or OSError if it can't be read.
    """
    with path.open("rb") as file:
        raw = file.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise SubmissionError(
            f"The file has more than {MAX_BYTES >> 20} MB: clear its outputs and save it again."
        )
    return raw


def read(raw: bytes) -> Notebook:
    """Read the bytes of a notebook file.

    Raises `SubmissionError` with a sentence for its author if they are no notebook of format 4.
    """
    if not raw.strip():
        raise SubmissionError("The file is empty: save the notebook and hand it in again.")
    if len(raw) > MAX_BYTES:
        raise SubmissionError(
            f"The file has {len(raw) >> 20} MB, more than {MAX_BYTES >> 20}: clear its outputs."
        )
    content = _parse(raw)
    if content.get("nbformat") == 3:
        content = _upgraded(content)
    try:
        return Notebook.model_validate(content)
    except ValidationError as error:
        raise SubmissionError(_what_is_wrong(content, error)) from None


def _parse(raw: bytes) -> dict[str, Any]:
    try:
        content = json.loads(raw.decode("utf-8-sig"))
        if b"\\ud" in raw.lower():  # maybe half of a pair, which no file can hold
            text = json.dumps(content, ensure_ascii=False)
            content = json.loads(text.encode(errors="replace"))
    except (ValueError, RecursionError):
        raise SubmissionError(
            "The file isn't a notebook (no valid JSON): hand in the .ipynb file itself."
        ) from None
    if not isinstance(content, dict) or "nbformat" not in content:
        raise SubmissionError("The file is JSON but no notebook: hand in the .ipynb file itself.")
    return content


def _upgraded(content: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook of format 3, as Jupyter wrote before 2015, in format 4."""
    from nbformat import v3, v4  # here: only such old files need it, and it takes long to import

    try:
        old = v3.reads_json(json.dumps(content))  # type: ignore[no-untyped-call]
        return dict(v4.upgrade(old))  # type: ignore[no-untyped-call]
    except Exception as error:  # an old file can be broken in any way
        raise SubmissionError(
            "The notebook is in the old format 3 and can't be converted: open it in Jupyter and "
            "save it again."
        ) from error


def _what_is_wrong(content: dict[str, Any], error: ValidationError) -> str:
    if content.get("nbformat") != 4:
        return "The notebook's format isn't 4: open it in a current Jupyter and save it again."
    place = ".".join(str(part) for part in error.errors()[0]["loc"])
    return f"The notebook is damaged at {place}: open it in Jupyter and save it again."
