"""Hidden tests of `scaled_dot_product_attention`: hand-made examples, then equation 1 itself.

A mistake should cost no points but its own: the context is compared with what the student's own
weights make of V, and rows of weights are divided by their sums where these are not what is tested.
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


@points(1)
def test_weights_come_first_and_context_second(
    student: Student, unpack: Unpack, paired: Arrays
) -> None:
    """The attention weights are returned first, the context second."""
    *inputs, _ = paired
    pair = student.scaled_dot_product_attention(*inputs)
    weights, _ = unpack(pair, (4, 4))
    expect_choice(weights, (4, 4), "attention weights")
    expect.that(
        pair[0] is weights,
        "The two results come back in the other order. In this assignment the attention weights "
        "come first: `return attention_weights, context`.",
        reveals="attention-order-swapped",
    )


@points(1)
def test_each_query_divides_its_attention_among_the_keys(student: Student, unpack: Unpack) -> None:
    """Each query's weights sum to 1 over the keys, and a key that matches best gets most."""
    keys = 20 * np.eye(4)[[0, 1, 2, 3, 2]]
    pair = student.scaled_dot_product_attention(keys[[2, 0, 2, 2]], keys, np.ones((5, 2)))
    weights, _ = unpack(pair, (4, 5))
    alone, shared = np.eye(5)[0], np.array([0, 0, 0.5, 0, 0.5])
    expect.close(
        weights,
        np.stack([shared, alone, shared, shared]),
        "A query that matches one key far better than all others should give it a weight of 1, and "
        "one that matches two of them equally well half to each, whatever other queries want. Look "
        "at one row of your weights: does it sum to 1, and which keys get most of it?",
    )


@points(1)
def test_scores_are_divided_by_the_root_of_d_k(
    student: Student, unpack: Unpack, graded: Arrays
) -> None:
    """The scores are divided by √d_k before softmax."""
    *inputs, expected = graded
    weights, _ = unpack(student.scaled_dot_product_attention(*inputs), (3, 3))
    expect.close(
        shares(weights),
        expected,
        "For d_k = 16, a query's weights are not in the proportions of equation 1. Which number "
        "are your scores divided by before softmax, and what else happens to them?",
    )


@points(1)
def test_the_context_averages_the_values(student: Student, unpack: Unpack, paired: Arrays) -> None:
    """The context of a query is the average of the values, weighted by its attention."""
    Q, K, V, expected = paired
    weights, context = unpack(student.scaled_dot_product_attention(Q, K, V), (4, 4))
    expect_choice(weights, (4, 4), "attention weights")
    is_right = np.shape(context) == (4, 5) and np.allclose(context, expected @ V, 0, 1e-5)
    expect.close(
        context,
        (expected if is_right else weights) @ V,
        "The context is not what the weights that you return make of the values. Row i should be "
        "the average of all values, each times its weight in row i.",
    )


@points(1)
def test_large_scores_do_not_overflow(student: Student, unpack: Unpack, large: Arrays) -> None:
    """Scores of thousands and more give ordinary weights, at whatever level a query's lie."""
    Q, K, V, expected = large
    for size, factor in (("thousands", 1 / 8), ("hundreds of thousands", 1)):
        pair = student.scaled_dot_product_attention(factor * Q, factor * K, V)
        weights, _ = unpack(pair, (4, 4))
        expect.close(
            shares(weights),
            expected,
            f"With scores of {size}, high for some queries and low for others, the weights are not "
            "those of equation 1. If small scores go well, look at the numbers that your "
            "exponential gets to see here.",
        )


@points(1)
def test_any_size_may_be_1(student: Student, unpack: Unpack, draw: Draw) -> None:
    """A single query, key, feature or column of values keeps its axis."""
    chooses = False
    for n, m, d_k, d_v in ((3, 4, 2, 1), (1, 4, 3, 2), (3, 4, 1, 2), (2, 1, 3, 3), (1, 1, 1, 2)):
        Q, K, V = draw(n, d_k), draw(m, d_k), draw(m, d_v)
        weights, context = unpack(student.scaled_dot_product_attention(Q, K, V), (n, m))
        sizes = f"With n = {n}, m = {m}, d_k = {d_k} and d_v = {d_v}"
        expect.array(weights, (n, m), says=f"{sizes}, these are the attention weights.")
        chooses |= bool(np.ptp(weights, axis=1).max() > 1e-3)
        says = f"{sizes}, the context is not the product of your weights with V."
        expect.close(context, weights @ V, says)
    expect.that(chooses, "Your weights are alike for all keys, whatever the queries and keys.")


@points(1)
def test_it_agrees_with_equation_1_whatever_the_sizes(
    student: Student, unpack: Unpack, draw: Draw
) -> None:
    """Random inputs, with n, m, d_k and d_v equal or not, agree with equation 1."""
    all_sizes = [(4, 4, 8, 3), (3, 5, 4, 2), (5, 5, 6, 6), (1, 6, 2, 7)]
    questions = [(draw(n, d_k), draw(m, d_k), draw(m, d_v)) for n, m, d_k, d_v in all_sizes]
    Q, K, V = questions[1]  # asked again, then with one of the three exchanged
    questions += [(Q, K, V), (draw(3, 4), K, V), (Q, draw(5, 4), V), (Q, K, draw(5, 2))]
    all_sizes += 4 * all_sizes[1:2]
    answers = [student.scaled_dot_product_attention(*question) for question in questions]
    for (n, m, d_k, d_v), (Q, K, V), pair in zip(all_sizes, questions, answers, strict=True):
        weights, context = unpack(pair, (n, m))
        sizes = f"With n = {n}, m = {m}, d_k = {d_k} and d_v = {d_v}"
        expected = softmax(np.einsum("nd,md->nm", Q, K) / np.sqrt(d_k), axis=1)
        expect.close(
            weights,
            expected,
            f"{sizes}, the weights are not softmax(Q Kᵀ / √d_k), each row on its own. This test "
            "combines the ones above; fix those first.",
        )
        expect.close(
            context,
            np.einsum("nm,mv->nv", expected, V),
            f"{sizes}, the weights are right, but the context is not their product with V.",
        )


@points(1)
def test_the_inputs_are_left_alone(student: Student, unpack: Unpack, paired: Arrays) -> None:
    """Q, K and V are not changed."""
    *inputs, _ = paired
    weights, _ = unpack(student.scaled_dot_product_attention(*inputs), (4, 4))
    expect_choice(weights, (4, 4), "attention weights")
    Q, K, V = inputs
    laws.leaves_inputs_alone(
        student,
        lambda: student.scaled_dot_product_attention(Q[:1] + 1, K + 1, V),
        reveals="attention-input-changed",
    )
