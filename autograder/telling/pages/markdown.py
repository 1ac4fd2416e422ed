"""Students' text in pages that others open: rendered as written, without active content."""

from __future__ import annotations

import re
from functools import lru_cache

import nh3
from latex2mathml.converter import convert
from markupsafe import Markup
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments.token import STANDARD_TYPES  # type: ignore[import-untyped]

from autograder.telling.pages.highlighting import fenced
from autograder.telling.pages.plain import as_plain

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
_EMPTY = ("br", "hr", "wbr", "col")
_MAX_DEPTH = 100  # tags in one another: readers of HTML are slow where there are thousands


def markdown2html(source: str) -> Markup:
    """Render markdown, including formulas, without anything that a browser would run or fetch.

    It replaces nbconvert's filter of the same name, which lets `<script>` through. What is HTML
    already stays as it is.
    """
    return source if isinstance(source, Markup) else _rendered(source)


@lru_cache(1024)  # most cells are the same for all students
def _rendered(source: str) -> Markup:
    renderer = _Renderer(escape=False, exclude_anchor_links=True)
    page = MarkdownWithMath(renderer=renderer).render(source)
    page = nh3.clean(page, tags=_TAGS, attributes=_ATTRIBUTES, allowed_classes=_CLASSES)
    return Markup(page) if _depth(page) <= _MAX_DEPTH else as_plain(source)  # noqa: S704


def _depth(page: str) -> int:
    """Return how many tags are open at once at most."""
    depth = deepest = 0
    for end, name in _TAG.findall(page):
        if name not in _EMPTY:
            depth += -1 if end else 1
            deepest = max(deepest, depth)
    return deepest


class _Renderer(IPythonRenderer):
    """Renders formulas as MathML, which needs no script, and images as links to them."""

    def block_code(self, code: str, info: str | None = None) -> str:
        language, *_ = (info or "").split() or [""]
        return fenced(code, language)

    def image(self, text: str, url: str, title: str | None = None) -> str:
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
