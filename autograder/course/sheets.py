"""Tables as CSV files: read whatever program saved them, filled cell by cell, or written anew.

What stands in them comes from platforms, and in the end from students, and people open them in a
spreadsheet: no cell that we write is a formula there, nor what such a program makes of one that
takes other separators than ours, as some do in other countries.
"""

import codecs
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from autograder.errors import CourseError, in_digits, shown

MAX_BYTES = 50 << 20
_DELIMITERS = ",;\t"
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")
# What begins so, some spreadsheet takes for a formula, and runs it: also in forms of other widths.
SIGNS = "=+-@⁺₊﬩﹢＋﹣－⁼₌﹦＝﹫＠"
_BEGINNING = r"(\A|[,;|\t\r\n])"  # of a cell, whatever separates it
_UNSEEN = r'((?:[^\S\t\r\n]|["\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff])*+)'
_FORMULA = re.compile(rf"{_BEGINNING}{_UNSEEN}(?=[{re.escape(SIGNS)}])")
_ESCAPED = re.compile(rf"{_BEGINNING}'{_UNSEEN}(?=[{re.escape(SIGNS)}])")


@dataclass
class Sheet:
    """The cells of a file as they are written there, quotation marks included."""

    encoding: str = "utf-8"
    delimiter: str = ","
    bom: str = ""
    rows: list[list[str]] = field(default_factory=list)
    line_ends: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> Self:
        if path.stat().st_size > MAX_BYTES:
            raise CourseError(f"{path.name} is larger than {MAX_BYTES >> 20} MB: name a table.")
        return cls.parse(path.read_bytes(), path.name)

    @classmethod
    def parse(cls, raw: bytes, name: str = "The file") -> Self:
        """Return the table that `raw` holds; raise `CourseError` if it holds none."""
        encoding, text = _decoded(raw, name)
        bom = text[:1] if text.startswith("\ufeff") else ""
        text = text.removeprefix(bom)
        if not text.strip():
            raise CourseError(f"{name} is empty: download it again.")
        first = re.sub(r'"[^"]*"', "", text.lstrip("\r\n").splitlines()[0])
        delimiter = max(_DELIMITERS, key=first.count)
        sheet = cls(encoding, delimiter, bom)
        # Cells and line ends, which joined are `text` again.
        end = rf"{delimiter}|\r\n|\n|\r|\Z"
        plain = rf"[^{delimiter}\r\n]*+"
        cell = re.compile(rf'((?:"(?:[^"]++|"")*+"(?!")|(?!")){plain})({end})')
        row: list[str] = []
        position = 0
        while position < len(text) or row:
            found = cell.match(text, position)
            if found is None:
                line = len(sheet.rows) + 1
                raise CourseError(f"{name}, row {line}: a quotation mark is never closed.")
            row.append(found[1])
            position = found.end()
            if found[2] != delimiter:
                sheet.rows.append(row)
                sheet.line_ends.append(found[2])
                row = []
        return sheet

    def to_bytes(self) -> bytes:
        """Return the file; without a change, the very bytes that were read."""
        lines = zip(self.rows, self.line_ends, strict=True)
        text = "".join(self.delimiter.join(row) + end for row, end in lines)
        try:
            return (self.bom + text).encode(self.encoding)
        except UnicodeEncodeError:  # a text that we put in is beyond the file's own encoding
            return f"\ufeff{text}".encode("utf-8", "replace")

    def value(self, row: int, column: int) -> str:
        """Return the text of a cell; a cell that isn't there is empty."""
        cells = self.rows[row]
        raw = cells[column] if column < len(cells) else ""
        is_quoted = len(raw) > 1 and raw[0] == raw[-1] == '"'
        return raw[1:-1].replace('""', '"') if is_quoted else raw

    def values(self, row: int) -> list[str]:
        return [self.value(row, column) for column in range(len(self.rows[row]))]

    def put(self, row: int, column: int, text: str) -> None:
        """Put `text` into a cell, quoted if the cell was or if the text needs it."""
        cells = self.rows[row]
        cells.extend([""] * (column + 1 - len(cells)))
        text = escaped(text)
        # Behind a line break, a program that minds no quotes begins with this cell, and may go on.
        if text.startswith(("+", "-")) and re.search(r"[\r\n]", "".join(cells[:column])):
            text = f"'{text}"
        if cells[column].startswith('"') or {self.delimiter, '"', "\r", "\n"} & set(text):
            text = '"' + text.replace('"', '""') + '"'
        cells[column] = text

    def add_row(self, texts: Sequence[str] = ()) -> int:
        """Add a row of these texts behind all others; return its number."""
        end = (self.line_ends or [""])[0] or "\n"
        if self.line_ends:
            self.line_ends[-1] = self.line_ends[-1] or end
        self.rows.append([])
        self.line_ends.append(end)
        for column, text in enumerate(texts):
            self.put(len(self.rows) - 1, column, text)
        return len(self.rows) - 1


def read_table(path: Path) -> list[dict[str, str]]:
    """Return the rows in a file by column, `unescaped`; raise `CourseError` if it is no table."""
    if not path.stat().st_size:
        return []
    sheet = Sheet.read(path)
    columns, *rows = ([*map(unescaped, sheet.values(n))] for n in range(len(sheet.rows)))
    padding = [""] * len(columns)
    return [dict(zip(columns, row + padding, strict=False)) for row in rows if any(row)]


def table_bytes(columns: Sequence[str], rows: Sequence[Sequence[str | float | None]]) -> bytes:
    """Return a new CSV file; what can't be printed in it is written as an escape."""
    sheet = Sheet()
    for cells in (columns, *rows):
        sheet.add_row([shown(c) if isinstance(c, str) else in_digits(c) for c in cells])
    return sheet.to_bytes()


def is_formula(text: str) -> bool:
    """Tell whether some spreadsheet would take `text`, or a part of it, for a formula."""
    return escaped(text) != text


def escaped(text: str) -> str:
    """Return `text` with an apostrophe before all that a spreadsheet would take for a formula."""
    is_harmless = text == "-" or _NUMBER.fullmatch(text)
    return text if is_harmless else _FORMULA.sub(r"\1'\2", text)


def unescaped(cell: str) -> str:
    """Return the text of a cell, without blanks around it and without those apostrophes."""
    return _ESCAPED.sub(r"\1\2", cell.lstrip()).strip()


def number_in(text: str) -> float | None:
    """Return the number in a cell, with a decimal point or comma; None if there is none."""
    text = text.strip()
    return float(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None


def _decoded(raw: bytes, name: str) -> tuple[str, str]:
    """Return the encoding of `raw` and its text, which encoded is `raw` again."""
    utf_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}.get(raw[:2])
    for encoding in [utf_16] if utf_16 else ["utf-8", "cp1252"]:  # the latter is Excel's
        with suppress(UnicodeDecodeError):
            if "\0" not in (text := raw.decode(encoding)):
                return encoding, text
    raise CourseError(f"{name} can't be read as CSV: save it as CSV in UTF-8.")
