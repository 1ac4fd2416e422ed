"""The bank of misconceptions: named wrong variants of an exercise, each with its message.

Most are a small edit of a reference answer (`/ (n - 1)` → `/ n`), so that two can be combined.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from autograder.errors import CourseError


@dataclass(frozen=True)
class Variant:
    """One way to get an exercise wrong.

    `tag` names it, `description` is a line for the instructor, `message` is for the student: fact,
    contrast, hint, and never the answer. `edits` maps texts in the reference to the texts that
    replace every occurrence of them, one after the other. Where no edit of the reference expresses
    the mistake, `source` is a whole answer, wrong by itself or once `edits` are made in it.

    Any two whose edits don't meet may stand together in one answer; with `pairs=False`, a mistake
    only stands alone.
    """

    tag: str
    description: str
    message: str
    edits: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    pairs: bool = True

    def of(self, reference: str) -> str | None:
        """Return the wrong answer, or None if `reference` lacks a text that the edits replace."""
        wrong, missing = self._edited(reference)
        return wrong if missing is None else None

    def checked(self, exercise: str, reference: str) -> str:
        """Return the wrong answer; raise a `CourseError` if the edits miss, or change nothing."""
        wrong, missing = self._edited(reference)
        if missing is not None:
            raise CourseError(
                f"{exercise}: the misconception {self.tag} edits {missing!r}, which isn't in "
                f"{'its source' if self.source else 'REFERENCE'}: correct its edits."
            )
        if wrong == reference:
            raise CourseError(
                f"{exercise}: the misconception {self.tag} leaves REFERENCE as it is, and so "
                "would be a right answer: correct its edits."
            )
        return wrong

    def _edited(self, reference: str) -> tuple[str, str | None]:
        """Return the wrong answer, and the text that was to be edited and isn't there, if any."""
        wrong = self.source or reference
        for old, new in self.edits.items():
            if old not in wrong:
                return wrong, old
            wrong = wrong.replace(old, new)
        return wrong, None


@dataclass(frozen=True)
class Candidate:
    """An answer, and what is made of the reference in it: up to two misconceptions or styles."""

    variants: tuple[Variant, ...]
    source: str


@dataclass(frozen=True)
class Bank:
    """The reference answer of one exercise, and the known ways to get it wrong.

    `styles` are other right ways to write a part of it, which matter only beside a mistake: they
    are named to nobody. `ideas` has, for a slip of one idea, which of the exercise's it is: 1 is
    the first.
    """

    exercise: str
    reference: str
    variants: tuple[Variant, ...]
    styles: tuple[Variant, ...] = ()
    ideas: Mapping[str, int] = field(default_factory=dict)

    def singles(self) -> Iterator[Candidate]:
        for variant in self.variants:
            yield Candidate((variant,), variant.checked(self.exercise, self.reference))

    def restyled(self) -> Iterator[Candidate]:
        for style in self.styles:
            yield Candidate((style,), style.checked(self.exercise, self.reference))

    def both(self, first: str, second: str) -> Candidate | None:
        """Return the answer with two variants or styles, by their tags.

        None if their edits meet, or aren't both edits.
        """
        one, other = self._options[first], self._options[second]
        if not all(each.pairs and each.edits and not each.source for each in (one, other)):
            return None
        with_one, with_other = one.of(self.reference), other.of(self.reference)
        both = other.of(with_one) if with_one else None
        if both is None or with_other is None or one.of(with_other) != both:
            return None
        return Candidate((one, other), both)

    @cached_property
    def _options(self) -> dict[str, Variant]:
        return {each.tag: each for each in (*self.variants, *self.styles)}
