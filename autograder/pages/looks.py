"""How our pages look, and the hash by which a page's policy knows its own style."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autograder.gradebook.escaping import as_html

TEMPLATES = Path(__file__).parent / "templates"


@cache
def style_of(*more: str) -> str:
    """Return the style of all pages, with the colours of code, and behind it the files `more`."""
    files = ("page.css", *more)
    return "".join((TEMPLATES / name).read_text("utf-8") for name in files) + _colours()


@cache
def environment() -> Environment:
    """Return what renders the instructor's pages; all text is escaped."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["telling"] = lambda text: Markup(as_html(text))  # noqa: S704 - escaped
    made.filters["percent"] = lambda share: f"{100 * share:.0f}%"
    made.filters["signed"] = lambda value: f"{value:+.2f}".replace("-", "−")
    return made


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
