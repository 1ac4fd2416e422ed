"""Escape text so that it looks the same in markdown or HTML."""

from __future__ import annotations

import html
import re

_CODE_SPAN = re.compile(r"(`[^`\n]+`)")
_STRESS = re.compile(r"(?<![\w*])\*([A-Za-z][\w ,-]{0,60})\*(?![\w*])")
_MARKDOWN = re.compile(r"[`*_\[\]<>$~]|(?<=:)/")  # the slash, because URLs become links


def as_markdown(text: str) -> str:
    """Return markdown that renders as `text`; text between backticks becomes code."""
    return "".join(
        part if _CODE_SPAN.fullmatch(part) else _escaped(part) for part in _CODE_SPAN.split(text)
    )


def _escaped(text: str) -> str:
    # An entity, not `\\`: before a bracket, nbconvert takes that for the start of a formula.
    text = text.replace("&", "&amp;").replace("\\", "&bsol;")
    return _MARKDOWN.sub(r"\\\g<0>", text)


def as_html(text: str) -> str:
    """Return HTML that renders as `text`, with `this` as code and *this* stressed."""
    return "".join(
        f"<code>{part[1:-1]}</code>"
        if _CODE_SPAN.fullmatch(part)
        else _STRESS.sub(r"<em>\1</em>", part)
        for part in _CODE_SPAN.split(html.escape(text))
    )
