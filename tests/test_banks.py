"""A bank makes wrong answers of a right one by edits, and refuses edits that make none."""

from __future__ import annotations

import pytest

from autograder.errors import CourseError
from autograder.misconceptions import Bank, Variant

REFERENCE = "def double(x):\n    total = x + x\n    return total\n"


def variant(tag: str, edits: dict[str, str], source: str = "", pairs: bool = True) -> Variant:
    return Variant(tag, "Is wrong", "It is wrong.", edits, source, pairs)


def sources(*variants: Variant) -> list[str]:
    return [mistake.source for mistake in Bank("double", REFERENCE, variants).singles()]


def pairs(*variants: Variant) -> list[tuple[str, ...]]:
    found = Bank("double", REFERENCE, variants).pairs()
    return [tuple(variant.tag for variant in two.variants) for two in found]


SQUARE = variant("square", {"x + x": "x * x"})
NEGATIVE = variant("negative", {"return total": "return -total"})


def test_edits_are_made_one_after_the_other() -> None:
    both = variant("both", {"total": "result", "return result": "return -result"})
    assert sources(both) == ["def double(x):\n    result = x + x\n    return -result\n"]


def test_a_whole_answer_may_be_edited_instead_of_the_reference() -> None:
    assert sources(variant("whole", {"2": "3"}, "double = 2")) == ["double = 3"]


@pytest.mark.parametrize(
    ("source", "place"), [("", "isn't in REFERENCE"), ("double = 2", "isn't in its source")]
)
def test_an_edit_of_a_text_that_is_not_there_is_refused(source: str, place: str) -> None:
    with pytest.raises(CourseError, match=rf"double: .* slip edits 'y \+ y', which {place}"):
        sources(variant("slip", {"y + y": "y"}, source))


@pytest.mark.parametrize("edits", [{"total": "total"}, {"x": "y", "y": "x"}, {}])
def test_a_mistake_that_leaves_the_reference_as_it_is_is_refused(edits: dict[str, str]) -> None:
    with pytest.raises(CourseError, match="double: the misconception slip leaves REFERENCE as it"):
        sources(variant("slip", edits))


def test_edits_of_different_places_are_made_at_once() -> None:
    assert pairs(SQUARE, NEGATIVE) == [("square", "negative")]


def test_a_mistake_that_says_pairs_false_is_made_alone() -> None:
    alone = variant("alone", {"x + x": "x"}, pairs=False)
    assert pairs(alone, NEGATIVE, SQUARE) == [("negative", "square")]


def test_a_whole_answer_is_no_half_of_a_pair() -> None:
    whole = variant("whole", {"total = x": "total = x * x"}, f"{REFERENCE}# by steps\n")
    assert pairs(whole, NEGATIVE) == []
