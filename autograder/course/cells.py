"""Cells of the CSV files that we write, people open in a spreadsheet, and we read again.

What stands in them comes from platforms, and in the end from students.
"""

from __future__ import annotations

# What begins so, some spreadsheet takes for a formula, and runs it.
FORMULA = tuple("=+-@\t\r\n＝＋－＠")


def escaped(text: str) -> str:
    """Return `text` with an apostrophe before it if a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def unescaped(cell: str) -> str:
    """Return the text of a cell, without blanks around it and without the apostrophe."""
    text = cell.strip()
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA) else text
