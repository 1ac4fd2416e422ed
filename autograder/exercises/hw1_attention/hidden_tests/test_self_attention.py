"""Hidden tests of `self_attention`.

With the identity for X, the matrices W_Q, W_K and W_V are the queries, keys and values themselves.
A mistake should cost no points but its own: the context is compared with what the student's own
weights make of the values, and rows of weights are divided by their sums where these are not what
is tested.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import softmax

from autograder.testing import Student, expect, laws, points

from ..rows import expect_choice, shares

Draw = Callable[..., np.ndarray]
Unpack = Callable[..., tuple[Any, Any]]
Arrays = tuple[np.ndarray, ...]


def widened(matrices: list[np.ndarray]) -> list[np.ndarray]:
    """Return X and matrices of the same products, with a feature more than there are tokens."""
    tokens = len(matrices[0])
    return [np.eye(tokens, tokens + 1), *(np.vstack([each, each[:1]]) for each in matrices)]


@points(1)
def test_weights_come_first_and_context_second(
    student: Student, unpack: Unpack, paired: Arrays
) -> None:
    """The attention weights are returned first, the context second."""
    *matrices, _ = paired
    pair = student.self_attention(*widened(matrices))
    weights, _ = unpack(pair, (4, 4))
    expect_choice(weights, (4, 4), "attention weights")
    expect.that(
        pair[0] is weights,
        "The two results come back in the other order. In this assignment the attention weights "
        "come first: `return attention_weights, context`.",
        reveals="self-attention-order-swapped",
    )


@points(1)
def test_queries_come_from_w_q_and_keys_from_w_k(
    student: Student, unpack: Unpack, matched: Arrays
) -> None:
    """A token looks with its query, made by W_Q, and is found by its key, made by W_K."""
    *matrices, expected = matched
    weights, _ = unpack(student.self_attention(np.eye(3), *matrices), (3, 3))
    expect.array(weights, (3, 3))
    expect.that(
        bool((weights.argmax(axis=1) == expected.argmax(axis=1)).all()),
        "Each token's query matches one other token's key here, but the largest weight of its row "
        "is on another one. Which matrix makes queries and which makes keys? Rows of the weights "
        "belong to queries, columns to keys.",
    )


@points(1)
def test_the_context_averages_what_w_v_makes(
    student: Student, unpack: Unpack, paired: Arrays
) -> None:
    """The context averages the values, which W_V makes of the tokens."""
    W_Q, W_K, W_V, expected = paired
    weights, context = unpack(student.self_attention(np.eye(4), W_Q, W_K, W_V), (4, 4))
    expect_choice(weights, (4, 4), "attention weights")
    is_right = np.shape(context) == (4, 5) and np.allclose(context, expected @ W_V, 0, 1e-5)
    expect.close(
        context,
        (expected if is_right else weights) @ W_V,
        "The context is not what the weights that you return make of the values. Row i should be "
        "the average of all values, each times its weight in row i.",
    )


@points(1)
def test_scores_are_divided_by_the_root_of_d_k(
    student: Student, unpack: Unpack, graded: Arrays
) -> None:
    """The scores are divided by √d_k, the root of the number of columns of W_Q and W_K."""
    *matrices, expected = graded
    weights, _ = unpack(student.self_attention(np.eye(3), *matrices), (3, 3))
    expect.close(
        weights,
        expected,
        "With d_model = 3 and d_k = 16, a token's weights are not those of equation 1. Which "
        "number are the scores divided by before softmax, how often, and what else happens to "
        "them, and to the weights?",
    )


@points(1)
def test_large_scores_do_not_overflow(
    student: Student, unpack: Unpack, two_tokens: Arrays, large: Arrays
) -> None:
    """Scores of thousands and of hundreds of thousands give ordinary weights."""
    *matrices, expected = large
    examples = {
        "For `X_two` and its matrices": (two_tokens, np.array([[0.0, 1], [0, 1]])),
        "With scores of hundreds of thousands": ((np.eye(4), *matrices), expected),
    }
    for case, (question, wanted) in examples.items():
        weights, _ = unpack(student.self_attention(*question), wanted.shape)
        expect.close(
            shares(weights),
            wanted,
            f"{case}, the weights are not those of equation 1. If small scores go well, look at "
            "the numbers that your exponential gets to see here.",
        )


@points(1)
def test_any_size_may_be_1(student: Student, unpack: Unpack, draw: Draw) -> None:
    """A single token, feature or column of values keeps its axis."""
    chooses = False
    for n, d_model, d_k, d_v in ((4, 3, 2, 1), (1, 3, 2, 2), (4, 1, 2, 3), (4, 3, 1, 2)):
        X, W_V = draw(n, d_model), draw(d_model, d_v)
        W_Q, W_K = draw(d_model, d_k), draw(d_model, d_k)
        weights, context = unpack(student.self_attention(X, W_Q, W_K, W_V), (n, n))
        sizes = f"With n = {n}, d_model = {d_model}, d_k = {d_k} and d_v = {d_v}"
        expect.array(weights, (n, n), says=f"{sizes}, these are the attention weights.")
        chooses |= bool(np.ptp(weights, axis=1).max() > 1e-3)
        says = f"{sizes}, the context is not the product of your weights with X W_V."
        expect.close(context, weights @ X @ W_V, says)
    expect.that(chooses, "Your weights are alike for all tokens, whatever they are.")


@points(1)
def test_it_agrees_with_equation_1_whatever_the_sizes(
    student: Student, unpack: Unpack, draw: Draw
) -> None:
    """Random tokens and matrices of any sizes agree with equation 1."""
    all_sizes = [(3, 4, 3, 2), (3, 4, 4, 4), (5, 6, 2, 4), (6, 2, 5, 7)]
    questions = [
        (draw(n, d_model), *draw(2, d_model, d_k, scale=0.5), draw(d_model, d_v))
        for n, d_model, d_k, d_v in all_sizes
    ]
    first = questions[0]  # asked again, then with one of the four exchanged
    exchanged = (draw(3, 4), draw(4, 3, scale=0.5), draw(4, 3, scale=0.5), draw(4, 2))
    questions += [first, *((*first[:at], exchanged[at], *first[at + 1 :]) for at in range(4))]
    all_sizes += 5 * all_sizes[:1]
    answers = [student.self_attention(*question) for question in questions]
    for (n, d_model, d_k, d_v), question, pair in zip(all_sizes, questions, answers, strict=True):
        X, W_Q, W_K, W_V = question
        weights, context = unpack(pair, (n, n))
        sizes = f"With n = {n}, d_model = {d_model}, d_k = {d_k} and d_v = {d_v}"
        expected = softmax(np.einsum("ia,ad,bd,jb->ij", X, W_Q, W_K, X) / np.sqrt(d_k), axis=1)
        expect.close(
            weights,
            expected,
            f"{sizes}, the weights are not softmax(Q Kᵀ / √d_k) for Q = X W_Q and K = X W_K. This "
            "test combines the ones above; fix those first.",
        )
        expect.close(
            context,
            expected @ X @ W_V,
            f"{sizes}, the weights are right, but the context is not their product with X W_V.",
        )


@points(1)
def test_the_inputs_are_left_alone(student: Student, unpack: Unpack, paired: Arrays) -> None:
    """X and the three matrices are not changed."""
    *matrices, _ = paired
    X, W_Q, W_K, W_V = widened(matrices)
    weights, _ = unpack(student.self_attention(X, W_Q, W_K, W_V), (4, 4))
    expect_choice(weights, (4, 4), "attention weights")
    laws.leaves_inputs_alone(
        student,
        lambda: student.self_attention(X[:3] + 1, W_Q, W_K, W_V),
        reveals="self-attention-input-changed",
    )
