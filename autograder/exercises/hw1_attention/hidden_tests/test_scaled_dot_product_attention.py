"""Hidden tests of `scaled_dot_product_attention`: hand-made examples, then equation 1 itself."""

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
    *inputs, expected = paired
    pair = student.scaled_dot_product_attention(*inputs)
    weights, _ = unpack(pair, (4, 4))
    expect.close(
        weights,
        expected,
        "The attention weights are wrong already, in whichever place. Two keys that match a query "
        "equally well, and far better than the rest, should get half of its attention each.",
    )
    assert pair[0] is weights, (
        "The two results come back in the other order. In this assignment the attention weights "
        "come first: `return attention_weights, context`."
    )


@points(1)
def test_each_query_divides_its_attention_among_the_keys(student: Student, unpack: Unpack) -> None:
    """Each query's weights sum to 1 over the keys, and a key that matches best gets most."""
    keys = 20 * np.concatenate([np.eye(4), -np.eye(4)[:1]])
    picked = [2, 0, 2]
    pair = student.scaled_dot_product_attention(keys[picked], keys, np.ones((5, 2)))
    weights, _ = unpack(pair, (3, 5))
    expect.close(
        weights,
        np.eye(5)[picked],
        "A query that matches one key far better than all others should give it a weight of 1, "
        "even when another query wants the same key. Keys compete for a query, queries don't "
        "compete for a key: which axis of the scores belongs to the keys?",
    )


@points(1)
def test_scores_are_divided_by_the_root_of_d_k(
    student: Student, unpack: Unpack, graded: Arrays
) -> None:
    """The scores are divided by √d_k before softmax."""
    *inputs, expected = graded
    weights, _ = unpack(student.scaled_dot_product_attention(*inputs), (3, 3))
    expect.close(
        weights,
        expected,
        "For d_k = 16 the weights are not those of equation 1. Weights that are too sharp or too "
        "flat come from scores that were divided by something else: which size stands under the "
        "root, and of which array is it an axis?",
    )


@points(1)
def test_the_context_averages_the_values(student: Student, unpack: Unpack, paired: Arrays) -> None:
    """The context of a query is the average of the values, weighted by its attention."""
    Q, K, V, expected = paired
    _, context = unpack(student.scaled_dot_product_attention(Q, K, V), (4, 4))
    expect.close(
        context,
        expected @ V,
        "A query that gives half of its attention to each of two keys should get the mean of "
        "their two values. Which matrix do you multiply the weights with, and from which side?",
    )


@points(1)
def test_large_scores_do_not_overflow(student: Student, unpack: Unpack, paired: Arrays) -> None:
    """Scores in the thousands give ordinary weights, at whatever level a query's scores lie."""
    Q, K, V, expected = paired
    level, one = np.array([[0.0], [0], [-4000], [-4000]]), np.ones((4, 1))
    high_and_low = (np.hstack([5 * Q, level, one]), np.hstack([5 * K, one, level]), V)
    weights, _ = unpack(student.scaled_dot_product_attention(*high_and_low), (4, 4))
    expect.close(
        weights,
        expected,
        "Scores in the thousands go wrong. If smaller ones don't, it is because their exponentials "
        "don't fit into a float64: use a softmax that moves the scores of each query first.",
    )


@points(1)
def test_it_agrees_with_equation_1_whatever_the_sizes(
    student: Student, unpack: Unpack, draw: Draw
) -> None:
    """Random inputs, with n, m, d_k and d_v equal or not, agree with equation 1."""
    all_sizes = ((4, 4, 8, 3), (3, 5, 4, 2), (5, 5, 6, 6), (1, 6, 2, 7))
    questions = [(draw(n, d_k), draw(m, d_k), draw(m, d_v)) for n, m, d_k, d_v in all_sizes]
    answers = [student.scaled_dot_product_attention(*question) for question in questions]
    for (n, m, d_k, d_v), (Q, K, V), pair in zip(all_sizes, questions, answers, strict=True):
        weights, context = unpack(pair, (n, m))
        sizes = f"With n = {n}, m = {m}, d_k = {d_k} and d_v = {d_v}"
        expected = softmax(np.einsum("nd,md->nm", Q, K) / np.sqrt(d_k), axis=1)
        expect.close(
            weights,
            expected,
            f"{sizes}, the weights are not softmax(Q Kᵀ / √d_k), each row on its own. The other "
            "checks tell the scale from the axis.",
        )
        expect.close(
            context,
            np.einsum("nm,mv->nv", expected, V),
            f"{sizes}, the weights are right, but the context is not their product with V.",
        )


@points(1)
def test_the_inputs_are_left_alone(student: Student, unpack: Unpack, paired: Arrays) -> None:
    """Q, K and V are not changed."""
    *inputs, expected = paired
    weights, _ = unpack(student.scaled_dot_product_attention(*inputs), (4, 4))
    expect.close(
        weights,
        expected,
        "Two keys that match equally well don't share the attention equally, so whether the "
        "inputs are left alone can't be told. See to the other checks first.",
    )
    assert not student.inputs_changed, (
        "The right weights come back, but Q, K or V was changed as well. `Q /= …` writes into "
        "the caller's array; `Q = Q / …` makes a new one."
    )
