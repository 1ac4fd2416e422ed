"""Hidden tests of `scaled_dot_product_attention`, by ideas: scale, softmax, context, what returns.

Each mistake costs its idea and no more. The scale is looked at where neither the axis of softmax
nor an exchange of Q and K has an effect, softmax where the scale has none, and the context is
compared with what the student's own weights make of V. Weights and context are found in either
order; the first test is about that.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.special import softmax

from autograder.testing import Student, expect, laws, points

from ..rows import (
    attempted,
    expect_all_count,
    expect_choice,
    expect_exact,
    expect_faint,
    expect_soft,
    faint,
    revealing,
    shares,
    weights_and_context,
)

Draw = Callable[..., np.ndarray]
Arrays = tuple[np.ndarray, ...]
AMONG_KEYS = "each query divides its attention among the keys, however large the scores are"
ROUGHLY = 2e-3  # rounding costs points in the first test


def expect_soft_weights(student: Student, leads: Arrays) -> None:
    """Require weights that go by how far a key leads, in whatever order the results are."""
    expect_soft(
        lambda vectors: weights_and_context(
            student.scaled_dot_product_attention(vectors, vectors.copy(), revealing(4)), 4, 4, 5
        )[0],
        leads,
    )


@points(1, "two new arrays come back, in this order")
def test_weights_come_first_and_context_second(
    student: Student, paired: Arrays, leads: Arrays, draw: Draw
) -> None:
    """Two new arrays come back, the weights first, and Q, K and V are left alone."""
    Q, K, *_ = paired
    inputs = (Q, K, draw(4, 3))
    pair = student.scaled_dot_product_attention(*inputs)
    first, second = expect.pair(pair, "attention_weights", "context")
    is_swapped = (np.shape(first), np.shape(second)) == ((4, 3), (4, 4))
    expect.that(
        not is_swapped,
        "The two results come back in the other order. In this assignment the attention weights "
        "come first: `return attention_weights, context`.",
        reveals="attention-order-swapped",
    )
    expect_choice(first, (4, 4), "attention weights")
    expect.array(second, (4, 3), says="This is the context.")
    laws.leaves_inputs_alone(
        student,
        lambda: student.scaled_dot_product_attention(*(each + 1 for each in inputs)),
        reveals="attention-input-changed",
    )
    for n, d_k in ((3, 2), (3, 1), (1, 3), (1, 1)):
        Q, K, V = draw(n, d_k), draw(n, d_k), draw(n, d_k)
        weights, context = expect.pair(
            student.scaled_dot_product_attention(Q, K, V), "attention_weights", "context"
        )
        sizes = f"With n = m = {n} and d_k = d_v = {d_k}"
        expect.array(weights, (n, n), says=f"{sizes}, these are the attention weights.")
        expect.array(context, (n, d_k), says=f"{sizes}, this is the context.")
        if 1 in (n, d_k):
            continue
        expected = softmax(Q @ K.T / np.sqrt(d_k), axis=1)
        says = f"{sizes}, the numbers are nearly right, but not as exact as float64 can be."
        expect_exact(weights, expected, says)
        expect_exact(context, expected @ V, says)
    expect_soft_weights(student, leads)


@points(3, "scores are divided by the right number")
def test_scores_are_divided_by_the_root_of_d_k(student: Student, alike: Arrays) -> None:
    """The scores are divided by √d_k before softmax, also where K is square."""
    vectors, expected = alike
    answers = {}
    for d_k in (16, 5, 7, 4, 1000):
        padded = np.pad(d_k**0.25 * vectors, ((0, 0), (0, d_k - 4)))
        answers[d_k] = student.scaled_dot_product_attention(padded, padded.copy(), revealing(4))
    for d_k, answer in answers.items():
        weights, _ = weights_and_context(answer, 4, 4, 5)
        expect.array(weights, (4, 4), says="These are the attention weights.")
        # of the last query: a mask that nobody asked for hides nothing from it, and costs elsewhere
        expect.close(
            shares(weights[3:, :3]),
            shares(expected[3:, :3]),
            f"For d_k = {d_k}, the weights of the last query are not in the proportions of "
            "equation 1. Which number are your scores divided by before softmax, and what else "
            "happens to them?",
            ROUGHLY,
        )


@points(1, AMONG_KEYS)
def test_each_query_divides_its_attention_among_the_keys(
    student: Student, leads: Arrays, draw: Draw
) -> None:
    """Each query's weights sum to 1 over the keys, and a key that matches best gets most.

    So it is with as many queries as keys, where sizes don't tell the axes apart. A key of zeros
    counts as well.
    """
    keys = 20 * np.eye(4)[[0, 1, 2, 3, 2]]
    asked = ([2, 0, 2], [0, 2, 0], [2, 0, 2, 0, 0], [2, *(35 * [0, 2])])
    answers = [
        student.scaled_dot_product_attention(keys[queries], keys, revealing(5)) for queries in asked
    ]
    by_key = {0: np.eye(5)[0], 2: np.array([0, 0, 0.5, 0, 0.5])}
    for queries, answer in zip(asked, answers, strict=True):
        weights, _ = weights_and_context(answer, len(queries), 5, 6)
        expect.close(
            weights,
            np.stack([by_key[query] for query in queries]),
            "A query that matches one key far better than all others should give it a weight of 1, "
            "and one that matches two of them equally well half to each, whatever other queries "
            "want. Look at one row of your weights: does it sum to 1, and which keys get most of "
            "it?",
        )
    K = np.vstack([np.zeros(3), [1, -1, 0], draw(35, 3)])
    answer = student.scaled_dot_product_attention(draw(5, 3), K, revealing(37))
    weights, _ = weights_and_context(answer, 5, 37, 38)
    expect_all_count(weights[-1], "key")
    Q, K, expected = faint()
    answer = student.scaled_dot_product_attention(Q, K, revealing(3))
    weights, _ = weights_and_context(answer, 3, 3, 4)
    expect_faint(weights, expected, "key", "attention-small-weights-cut-off")
    expect_soft_weights(student, leads)


@points(1, AMONG_KEYS)
def test_large_scores_do_not_overflow(student: Student, large: Arrays, leads: Arrays) -> None:
    """Scores of thousands and more give ordinary weights, at whatever level a query's lie."""
    Q, K, V, expected = large
    for size, factor in (("thousands", 1 / 8), ("hundreds of thousands", 1)):
        answer = student.scaled_dot_product_attention(factor * Q, factor * K, V)
        weights, _ = weights_and_context(answer, 4, 6, 7)
        expect.close(
            weights,
            expected,
            f"With scores of {size}, high for some queries and low for others, the weights are not "
            "those of equation 1. If small scores go well, look at the numbers that your "
            "exponential gets to see here.",
        )
    expect_soft_weights(student, leads)


