"""The bank of misconceptions: named wrong variants of an exercise, with words for the student.

A variant is mostly a small edit of a reference answer (`/ np.sqrt(d_k)` → `/ d_k`), so that the
mistake can be seen at a glance and two of them can be made at once; where no edit can say it, it
is a whole answer of its own. Each serves three times: to name a student's mistake, to test the
hidden tests, and to tell an instructor what a class has misunderstood.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from autograder.errors import CourseError


@dataclass(frozen=True)
class Variant:
    """One way to get an exercise wrong.

    `tag` names it, `description` tells an instructor in a line, `message` tells the student: fact,
    contrast, hint, and never the answer. `edits` maps a text in the reference to what the mistake
    puts there, everywhere; `source` is a whole wrong answer instead.
    """

    tag: str
    description: str
    message: str
    edits: Mapping[str, str] = field(default_factory=dict)
    source: str = ""

    def of(self, reference: str) -> str | None:
        """Return the wrong answer, or None if `reference` hasn't what the edits replace."""
        wrong = self.source or reference
        for old, new in self.edits.items():
            if old not in wrong:
                return None
            wrong = wrong.replace(old, new)
        return wrong


@dataclass(frozen=True)
class Candidate:
    """A wrong answer, and the misconception or misconceptions that make it."""

    variants: tuple[Variant, ...]
    source: str


@dataclass(frozen=True)
class Bank:
    """What is known about one exercise: a right answer, and the ways to get it wrong."""

    exercise: str
    reference: str
    variants: tuple[Variant, ...]

    def singles(self) -> Iterator[Candidate]:
        """Yield each variant."""
        for variant in self.variants:
            source = variant.of(self.reference)
            if source is None:
                edited = " or ".join(f"`{text}`" for text in variant.edits)
                raise CourseError(
                    f"misconceptions/{self.exercise}: {variant.tag} replaces {edited}, which isn't "
                    "in REFERENCE: correct its edits."
                )
            yield Candidate((variant,), source)

    def pairs(self) -> Iterator[Candidate]:
        """Yield each two variants that can be made at once: edits of different places."""
        edits = [variant for variant in self.variants if variant.edits]
        for first, second in combinations(edits, 2):
            once = first.of(self.reference)
            twice = second.of(once) if once else None
            other = second.of(self.reference)
            if twice is not None and other is not None and first.of(other) == twice:
                yield Candidate((first, second), twice)
