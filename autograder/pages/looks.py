"""How our pages look, and the hash by which a page's policy knows its own style."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path

TEMPLATES = Path(__file__).parent / "templates"


@cache
def style_of(*more: str) -> str:
    """Return the style of all pages, with the colours of code, and behind it the files `more`."""
    files = ("page.css", *more)
    return "".join((TEMPLATES / name).read_text("utf-8") for name in files) + _colours()


def hash_of(style: str) -> str:
    """Return what stands in a page's policy as `style-src 'sha256-…'`."""
    return base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()


def _colours() -> str:
    """Return the colours of code, for a light page and for a dark one."""
    from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]

    light, dark = (
        HtmlFormatter(style=style).get_style_defs(".highlight")
        for style in ("xcode", "github-dark")
    )
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
