"""Hidden tests of `worked_example`: each step on drawn inputs, then all on the notebook's numbers.

The later steps are compared with what the student's own earlier steps make of them, so that one
slip doesn't cost every step after it; and a matrix of one row is read as the vector in it, save
where shapes are what is tested.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import softmax

from autograder.testing import Student, describe, expect, laws, points

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


def scores_of(X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray) -> np.ndarray:
    """Return the scores of every query with every key."""
    scores: np.ndarray = X @ W_Q @ (X @ W_K).T / np.sqrt(W_K.shape[1])
    return scores


def inputs_of(rng: np.random.Generator, d_k: int) -> Arrays:
    """Return X (5, 6), W_Q and W_K (6, d_k) and W_V (6, 6), of halves, so that sums are exact.

    They are drawn again until no two tokens are alike, and none takes nearly all of the attention.
    """
    while True:
        X, W_Q, W_K, W_V = (
            np.clip(np.round(scale * rng.standard_normal((n, m))), -4, 4) / 2
            for n, m, scale in ((5, 6, 2), (6, d_k, 1), (6, d_k, 1), (6, 6, 1))
        )
        scores = scores_of(X, W_Q, W_K)
        steps = np.diff(np.sort(scores, axis=1), axis=1)
        if steps.min() > 0.1 and np.ptp(X, axis=0).all() and softmax(scores, axis=1).max() < 0.9:
            return X, W_Q, W_K, W_V


@pytest.fixture
def drawn(rng: np.random.Generator) -> Arrays:
    """X, W_Q, W_K and W_V with a d_k of its own."""
    return inputs_of(rng, 3)


@pytest.fixture
def square(rng: np.random.Generator) -> Arrays:
    """X, W_Q, W_K and W_V with d_k = d_model: a wrong array for another costs no other steps."""
    return inputs_of(rng, 6)


def step(steps: Any, name: str) -> Any:
    """Return the step of that name; fail kindly where there is none."""
    assert isinstance(steps, dict), (
        "A dictionary with the names of the steps should come back, but you return "
        f"{describe(steps)}."
    )
    expect.that(
        name in steps,
        f"The dictionary has no {name!r}. It has: {', '.join(map(str, steps)) or 'nothing'}.",
        reveals="example-name-missing",
    )
    return steps[name]


def vector(steps: Any, name: str) -> Any:
    """Return the step of that name; of a matrix of one row that row."""
    value = step(steps, name)
    return value[0] if isinstance(value, np.ndarray) and value.shape[:-1] == (1,) else value


def earlier_step(steps: Any, name: str, size: int) -> np.ndarray:
    """Return the step of that name, of which a later one is made; a constant says nothing."""
    value = vector(steps, name)
    expect.array(value, (size,), says=f"This is `{name}`, which the next step is made of.")
    entries = np.asarray(value, dtype=float)
    assert np.isfinite(entries).all(), f"`{name}` holds nan or ∞, which nothing can be made of."
    constant = (entries == entries[0]).all()
    assert not constant, f"All entries of `{name}` are equal, so the next step can't be checked."
    return entries


@points(1)
def test_the_query_is_that_of_the_token_asked_for(student: Student, square: Arrays) -> None:
    """`query` is the token's own features times W_Q, for the token asked for."""
    X, W_Q, _, _ = square
    for token in (0, 3, 4):
        expect.close(
            vector(student.worked_example(*square, token), "query"),
            X[token] @ W_Q,
            f"For token {token} of 5, `query` is not that token's row of X through W_Q. Whose row "
            "is it, and through which matrix?",
        )


@points(1)
def test_every_token_has_a_key_and_a_value(student: Student, square: Arrays) -> None:
    """`keys` and `values` have one row for every token, made by W_K and by W_V."""
    X, _, W_K, W_V = square
    steps = student.worked_example(*square, 0)
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
        vector(student.worked_example(*drawn, 0), "scores"),
        scores_of(X, W_Q, W_K)[0],
        "`scores` should hold the query's product with each key, already divided by the root of "
        "d_k. That is the length of a query, and need be neither d_model nor the number of tokens.",
    )


