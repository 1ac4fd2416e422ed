"""Text of students' in pages that others open: shown as it was written, never run."""

from __future__ import annotations

from functools import lru_cache

import nh3
from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments.token import STANDARD_TYPES  # type: ignore[import-untyped]

# A class or an id of a student's could look like nbgrader's own: a heading with a score, say.
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


@lru_cache(1024)  # most of a notebook is the same for all students
def markdown2html(source: str) -> str:
    """Render markdown, math included, without anything in it that a browser would run.

    Stands in for nbconvert's filter of that name, which lets a `<script>` through.
    """
    renderer = _Renderer(escape=False, exclude_anchor_links=True)
    page = MarkdownWithMath(renderer=renderer).render(source)
    attributes = {**nh3.ALLOWED_ATTRIBUTES, **_FORMULA_ATTRIBUTES}
    tags = nh3.ALLOWED_TAGS | _FORMULA
    return nh3.clean(page, tags=tags, attributes=attributes, allowed_classes=_CLASSES)


class _Renderer(IPythonRenderer):
    """Turns formulas into MathML, which needs no script."""

    def inline_math(self, body: str) -> str:
        return _mathml(body, "inline") or super().inline_math(body)

    def block_math(self, body: str) -> str:
        return _mathml(body, "block") or super().block_math(body)

    def latex_environment(self, name: str, body: str) -> str:
        formula = f"\\begin{{{name}}}{body}\\end{{{name}}}"
        return _mathml(formula, "block") or super().latex_environment(name, body)


def _mathml(formula: str, display: str) -> str:
    """Return a formula as MathML; nothing if it isn't one. What is in it is cleaned later."""
    try:
        return convert(formula, display=display)
    except Exception:  # whatever a student put between dollars
        return ""
