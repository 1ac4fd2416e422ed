"""Hidden tests of `self_attention`.

With the identity for X, the matrices W_Q, W_K and W_V are the queries, keys and values themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import softmax

from autograder.testing import Student, expect, points

Draw = Callable[..., np.ndarray]
Unpack = Callable[..., tuple[Any, Any]]
Arrays = tuple[np.ndarray, ...]


@points(1)
def test_weights_come_first_and_context_second(
    student: Student, unpack: Unpack, paired: Arrays
) -> None:
    """The attention weights are returned first, the context second."""
    *matrices, expected = paired
    pair = student.self_attention(np.eye(4), *matrices)
    weights, _ = unpack(pair, (4, 4))
    expect.close(
        weights,
        expected,
        "The attention weights are wrong already, in whichever place. Two tokens that match a "
        "query equally well, and far better than the rest, should get half of its attention each.",
    )
    assert pair[0] is weights, (
        "The two results come back in the other order. In this assignment the attention weights "
        "come first: `return attention_weights, context`."
    )


@points(1)
def test_queries_come_from_w_q_and_keys_from_w_k(
    student: Student, unpack: Unpack, matched: Arrays
) -> None:
    """A token looks with its query, made by W_Q, and is found by its key, made by W_K."""
    *matrices, expected = matched
    weights, _ = unpack(student.self_attention(np.eye(3), *matrices), (3, 3))
    expect.close(
        weights,
        expected,
        "Each token's query matches one other token's key here, but your weights go elsewhere. "
        "Which matrix makes queries and which makes keys? Rows of the weights belong to queries, "
        "columns to keys.",
    )


@points(1)
def test_the_context_averages_what_w_v_makes(
    student: Student, unpack: Unpack, paired: Arrays
) -> None:
    """The context averages the values, which W_V makes of the tokens."""
    W_Q, W_K, W_V, expected = paired
    _, context = unpack(student.self_attention(np.eye(4), W_Q, W_K, W_V), (4, 4))
    expect.close(
        context,
        expected @ W_V,
        "A token that gives half of its attention to each of two tokens should get the mean of "
        "their values. Values are neither the tokens themselves nor their keys: what makes them?",
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
        "With d_model = 3 and d_k = 16 the weights are not those of equation 1. Which of the two "
        "sizes stands under the root?",
    )


@points(1)
def test_the_two_tokens_of_the_worked_example_attend(
    student: Student, unpack: Unpack, two_tokens: Arrays
) -> None:
    """On the worked example's two tokens, scores in the thousands give ordinary weights."""
    weights, context = unpack(student.self_attention(*two_tokens), (2, 2))
    says = (
        "For `X_two` and its matrices, both tokens should give all their attention to token 1 and "
        "take home its value. The scores are in the thousands: does your softmax move them first?"
    )
    expect.close(weights, np.array([[0.0, 1], [0, 1]]), says)
    expect.close(context, np.array([[68.0, 53, 63, 58], [68, 53, 63, 58]]), says)


@points(1)
def test_it_agrees_with_equation_1_whatever_the_sizes(
    student: Student, unpack: Unpack, draw: Draw
) -> None:
    """Random tokens and matrices of any sizes agree with equation 1, and are left alone."""
    all_sizes = ((3, 4, 4, 4), (3, 4, 3, 2), (5, 6, 2, 4), (6, 2, 5, 7))
    questions = [
        (draw(n, d_model), *draw(2, d_model, d_k, scale=0.5), draw(d_model, d_v))
        for n, d_model, d_k, d_v in all_sizes
    ]
    answers = [
        (student.self_attention(*question), student.inputs_changed) for question in questions
    ]
    for (n, d_model, d_k, d_v), question, (pair, changed) in zip(
        all_sizes, questions, answers, strict=True
    ):
        X, W_Q, W_K, W_V = question
        weights, context = unpack(pair, (n, n))
        sizes = f"With n = {n}, d_model = {d_model}, d_k = {d_k} and d_v = {d_v}"
        expected = softmax(np.einsum("ia,ad,bd,jb->ij", X, W_Q, W_K, X) / np.sqrt(d_k), axis=1)
        expect.close(
            weights,
            expected,
            f"{sizes}, the weights are not softmax(Q Kᵀ / √d_k) for Q = X W_Q and K = X W_K. The "
            "other checks tell the roles from the scale.",
        )
        expect.close(
            context,
            expected @ X @ W_V,
            f"{sizes}, the weights are right, but the context is not their product with X W_V.",
        )
        assert not changed, (
            "The right numbers come back, but X or one of the matrices was changed as well. Make "
            "a new array instead of writing into one that you were given."
        )