@points(1)
def test_weights_are_the_softmax_of_the_scores(
    student: Student, square: Arrays, two_tokens: Arrays
) -> None:
    """`weights` are the softmax of `scores`, even if these reach hundreds of thousands."""
    X, *matrices = two_tokens
    examples = {
        "On drawn inputs": (square, 5),
        "With ten times `X_two` and its matrices": ((10 * X, *matrices), 2),
    }
    for case, (question, tokens) in examples.items():
        steps = student.worked_example(*question, 0)
        expect.close(
            vector(steps, "weights"),
            softmax(earlier_step(steps, "scores", tokens)),
            f"{case}, `weights` are not the softmax of the `scores` that you return beside them. "
            "Are they positive, do they sum to 1, and do they come from these scores?",
        )


@points(1)
def test_the_context_averages_the_values(student: Student, square: Arrays) -> None:
    """`context` is the average of `values`, weighted by `weights`."""
    X, _, _, W_V = square
    steps = student.worked_example(*square, 0)
    expect.close(
        vector(steps, "context"),
        earlier_step(steps, "weights", 5) @ X @ W_V,
        "`context` should be the sum of the tokens' values, each times its entry of the `weights` "
        "that you return, and nothing else: the residual comes after it.",
    )


@points(1)
def test_the_output_adds_the_tokens_own_features(student: Student, square: Arrays) -> None:
    """`output` is the residual connection: the token's own features plus the context."""
    for token in (0, 3):
        steps = student.worked_example(*square, token)
        expect.close(
            vector(steps, "output"),
            square[0][token] + earlier_step(steps, "context", 6),
            f"For token {token} of 5, `output` is not that token's own row of X plus the `context` "
            "that you return. The layer adds to a token's features; it doesn't replace them.",
        )


@points(1)
def test_every_step_has_its_shape_whatever_the_sizes(student: Student, draw: Draw) -> None:
    """Vectors are vectors and matrices are matrices, even with a size of 1."""
    for n, d_model, d_k in ((5, 6, 3), (1, 4, 2), (3, 1, 2), (3, 4, 1)):
        X, W_V = draw(n, d_model), draw(d_model, d_model)
        W_Q, W_K = draw(d_model, d_k), draw(d_model, d_k)
        steps = student.worked_example(X, W_Q, W_K, W_V, n - 1)
        shapes = {"query": (d_k,), "keys": (n, d_k), "values": (n, d_model), "scores": (n,)}
        shapes |= {"weights": (n,), "context": (d_model,), "output": (d_model,)}
        for name, shape in shapes.items():
            sizes = f"With {n} tokens, d_model = {d_model} and d_k = {d_k}, this is `{name}`."
            expect.array(step(steps, name), shape, says=sizes)
        if n == 5:
            earlier_step(steps, "query", 3)


@points(1)
def test_the_seven_steps_of_the_notebooks_example(student: Student, two_tokens: Arrays) -> None:
    """The notebook's example gives exactly its seven steps, even with its two tokens exchanged."""
    X, *matrices = two_tokens
    for token, order in ((0, [0, 1]), (1, [1, 0])):
        steps = student.worked_example(X[order], *matrices, token)
        for name, expected in TABLE.items():
            expect.close(
                vector(steps, name) if expected.ndim == 1 else step(steps, name),
                expected[order] if name in ONE_ROW_A_TOKEN else expected,
                f"In the notebook's example, with its first token in row {token}, `{name}` is the "
                "first step that differs from the table.",
            )
        extra = ", ".join(str(name) for name in steps if name not in TABLE)
        says = f"The seven steps are right, but there are more: {extra}."
        expect.that(not extra, says, reveals="example-name-too-many")


@points(1)
def test_the_inputs_are_left_alone(student: Student, square: Arrays) -> None:
    """X and the three matrices are not changed."""
    earlier_step(student.worked_example(*square, 3), "query", 6)
    laws.leaves_inputs_alone(
        student,
        lambda: student.worked_example(*square, 0),
        reveals="example-input-changed",
    )
