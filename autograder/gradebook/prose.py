"""Text of students' in pages that others open: shown as it was written, never run."""

from __future__ import annotations

import html
import re

import nh3
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments.token import STANDARD_TYPES  # type: ignore[import-untyped]

_CODE_SPAN = re.compile(r"(`[^`\n]+`)")
_MARKDOWN = re.compile(r"[`*_\[\]<>$~]|(?<=:)/")  # the slash makes links of addresses
# A class or an id of a student's could look like nbgrader's own: a heading with a score, say.
_CLASSES = {"div": {"highlight"}, "span": {name for name in STANDARD_TYPES.values() if name}}


def markdown2html(source: str) -> str:
    """Render markdown, math included, without anything in it that a browser would run.

    Stands in for nbconvert's filter of that name, which lets a `<script>` through.
    """
    renderer = IPythonRenderer(escape=False, exclude_anchor_links=True)
    return nh3.clean(MarkdownWithMath(renderer=renderer).render(source), allowed_classes=_CLASSES)


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
