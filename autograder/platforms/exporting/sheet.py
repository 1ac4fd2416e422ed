"""A CSV file of a platform's own, in which single cells are filled and every other byte stays."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course.cells import FORMULA
from autograder.errors import CourseError, shown

MAX_BYTES = 50 << 20
_DELIMITERS = ",;\t"
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")


@dataclass
class Sheet:
    """The cells of a file as they are written there, quotation marks included."""

    encoding: str
    delimiter: str
    rows: list[list[str]] = field(default_factory=list)
    line_ends: list[str] = field(default_factory=list)
    bom: str = ""

    @classmethod
    def read(cls, path: Path) -> Sheet:
        """Read a file; raise `CourseError` if it can't be a table."""
        if path.stat().st_size > MAX_BYTES:
            raise CourseError(f"{path} is larger than any gradebook: name another file.")
        return cls.parse(path.read_bytes(), path.name)

    @classmethod
    def parse(cls, raw: bytes, name: str = "The file") -> Sheet:
        """Return the table that `raw` holds; raise `CourseError` if it holds none."""
        encoding, text = _decoded(raw, name)
        bom = text[:1] if text.startswith("\ufeff") else ""
        text = text.removeprefix(bom)
        if not text.strip():
            raise CourseError(f"{name} is empty: download it again.")
        sheet = cls(encoding, _delimiter_of(text), bom=bom)
        sheet._split(text, name)
        return sheet

    def _split(self, text: str, name: str) -> None:
        """Split `text` into cells and line ends, which joined are `text` again."""
        end = rf"{self.delimiter}|\r\n|\n|\r|\Z"
        plain = rf"[^{self.delimiter}\r\n]*+"
        cell = re.compile(rf'((?:"(?:[^"]++|"")*+"(?!")|(?!")){plain})({end})')
        row: list[str] = []
        position = 0
        while position < len(text) or row:
            found = cell.match(text, position)
            if found is None:
                line = len(self.rows) + 1
                raise CourseError(f"{name}, row {line}: a quotation mark is never closed.")
            row.append(found[1])
            position = found.end()
            if found[2] != self.delimiter:
                self.rows.append(row)
                self.line_ends.append(found[2])
                row = []

    def to_bytes(self) -> bytes:
        """Return the file; without a change, the very bytes that were read."""
        lines = zip(self.rows, self.line_ends, strict=True)
        text = "".join(self.delimiter.join(row) + end for row, end in lines)
        return (self.bom + text).encode(self.encoding, "replace")

    def value(self, row: int, column: int) -> str:
        """Return the text of a cell; a cell that isn't there is empty."""
        cells = self.rows[row]
        raw = cells[column] if column < len(cells) else ""
        is_quoted = len(raw) > 1 and raw[0] == raw[-1] == '"'
        return raw[1:-1].replace('""', '"') if is_quoted else raw

    def values(self, row: int) -> list[str]:
        """Return the texts of a row."""
        return [self.value(row, column) for column in range(len(self.rows[row]))]

    def put(self, row: int, column: int, text: str) -> None:
        """Put `text` into a cell, quoted if the cell was or if the text needs it."""
        cells = self.rows[row]
        cells.extend([""] * (column + 1 - len(cells)))
        text = harmless(text)
        needs_quotes = any(c in text for c in (self.delimiter, '"', "\r", "\n"))
        if needs_quotes or cells[column].startswith('"'):
            text = '"' + text.replace('"', '""') + '"'
        cells[column] = text


def harmless(text: str) -> str:
    """Return `text` so that no spreadsheet takes it for a formula."""
    if _NUMBER.fullmatch(text) or not text.lstrip(" ").startswith(FORMULA):
        return text
    return f"'{text}"


def as_number(points: float) -> str:
    """Return points as they are written in a cell."""
    return f"{round(points, 4) + 0:.4f}".rstrip("0").rstrip(".")


def number_in(text: str) -> float | None:
    """Return the number in a cell, with a decimal point or comma; None if there is none."""
    text = text.strip()
    return float(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None


def written(header: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    """Return a new CSV file."""
    sheet = Sheet("utf-8", ",")
    for number, texts in enumerate([header, *rows]):
        sheet.rows.append([])
        sheet.line_ends.append("\r\n")
        for column, text in enumerate(texts):
            sheet.put(number, column, shown(text))
    return sheet.to_bytes()


def save(raw: bytes, path: Path, source: Path | None = None) -> None:
    """Write a file, all of it or nothing, but never over the `source` that it was made from."""
    if source and path.exists() and path.samefile(source):
        raise CourseError(f"{path} is the file to fill, which stays as it is: name another --out.")
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.fresh")
    fresh.write_bytes(raw)
    fresh.replace(path)


def _decoded(raw: bytes, name: str) -> tuple[str, str]:
    """Return the encoding of `raw` and its text, which encoded is `raw` again."""
    encodings = ["utf-8", "cp1252"]  # the latter is what Excel makes of it
    if raw.startswith(codecs.BOM_UTF16_LE):
        encodings = ["utf-16-le"]
    elif raw.startswith(codecs.BOM_UTF16_BE):
        encodings = ["utf-16-be"]
    for encoding in encodings:
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return encoding, text
    raise CourseError(f"{name} can't be read as CSV: download it again, and don't convert it.")


def _delimiter_of(text: str) -> str:
    """Return what divides the cells of the first line."""
    first = re.sub(r'"[^"]*"', "", text.lstrip("\r\n").splitlines()[0])
    return max(_DELIMITERS, key=first.count)
