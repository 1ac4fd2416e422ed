"""Templates: what an instructor wrote is rendered here, what a student wrote comes as HTML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from jinja2 import Environment

from autograder.desk.asked import address
from autograder.telling.pages.looks import environment, style_of

_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Page:
    """A template, and what it says."""

    template: str
    said: Mapping[str, object] = field(default_factory=dict)
    status: int = 200

    def html(self, **more: object) -> str:
        """Return the page; everything that isn't HTML already is escaped."""
        return _environment().get_template(self.template).render(**self.said, **more)


@dataclass(frozen=True)
class Redirect:
    """Go there next; from then on, `grader` is who grades, if it says a name."""

    address: str
    grader: str = ""


@cache
def style() -> str:
    """Return the style of all pages: that of feedback, and the desk's own."""
    return style_of() + (_TEMPLATES / "desk.css").read_text("utf-8")


@cache
def script() -> str:
    """Return the script that listens to keys; the pages work without it."""
    return (_TEMPLATES / "desk.js").read_text("utf-8")


@cache
def _environment() -> Environment:
    made = environment(_TEMPLATES)
    made.filters["number"] = lambda value: f"{value:g}"
    made.globals["address"] = address
    return made
