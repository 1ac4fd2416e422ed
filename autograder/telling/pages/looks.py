"""How our pages look: their style, and what renders their templates."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from autograder.telling.escaping import as_html

TEMPLATES = Path(__file__).parent / "templates"


@cache
def style_of(*more: str) -> str:
    """Return the style of all pages, with the colours of code, and behind it the files `more`."""
    files = ("page.css", *more)
    return "".join((TEMPLATES / name).read_text("utf-8") for name in files) + _colours()


def environment(templates: Path = TEMPLATES, *, trims: bool = False) -> Environment:
    """Return what renders `templates`; all text is escaped.

    If it `trims`, lines that hold nothing but a tag of the template leave nothing behind.
    """
    made = Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=trims,
        lstrip_blocks=trims,
    )
    made.filters["telling"] = lambda text: Markup(as_html(text))  # noqa: S704 - escaped
    return made


@cache
def instructors() -> Environment:
    """Return what renders the instructor's pages."""
    made = environment(trims=True)
    made.filters["percent"] = lambda share: f"{100 * share:.0f}%"
    made.filters["signed"] = lambda value: f"{value:+.2f}".replace("-", "−")
    return made


def rendered(template: Template, style: str, **said: object) -> str:
    """Return a page with its style in it, whose policy allows that style by its hash and no other.

    The policy has it as `style-src 'sha256-…'`.
    """
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return template.render(said, style=style, style_hash=digest)


def _colours() -> str:
    """Return the colours of code, for a light page and for a dark one."""
    from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]

    light, dark = (
        HtmlFormatter(style=style).get_style_defs(".highlight")
        for style in ("xcode", "github-dark")
    )
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
