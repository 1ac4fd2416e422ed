"""Students' text in pages that others open: rendered as written, without active content."""

from __future__ import annotations

from functools import lru_cache

import nh3
from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments.token import STANDARD_TYPES  # type: ignore[import-untyped]

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


@lru_cache(1024)  # most cells are the same for all students
def markdown2html(source: str) -> str:
    """Render markdown, including formulas, without anything that a browser would run.

    It replaces nbconvert's filter of the same name, which lets `<script>` through.
    """
    renderer = _Renderer(escape=False, exclude_anchor_links=True)
    page = MarkdownWithMath(renderer=renderer).render(source)
    attributes = {**nh3.ALLOWED_ATTRIBUTES, **_FORMULA_ATTRIBUTES}
    tags = nh3.ALLOWED_TAGS | _FORMULA
    return nh3.clean(page, tags=tags, attributes=attributes, allowed_classes=_CLASSES)


class _Renderer(IPythonRenderer):
    """Renders formulas as MathML, which needs no script."""

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
