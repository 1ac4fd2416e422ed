"""How our pages look: their style, what renders their templates, and in which edition."""

import base64
import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autograder.course.loading import files_below, hash_of, hash_of_files
from autograder.errors import in_digits, shown
from autograder.telling.pages.safe_html import comment2html, markdown2html
from autograder.telling.text import as_html

TEMPLATES = Path(__file__).parent / "templates"
ROOM = Path(__file__).resolve().parents[1]  # all code that makes a page of what is told
_LIBRARIES = (
    *("jinja2", "latex2mathml", "markupsafe", "mistune"),
    *("nbconvert", "nh3", "pillow", "pygments"),
)


@cache
def style_of(*more: str | Path) -> str:
    """Return the style of all pages, the files `more`, and the colours of code.

    A name is that of a file beside our templates.
    """
    from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]

    files = "".join((TEMPLATES / name).read_text("utf-8") for name in ("page.css", *more))
    light, dark = (
        HtmlFormatter(style=style).get_style_defs(".highlight")
        for style in ("xcode", "github-dark")
    )
    return f"{files}{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"


def environment(templates: Path = TEMPLATES, *, trims: bool = True) -> Environment:
    """Return what renders `templates`, escaped; it `trims` lines that hold nothing but a tag."""
    made = Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=trims,
        lstrip_blocks=trims,
    )
    made.filters["telling"] = lambda text: Markup(as_html(text))  # noqa: S704 - escaped
    made.filters["markdown"] = markdown2html
    made.filters["comment"] = comment2html
    made.filters["shown"] = shown
    made.filters["number"] = in_digits
    made.filters["percent"] = lambda share: f"{100 * share:.0f}%"
    made.filters["signed"] = lambda value: f"{value:+.2f}".replace("-", "−")
    return made


_pages = cache(environment)


def rendered(template: str, *css: str, **said: object) -> str:
    """Return a page with its style in it, whose policy allows that style by its hash and no other.

    The policy has it as `style-src 'sha256-…'`. `css` are files beside the template.
    """
    style = style_of(*css)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return _pages().get_template(template).render(said, style=style, style_hash=digest)


@cache  # within a process, the engine doesn't change: it has been imported
def edition() -> str:
    """Return the hash of the code, templates and libraries that make pages of what is told."""
    versions = repr([(name, version(name)) for name in _LIBRARIES])
    return hash_of([versions.encode(), hash_of_files(ROOM, files_below(ROOM)).encode()])
