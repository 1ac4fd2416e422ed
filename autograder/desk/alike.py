"""Which answers are the same but for layout: those may be graded as one."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.gradebook.tables import answer_hash

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
