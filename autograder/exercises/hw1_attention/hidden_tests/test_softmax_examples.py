"""Hidden tests of `softmax_examples`: right softmaxes pass the examples, and wrong ones don't."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import logsumexp, softmax

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

Softmax = Callable[[np.ndarray], np.ndarray]

pytestmark = open_ended

MAX_SCORES = 1000  # in one example
BELIEFS = (  # each can be held with a clear conscience, and shows on some input
    *("no-exponential", "base-two", "sign-reversed", "not-normalised"),
    *("first-axis", "second-axis", "whole-array"),
    *("no-shift", "one-shift-for-all", "hidden-taken-for-zero"),
)


def numpy_softmax(source: str) -> Softmax:
    """Return the softmax that `source` defines."""
    defined: Softmax = implementation("import numpy as np", source).softmax
    return defined


@pytest.fixture
def right(banks: Mapping[str, Bank]) -> list[Softmax]:
    """Right softmaxes, which round differently."""
    return [
        numpy_softmax(banks["softmax"].reference),
        lambda x: softmax(x, axis=-1),
        lambda x: np.exp(x - logsumexp(x, axis=-1, keepdims=True)),
        lambda x: np.flip(softmax(np.flip(x, -1), axis=-1), -1),
    ]


@pytest.fixture
def wrong(banks: Mapping[str, Bank]) -> list[Softmax]:
    sources = banks["softmax"].sources()
    return [numpy_softmax(sources[f"softmax-{belief}"]) for belief in BELIEFS]


def proper_examples(student: Student) -> list[Example]:
    """Return the three examples; raise `AssertionError` if one isn't about scores for a softmax."""
    examples = examples_of(student.softmax_examples, 3)
    return [replace(each, input=scores_of(each)) for each in examples]


def scores_of(example: Example) -> np.ndarray:
    x, name = example.input, example.name
    assert isinstance(x, np.ndarray) and x.dtype.kind in "iuf", (
        f"{name}: its first part should be scores, a NumPy array of numbers, as "
        f"`np.array([1.0, 2.0])` makes it, but it is {describe(x)}."
    )
    assert x.ndim and 0 < x.size <= MAX_SCORES, (
        f"{name}: an array of scores has an axis and up to {MAX_SCORES} numbers, but yours has the "
        f"shape {x.shape}."
    )
    scores = x.astype(np.float64)
    is_hidden = np.isneginf(scores)
    assert (np.isfinite(scores) | is_hidden).all() and not is_hidden.all(axis=-1).any(), (
        f"{name}: nobody asks for a softmax of such scores. They may be finite numbers or -inf, "
        "and each row needs a finite one."
    )
    return scores


@points(2, "every right softmax passes your examples, and nonsense doesn't")
def test_right_softmaxes_pass(
    student: Student, right: list[Softmax], rng: np.random.Generator
) -> None:
    """Right softmaxes pass all three examples, however they are written; nonsense fails one."""
    expect_passed(proper_examples(student), right, np.zeros_like, rng)


@points(4, "wrong softmaxes are caught: each stands for a belief that somebody may hold")
def test_wrong_softmaxes_are_caught(
    student: Student, right: list[Softmax], wrong: list[Softmax], rng: np.random.Generator
) -> None:
    """The examples tell right softmaxes from wrong ones."""
    expect_caught(proper_examples(student), right, wrong, "wrong softmaxes", rng)
