"""Text as it was written: escaped, cut to a length, and read by no parser."""

from __future__ import annotations

import re

from markupsafe import Markup

MAX_TEXT = 20_000  # characters of one text that are shown
MAX_PAGE = 500_000  # characters of all texts of a page together
NOT_RENDERED = Markup("<p><i>Shown as plain text, since it couldn't be rendered: {}.</i></p>\n")

_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def as_plain(text: str) -> Markup:
    """Return HTML that shows `text` as it is."""
    return Markup("<pre>{}</pre>\n").format(_UNPRINTABLE.sub("�", text))


def cut(text: str, length: int) -> Markup:
    """Return HTML that shows the first `length` characters of `text`, and says how many follow."""
    left = len(text) - length
    said = Markup("<p><i>Cut here: {:,} more characters are in the notebook.</i></p>\n")
    return as_plain(text[:length]) + said.format(left)
