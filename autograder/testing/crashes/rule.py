"""A rule explains one kind of exception by its text.

The text comes from the student's process. Only a beginning of it is looked at, by patterns whose
every repetition is bounded; an explanation quotes nothing from it but the sizes and names that its
rule captures.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

MAX_TEXT = 500  # characters of an exception's text that are looked at


@dataclass(frozen=True)
class Explanation:
    """What an exception means; `tag` is the same for all exceptions of one kind."""

    tag: str
    meaning: str


@dataclass(frozen=True)
class Rule:
    """Explains exceptions whose text matches `pattern`.

    In `meaning`, `{name}` is a group of the pattern, and `{line}` the line that raised. `hint`
    returns a further sentence, if it knows one, and takes the groups by name. `needs_hint`: if
    neither it nor the text itself says what was meant, another rule explains the exception.
    """

    tag: str
    pattern: str
    meaning: str
    hint: Callable[..., str] | None = None
    needs_hint: bool = False

    def explain(self, text: str, line: str) -> Explanation | None:
        """Return the explanation, or None if `text` doesn't match."""
        found = re.search(self.pattern, text[:MAX_TEXT])
        if found is None:
            return None
        groups = {name: _spaced(value or "") for name, value in found.groupdict().items()}
        meaning = self.meaning.format(**groups, line=line)
        if self.hint and "Did you mean" not in text:
            hint = self.hint(**groups)
            if self.needs_hint and not hint:
                return None
            meaning = f"{meaning} {hint}".rstrip()
        return Explanation(self.tag, meaning)


def _spaced(sizes: str) -> str:
    """Write the sizes of a shape as Python does: (2, 3), where NumPy's errors have (2,3)."""
    return re.sub(r",(?=\d)", ", ", sizes)
