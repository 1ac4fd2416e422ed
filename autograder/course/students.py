"""Student ids: what can be one.

An id is the name of a folder, a key of the gradebook, a cell of tables that spreadsheets open, and
a word on a terminal. It is checked where it enters, and nowhere else.
"""

from __future__ import annotations

import re
import unicodedata

from autograder.course.cells import FORMULA
from autograder.errors import CourseError, shown

MAX_ID = 80  # characters
_SEPARATORS, _PATTERNS = "/\\", "*?["
# What Unicode lets a font show as nothing, though Python calls it printable.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]|[\U000e0100-\U000e01ef]"
)


def student_id_of(text: str) -> str:
    """Return `text` as a student id; raise `CourseError` if it can't be one."""
    student = unicodedata.normalize("NFC", text).strip()
    if problem := problem_with(student):
        raise CourseError(f"'{shown(text[:MAX_ID])}' can't be a student id: {problem}.")
    return student


def problem_with(text: str) -> str:
    """Say why `text`, as it stands, can't be a student id; nothing if it can."""
    if not text or text != text.strip():
        return "it begins or ends with a blank" if text else "it is empty"
    if len(text) > MAX_ID:
        return f"it has more than {MAX_ID} characters"
    if unseen := next((c for c in text if not c.isprintable() or _UNSEEN.match(c)), ""):
        return f"it contains U+{ord(unseen):04X}, which nobody can see"
    if odd := next((c for c in text if c in _SEPARATORS + _PATTERNS), ""):
        means = "separates folders" if odd in _SEPARATORS else "nbgrader takes for a pattern"
        return f"it contains {odd}, which {means}"
    if text[0] in FORMULA:
        return f"it begins with {text[0]}, which a spreadsheet takes for a formula"
    if text[0] == ".":
        return "it begins with a dot, as hidden folders do"
    if (composed := unicodedata.normalize("NFC", text)) != text:
        return f"its accents are characters of their own, unlike those of '{composed}' (NFC)"
    return ""