@points(2, "the context averages the values by these weights")
def test_the_context_averages_the_values(
    student: Student, paired: Arrays, leads: Arrays, draw: Draw
) -> None:
    """The context of a query is the average of the values, weighted by its attention."""
    says = (
        "The context is not what the weights that you return make of the values. Row i should be "
        "the average of all values, each times its weight in row i."
    )
    Q, K, V, expected = paired
    weights, context = weights_and_context(student.scaled_dot_product_attention(Q, K, V), 4, 4, 5)
    expect.array(context, (4, 5), says="This is the context.")
    if not np.allclose(context, expected @ V, 0, 1e-5):
        expect_choice(weights, (4, 4), "attention weights")
        expect.close(context, weights @ V, says, ROUGHLY)
    sizes_of_all = ((5, 3, 4, 2), (3, 5, 4, 6), (1, 3, 2, 1), (4, 4, 3, 2))
    questions = [(draw(n, d_k), draw(m, d_k), draw(m, d_v)) for n, m, d_k, d_v in sizes_of_all]
    Q, K, V = questions[-1]  # asked again, then with one of the three exchanged
    questions += [(Q, K, V), (draw(4, 3), K, V), (Q, draw(4, 3), V), (Q, K, draw(4, 2))]
    sure = np.array([[np.sqrt(np.sqrt(2) * np.log(199)), 0]])  # of one key, to 99.5%
    questions.append(
        (sure.repeat(3, 0), np.vstack([sure, [0, 0]]), np.array([[0.0, 5, 5], [1000, 5, 5]]))
    )
    answers = [
        attempted(partial(student.scaled_dot_product_attention, *each)) for each in questions
    ]
    for (Q, K, V), answer in zip(questions, answers, strict=True):
        (n, d_k), (m, d_v) = Q.shape, V.shape
        weights, context = weights_and_context(answer, n, m, d_v)
        if isinstance(weights, np.ndarray) and weights.shape == (n, m):
            sizes = f"With n = {n}, m = {m}, d_k = {d_k} and d_v = {d_v}:"
            wanted = softmax(Q @ K.T / np.sqrt(d_k), axis=1) @ V
            if np.shape(context) != wanted.shape or not np.allclose(context, wanted, 0, 1e-5):
                expect.close(context, weights @ V, f"{sizes} {says}", 5 * ROUGHLY)
    expect_soft_weights(student, leads)
