"""Texts in pages that others open: as written, without active content, and bounded in length."""

import json
import re
import secrets
from collections.abc import Callable
from functools import cache, lru_cache, partial
from html import unescape
from typing import Any

import nh3
from latex2mathml.converter import convert
from markupsafe import Markup, escape
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode, v4
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexer import Lexer  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from pygments.token import STANDARD_TYPES  # type: ignore[import-untyped]

from autograder.intake.notebook import OWN
from autograder.telling.pages.pictures import HandedInPictures

MAX_TEXT = 20_000  # characters of one text that are shown
MAX_PAGE = 500_000  # characters of all texts of a page together
MAX_DEPTH = 100  # tags in one another: readers of HTML are slow where there are thousands
NOT_RENDERED = Markup("<p><i>Shown as plain text, since it couldn't be rendered: {}.</i></p>\n")
_CUT = Markup("<p><i>Cut here: {:,} more characters are in the notebook.</i></p>\n")
_CACHE_SIZE = 1024  # most cells are the same for all students

# Pygments has lexers that take for ever on a few characters, and many that are quadratic or worse.
# These stay fast whatever they read: our own tests try what a hostile student would write.
_LEXERS = ("bash", "c", "diff", "json", "pycon", "python", "tex")
_MORE_NAMES = {"ipython": "python", "ipython3": "python"}

# A student's own class or id could imitate nbgrader's elements, such as a heading with a score.
_CLASSES = {"div": {"highlight"}, "span": {name for name in STANDARD_TYPES.values() if name}}
_FORMULA = {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot"} | {
    *("msub", "msup", "msubsup", "munder", "mover", "munderover", "mtable", "mtr", "mtd", "mstyle")
}
_FORMULA_ATTRIBUTES = {
    "math": {"display"},
    "mi": {"mathvariant"},
    "mo": {"stretchy", "fence"},
    "mspace": {"width"},
}
# A browser fetches an image as soon as the page is opened, and tells its server so.
_TAGS = (nh3.ALLOWED_TAGS | _FORMULA) - {"img", "map", "area"}
_ATTRIBUTES = {**nh3.ALLOWED_ATTRIBUTES, **_FORMULA_ATTRIBUTES}
_TAG = re.compile(r"<(/?)(\w+)[^>]*>")  # of cleaned HTML, which has no `>` in an attribute
_EMPTY = ("br", "hr", "wbr", "col", "img")
# Of cleaned HTML, which escapes quotes in attributes.
_IMG = re.compile(r'<img((?: \w+="[^"]*")*)>')
_VALUES = re.compile(r' (\w+)="([^"]*)"')
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def get_ready() -> None:
    """Make what rendering makes the first time, in a fifth of a second: forks have it."""
    texts = (v4.new_markdown_cell("*x*, $x$"), v4.new_code_cell("x = 1"))  # type: ignore[no-untyped-call]
    render_texts(v4.new_notebook(cells=list(texts)))  # type: ignore[no-untyped-call]


def render_texts(
    notebook: NotebookNode, plain: bool = False, pictures: HandedInPictures | None = None
) -> None:
    """Replace each cell's source, and the comment on it, by HTML that shows it.

    What is too long, for itself or for the page, is shown as plain text. Raw cells become markdown.
    `pictures` are shown in what a student wrote.
    """
    renderers = {"code": highlight_code, "markdown": markdown2html, "raw": as_plain}
    room = MAX_PAGE

    def shown(text: str, render: Callable[[str], Markup]) -> Markup:
        nonlocal room
        length = min(len(text), MAX_TEXT, room)
        room -= length
        left = len(text) - length
        return as_plain(text[:length]) + _CUT.format(left) if left else render(text)

    for cell in notebook.cells:
        render = as_plain if plain else renderers[cell.cell_type]
        if pictures and render is markdown2html and is_theirs(cell):
            render = partial(with_pictures, pictures)
        cell.source = shown(cell.source, render)
        if cell.cell_type == "raw":
            cell.cell_type = "markdown"
        mark = cell.metadata.get("nbgrader", {})
        if mark.get("comment"):
            mark["comment"] = shown(mark["comment"], as_plain if plain else markdown2html)


def is_theirs(cell: NotebookNode) -> bool:
    """Tell whether a student wrote a cell of a graded notebook, or was to write it."""
    is_answer = cell.metadata.get("nbgrader", {}).get("solution", False)
    return bool(is_answer or cell.get("id", "").startswith(OWN))


def texts_of(notebook: NotebookNode, plain: bool) -> str:
    """Return the same as JSON: the type and the HTML of each cell."""
    render_texts(notebook, plain)
    return json.dumps([(cell.cell_type, cell.source) for cell in notebook.cells])


def as_plain(text: str) -> Markup:
    """Return HTML that shows `text` as it is; no parser reads it."""
    return Markup("<pre>{}</pre>\n").format(_UNPRINTABLE.sub("�", text))


