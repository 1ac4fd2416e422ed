"""Hidden tests of `causal_mask_examples`: right masks pass the examples, and wrong ones don't."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from autograder.testing import (
    Bank,
    Example,
    Student,
    describe,
    examples_of,
    expect_caught,
    expect_passed,
    implementation,
    open_ended,
    points,
)

MakesMask = Callable[[Any], torch.Tensor]

pytestmark = open_ended

MAX_TOKENS = 32
BELIEFS = (
    *("true-means-hidden", "looks-ahead", "not-itself", "one-too-far", "hides-nothing"),
    *("band", "first-row-full", "numbers", "squeezed", "of-another-size"),
)


@pytest.fixture
def right(banks: Mapping[str, Bank]) -> list[MakesMask]:
    return [
        _causal_mask(banks["causal_mask"].reference),
        lambda n: torch.arange(n)[:, None] >= torch.arange(n),
        lambda n: ~torch.ones(n, n).triu(1).bool(),
    ]


@pytest.fixture
def wrong(banks: Mapping[str, Bank]) -> list[MakesMask]:
    sources = banks["causal_mask"].sources()
    return [_causal_mask(sources[f"mask-{belief}"]) for belief in BELIEFS]


def _causal_mask(source: str) -> MakesMask:
    defined: MakesMask = implementation("import torch", source).causal_mask
    return defined


def proper_examples(student: Student) -> list[Example]:
    """Return the three examples; raise `AssertionError` if one isn't about a number of tokens."""
    examples = examples_of(student.causal_mask_examples, 3)
    for each in examples:
        is_whole = isinstance(each.input, (int, np.integer)) and not isinstance(each.input, bool)
        assert is_whole and 0 < each.input <= MAX_TOKENS, (
            f"{each.name}: its first part should be how many tokens there are, a whole number from "
            f"1 to {MAX_TOKENS}, but it is {_described(each.input)}."
        )
    return [replace(each, input=int(each.input)) for each in examples]


def _described(n: Any) -> str:
    return str(n) if type(n) is int else describe(n)


@points(2, "every right mask passes your examples, and nonsense doesn't")
def test_right_masks_pass(
    student: Student, right: list[MakesMask], rng: np.random.Generator
) -> None:
    """Right masks pass all three examples; one that hides everything fails one."""
    hides_all: MakesMask = lambda n: torch.zeros(n, n, dtype=torch.bool)  # noqa: E731
    expect_passed(proper_examples(student), right, hides_all, rng)


@points(4, "wrong masks are caught: each stands for a belief that somebody may hold")
def test_wrong_masks_are_caught(
    student: Student, right: list[MakesMask], wrong: list[MakesMask], rng: np.random.Generator
) -> None:
    """The examples tell right masks from wrong ones."""
    expect_caught(proper_examples(student), right, wrong, "wrong masks", rng)
