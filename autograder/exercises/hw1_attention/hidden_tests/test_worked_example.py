"""Hidden tests of `worked_example`: each step on drawn inputs, then all on the notebook's numbers.

The later steps are compared with what the student's own earlier steps make of them, so that one
slip doesn't cost every step after it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import softmax

from autograder.testing import Student, describe, expect, points

Draw = Callable[..., np.ndarray]
Arrays = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]

# Token 0 of the notebook's example.
TABLE = {
    "query": np.array([23.0, 49, 45, 28]),
    "keys": np.array([[40.0, 39, 36, 20], [59, 48, 59, 28]]),
    "values": np.array([[51.0, 36, 45, 46], [68, 53, 63, 58]]),
    "scores": np.array([2505.5, 3574.0]),
    "weights": np.array([0.0, 1.0]),
    "context": np.array([68.0, 53, 63, 58]),
    "output": np.array([74.0, 54, 67, 62]),
}
ONE_ROW_A_TOKEN = ("keys", "values", "scores", "weights")


@pytest.fixture
def drawn(draw: Draw) -> Arrays:
    """X (5, 6), W_Q and W_K (6, 3) and W_V (6, 6)."""
    return draw(5, 6), draw(6, 3, scale=0.5), draw(6, 3, scale=0.5), draw(6, 6, scale=0.5)


def step(steps: Any, name: str) -> Any:
    """Return the step of that name; fail kindly where there is none."""
    assert isinstance(steps, dict), (
        "A dictionary with the names of the steps should come back, but you return "
        f"{describe(steps)}."
    )
    assert name in steps, (
        f"The dictionary has no {name!r}. It has: {', '.join(steps) or 'nothing'}."
    )
    return steps[name]


def earlier_step(steps: Any, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return the step of that name, of which a later one is made; a constant says nothing."""
    value = step(steps, name)
    expect.array(value, shape)
    entries = np.asarray(value, dtype=float)
    constant = (entries == entries.flat[0]).all()
    assert not constant, f"All entries of `{name}` are equal, so the next step can't be checked."
    return entries


@points(1)
def test_the_query_is_that_of_the_token_asked_for(student: Student, drawn: Arrays) -> None:
    """`query` is the token's own features times W_Q, for the token asked for."""
    X, W_Q, _, _ = drawn
    for token in (0, 3, 4):
        expect.close(
            step(student.worked_example(*drawn, token), "query"),
            X[token] @ W_Q,
            f"For token {token} of 5, `query` is not that token's row of X through W_Q. Do you use "
            "`token`?",
        )


@points(1)
def test_every_token_has_a_key_and_a_value(student: Student, drawn: Arrays) -> None:
    """`keys` and `values` have one row for every token, made by W_K and by W_V."""
    X, _, W_K, W_V = drawn
    steps = student.worked_example(*drawn, 0)
    for name, expected in {"keys": X @ W_K, "values": X @ W_V}.items():
        expect.close(
            step(steps, name),
            expected,
            f"`{name}` should be all of X through the matrix for {name}, one row for each token.",
        )


@points(1)
def test_scores_are_already_divided_by_the_root_of_d_k(student: Student, drawn: Arrays) -> None:
    """`scores` are the query's products with all keys, divided by √d_k."""
    X, W_Q, W_K, _ = drawn
    expect.close(
        step(student.worked_example(*drawn, 0), "scores"),
        np.einsum("d,nd->n", X[0] @ W_Q, X @ W_K) / np.sqrt(3),
        "`scores` should hold the query's product with each key, already divided by the root of "
        "d_k. That is the length of a query, and need be neither d_model nor the number of tokens.",
    )


@points(1)
def test_weights_are_the_softmax_of_the_scores(student: Student, drawn: Arrays) -> None:
    """`weights` are the softmax of `scores`."""
    steps = student.worked_example(*drawn, 0)
    expect.close(
        step(steps, "weights"),
        softmax(earlier_step(steps, "scores", (5,))),
        "`weights` are not the softmax of the `scores` that you return beside them: positive, "
        "summing to 1, and in general shared among all tokens.",
    )


@points(1)
def test_the_context_averages_the_values(student: Student, drawn: Arrays) -> None:
    """`context` is the average of `values`, weighted by `weights`."""
    X, _, _, W_V = drawn
    steps = student.worked_example(*drawn, 0)
    expect.close(
        step(steps, "context"),
        earlier_step(steps, "weights", (5,)) @ X @ W_V,
        "`context` should be the sum of the tokens' values, each times its entry of the `weights` "
        "that you return, and nothing else: the residual comes after it.",
    )


@points(1)
def test_the_output_adds_the_tokens_own_features(student: Student, drawn: Arrays) -> None:
    """`output` is the residual connection: the token's own features plus the context."""
    for token in (0, 3):
        steps = student.worked_example(*drawn, token)
        expect.close(
            step(steps, "output"),
            drawn[0][token] + earlier_step(steps, "context", (6,)),
            f"For token {token} of 5, `output` is not that token's own row of X plus the `context` "
            "that you return. The layer adds to a token's features; it doesn't replace them.",
        )


@points(1)
def test_the_seven_steps_of_the_notebooks_example(student: Student, two_tokens: Arrays) -> None:
    """The notebook's example gives exactly its seven steps, also with its two tokens exchanged."""
    X, *matrices = two_tokens
    for token, order in ((0, [0, 1]), (1, [1, 0])):
        steps = student.worked_example(X[order], *matrices, token)
        for name, expected in TABLE.items():
            expect.close(
                step(steps, name),
                expected[order] if name in ONE_ROW_A_TOKEN else expected,
                f"In the notebook's example, with its first token in row {token}, `{name}` is the "
                "first step that differs from the table.",
            )
        extra = ", ".join(name for name in steps if name not in TABLE)
        assert not extra, f"The seven steps are right, but there are more: {extra}."
        assert not student.inputs_changed, (
            "The steps are right, but X or one of the matrices was changed as well. "
            "`X[token] += …` writes into the caller's array."
        )
