"""Text as markdown or HTML that reads just as the text does."""

from __future__ import annotations

import html
import re

_CODE_SPAN = re.compile(r"(`[^`\n]+`)")
_MARKDOWN = re.compile(r"[`*_\[\]<>$~]|(?<=:)/")  # the slash makes links of addresses


def as_markdown(text: str) -> str:
    """Return markdown that reads as `text` does; what stands between backticks is code."""
    return "".join(
        part if _CODE_SPAN.fullmatch(part) else _escaped(part) for part in _CODE_SPAN.split(text)
    )


def _escaped(text: str) -> str:
    # Not `\\` for a backslash: before a bracket nbconvert takes that for the start of a formula.
    text = text.replace("&", "&amp;").replace("\\", "&bsol;")
    return _MARKDOWN.sub(r"\\\g<0>", text)


def as_html(text: str) -> str:
    """Return HTML that reads as `text` does; what stands between backticks is code."""
    return _CODE_SPAN.sub(lambda span: f"<code>{span[0][1:-1]}</code>", html.escape(text))
