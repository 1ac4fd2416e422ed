"""The page that a student gets back: where they stand, what to do next, and their notebook."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from jinja2 import Environment
from markupsafe import Markup

from autograder.telling.pages.looks import environment, rendered, style_of
from autograder.telling.pages.markdown import markdown2html
from autograder.telling.pages.sections import Section, pictures_of
from autograder.telling.plain import SIGNS
from autograder.telling.record import Summary

_HEADING = re.compile(r"<(/?)h([1-4])>")
_FIRST = re.compile(r"\s*<h([12])>.{0,1000}?</h\1>", re.DOTALL)


def page(summary: Summary, sections: Sequence[Section]) -> str:
    """Return the page as HTML; the sources of the cells in `sections` must be HTML already.

    All other text is escaped, and the page's policy allows no script and nothing from elsewhere.
    """
    named = {shown.name for section in sections for shown in section.cells if shown.name}
    return rendered(
        _environment().get_template("student_page.html"),
        style_of(),
        summary=summary,
        sections=sections,
        answered=named,
        signs=SIGNS,
    )


@cache
def _environment() -> Environment:
    made = environment()
    made.filters["markdown"] = markdown2html
    made.filters["below"] = _below
    made.globals["pictures"] = pictures_of
    return made


def _below(html: Markup, title: str) -> Markup:
    """Return prose with its headings below the section's, and without that if it has a `title`."""
    rest = _FIRST.sub("", html, count=1) if title else html
    return Markup(_HEADING.sub(lambda tag: f"<{tag[1]}h{max(4, int(tag[2]) + 1)}>", rest))  # noqa: S704