@cache
def lexers() -> dict[str, Lexer]:
    """Return the lexers that are used at all, by each of their names."""
    named = {alias: made for made in map(get_lexer_by_name, _LEXERS) for alias in made.aliases}
    return named | {alias: named[name] for alias, name in _MORE_NAMES.items()}


def highlight_code(source: str, language: str | None = None, metadata: Any = None) -> Markup:
    """Return code as HTML, in place of nbconvert's filter; `metadata` are the student's."""
    return source if isinstance(source, Markup) else _highlighted(source)


@lru_cache(_CACHE_SIZE)
def _highlighted(source: str) -> Markup:
    formatter = HtmlFormatter(cssclass=" highlight hl-python")
    return Markup(highlight(_tidy(source) or " ", lexers()["python"], formatter))  # noqa: S704


def fenced(code: str, language: str) -> str:
    """Return a block of code in a text as HTML; plain if its language isn't one of ours."""
    lexer = lexers().get(language.lower())
    return highlight(_tidy(code), lexer, HtmlFormatter()) if lexer else as_plain(code)


def _tidy(code: str) -> str:
    """Remove white space at the ends of lines: on lines of nothing else, Python's is quadratic."""
    return "\n".join(line.rstrip() for line in code.split("\n"))


def markdown2html(source: str) -> Markup:
    """Render markdown, in place of nbconvert's filter, which lets `<script>` through."""
    return source if isinstance(source, Markup) else _rendered(source)


def comment2html(source: str) -> Markup:
    """Render the markdown that a person wrote to a student: of it, `<table>` says what it says."""
    return _rendered(source, has_tags=False)


@lru_cache(_CACHE_SIZE)
def _rendered(source: str, has_tags: bool = True) -> Markup:
    renderer = _Renderer(escape=not has_tags, exclude_anchor_links=True)
    page = MarkdownWithMath(renderer=renderer).render(source)
    page = nh3.clean(page, tags=_TAGS, attributes=_ATTRIBUTES, allowed_classes=_CLASSES)
    return Markup(page) if _depth(page) <= MAX_DEPTH else as_plain(source)  # noqa: S704


def with_pictures(pictures: HandedInPictures, source: str) -> Markup:
    """Render markdown as `markdown2html`, with the pictures in it that a student handed in.

    The cleaner sees their addresses alone, and gives each a name that nobody can guess.
    """
    mark, addresses = f"picture:{secrets.token_hex(16)}:", list[str]()

    def named(tag: str, attribute: str, value: str) -> str | None:
        if (tag, attribute) != ("img", "src"):
            return value
        addresses.append(value)
        return f"{mark}{len(addresses) - 1}"

    def shown(match: re.Match[str]) -> str:
        values = dict(_VALUES.findall(match[1]))
        words, address = unescape(values.get("alt", "")), values.get("src", "")
        if not address.startswith(mark):  # on the web: a browser would tell its server
            return str(Markup("[image: {}]").format(words))
        return str(pictures.in_text(addresses[int(address.removeprefix(mark))], words))

    renderer = _Renderer(escape=False, exclude_anchor_links=True)
    renderer.shows_pictures = True
    page = MarkdownWithMath(renderer=renderer).render(source)
    page = nh3.clean(
        page,
        tags=_TAGS | {"img"},
        attributes=_ATTRIBUTES | {"img": {"src", "alt"}},
        allowed_classes=_CLASSES,
        url_schemes=nh3.ALLOWED_URL_SCHEMES | {"attachment"},
        attribute_filter=named,
    )
    return Markup(_IMG.sub(shown, page)) if _depth(page) <= MAX_DEPTH else as_plain(source)  # noqa: S704


def _depth(page: str) -> int:
    depth = deepest = 0
    for end, name in _TAG.findall(page):
        if name not in _EMPTY:
            depth += -1 if end else 1
            deepest = max(deepest, depth)
    return deepest


class _Renderer(IPythonRenderer):
    """Renders formulas as MathML, which needs no script, and images as links to them."""

    shows_pictures = False

    def block_code(self, code: str, info: str | None = None) -> str:
        language, *_ = (info or "").split() or [""]
        return fenced(code, language)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        is_ours = not url.startswith(("http:", "https:", "//"))
        if self.shows_pictures and is_ours:
            return f'<img src="{escape(url)}" alt="{escape(text)}">'
        shown = f"[image: {text}]"
        return self.link(shown, url) if url.startswith(("http://", "https://")) else shown

    def inline_math(self, body: str) -> str:
        return _mathml(body, "inline") or super().inline_math(body)

    def block_math(self, body: str) -> str:
        return _mathml(body, "block") or super().block_math(body)

    def latex_environment(self, name: str, body: str) -> str:
        formula = f"\\begin{{{name}}}{body}\\end{{{name}}}"
        return _mathml(formula, "block") or super().latex_environment(name, body)


def _mathml(formula: str, display: str) -> str:
    """Return a formula as MathML, which is sanitised later; an empty string if it is invalid."""
    try:
        return convert(formula, display=display)
    except Exception:  # a student may put anything between dollar signs
        return ""
