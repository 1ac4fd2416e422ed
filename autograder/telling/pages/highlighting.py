"""Code with its syntax highlighted, by those lexers alone that stay fast whatever they read.

Pygments has some that take for ever on a few characters, and many that are quadratic or worse.
Our own tests try ours on what a hostile student would write.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from markupsafe import Markup
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexer import Lexer  # type: ignore[import-untyped]
from pygments.lexers import (  # type: ignore[import-untyped]
    BashLexer,
    CLexer,
    DiffLexer,
    JsonLexer,
    PythonConsoleLexer,
    PythonLexer,
    TexLexer,
)

from autograder.telling.pages.plain import as_plain

_LEXERS = (BashLexer, CLexer, DiffLexer, JsonLexer, PythonConsoleLexer, PythonLexer, TexLexer)
_MORE_NAMES = {"ipython": "python", "ipython3": "python"}
_CACHE_SIZE = 1024  # most cells are the same for all students


@cache
def lexers() -> dict[str, Lexer]:
    """Return the lexers that are used at all, by each of their names."""
    named = {alias: made for made in (each() for each in _LEXERS) for alias in made.aliases}
    return named | {alias: named[name] for alias, name in _MORE_NAMES.items()}


def highlight_code(source: str, language: str | None = None, metadata: Any = None) -> Markup:
    """Return a cell of code as HTML; it takes the place of nbconvert's filter of the same name.

    What is HTML already stays as it is. The cell's metadata, which is a student's, has no say in
    what language it is.
    """
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
