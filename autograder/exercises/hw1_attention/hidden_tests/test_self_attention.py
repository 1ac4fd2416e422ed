"""Hidden tests of `self_attention`, by ideas: roles, scale, softmax, values, what returns.

With the identity for X, the matrices W_Q, W_K and W_V are the queries, keys and values themselves.
Each mistake costs its idea and no more. The scale is looked at where neither the axis of softmax
nor an exchange of W_Q and W_K has an effect, softmax where the scale has none, and the context is
compared with what the student's own weights make of the values. Weights and context are found in
either order; the first test is about that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import softmax

from autograder.testing import Student, expect, laws, points

from ..rows import (
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
ROUGHLY = 2e-3  # rounding costs points in the first test


def tokens_of(vectors: np.ndarray, d_k: int) -> tuple[np.ndarray, ...]:
    """Return X, W_Q, W_K, W_V whose queries and keys are `vectors`, with zeros up to d_k entries.

    The values are `revealing`.
    """
    n, size = vectors.shape
    projection = np.eye(size + n, d_k) * (np.arange(size + n) < size)[:, None]
    reveal = np.vstack([np.zeros((size, n + 1)), revealing(n)])
    return np.hstack([vectors, np.eye(n)]), projection, projection.copy(), reveal


def squares(answer: Any, n: int) -> list[np.ndarray]:
    """Return the parts of an answer that are (n, n), in whatever order they come."""
    parts = answer if isinstance(answer, (tuple, list)) else ()
    return [np.asarray(part) for part in parts if np.shape(part) == (n, n)]


def expect_soft_weights(student: Student, leads: Arrays) -> None:
    """Require weights that go by how far a token leads, in whatever order the results are."""
    expect_soft(
        lambda vectors: weights_and_context(
            student.self_attention(*tokens_of(vectors, 4)), 4, 4, 5
        )[0],
        leads,
    )


@points(1, "two new arrays come back, in this order")
def test_weights_come_first_and_context_second(
    student: Student, paired: Arrays, leads: Arrays, draw: Draw
) -> None:
    """Two new arrays come back, the weights first, and X and the matrices are left alone."""
    W_Q, W_K, *_ = paired
    inputs = (np.eye(4), W_Q, W_K, draw(4, 3))
    pair = student.self_attention(*inputs)
    first, second = expect.pair(pair, "attention_weights", "context")
    is_swapped = (np.shape(first), np.shape(second)) == ((4, 3), (4, 4))
    expect.that(
        not is_swapped,
        "The two results come back in the other order. In this assignment the attention weights "
        "come first: `return attention_weights, context`.",
        reveals="self-attention-order-swapped",
    )
    expect_choice(first, (4, 4), "attention weights")
    laws.leaves_inputs_alone(
        student,
        lambda: student.self_attention(*(each + 1 for each in inputs)),
        reveals="self-attention-input-changed",
    )
    for n, d in ((4, 3), (4, 1), (1, 3), (1, 1)):
        X, W_Q, W_K, W_V = draw(n, d), *(draw(d, d, scale=0.5) for _ in range(3))
        weights, context = expect.pair(
            student.self_attention(X, W_Q, W_K, W_V), "attention_weights", "context"
        )
        sizes = f"With {n} tokens, and d_model = d_k = d_v = {d}"
        expect.array(weights, (n, n), says=f"{sizes}, these are the attention weights.")
        expect.array(context, (n, d), says=f"{sizes}, this is the context.")
        if 1 in (n, d):
            continue
        expected = softmax(X @ W_Q @ (X @ W_K).T / np.sqrt(d), axis=1)
        says = f"{sizes}, the numbers are nearly right, but not as exact as float64 can be."
        expect_exact(weights, expected, says)
        expect_exact(context, expected @ X @ W_V, says)
    expect_soft_weights(student, leads)


@points(2, "queries come from `W_Q`, keys from `W_K`")
def test_queries_come_from_w_q_and_keys_from_w_k(student: Student, leads: Arrays) -> None:
    """A token looks with its query, made by W_Q, and is found by its key, made by W_K."""
    hot, X = 20 * np.eye(3), np.eye(3)[[2, 1, 0]]
    turned = hot[[1, 2, 0]]
    answers = [
        student.self_attention(X, W_Q, W_K, X @ revealing(3))
        for W_Q, W_K in ((turned, hot), (hot, turned), (turned, hot))
    ]
    for answer, found in zip(answers, (1, 0, 1), strict=True):
        weights, _ = weights_and_context(answer, 3, 3, 4)
        expect.array(weights, (3, 3), says="These are the attention weights.")
        assert np.isfinite(weights).all(), "Your attention weights are not all finite numbers."
        # of the last token: a mask that nobody asked for hides nothing from it, and costs elsewhere
        expect.that(
            int(weights[2].argmax()) == found and np.ptp(weights[2]) > 1e-3,
            "The last token's query matches one other token's key here, but the largest weight of "
            "its row is on another one. Which matrix makes queries and which makes keys, and whose "
            "query and whose key make each score? Rows belong to queries, columns to keys.",
        )
    expect_soft_weights(student, leads)


@points(2, "scores are divided by the right number")
def test_scores_are_divided_by_the_root_of_d_k(student: Student, alike: Arrays) -> None:
    """The scores are divided by √d_k, the root of the number of columns of W_Q and W_K.

    So they are with d_k = 4, where the keys of four tokens make a square.
    """
    vectors, expected = alike
    answers = {
        d_k: student.self_attention(*tokens_of(d_k**0.25 * vectors, d_k))
        for d_k in (16, 5, 7, 4, 1000)
    }
    for d_k, answer in answers.items():
        weights, _ = weights_and_context(answer, 4, 4, 5)
        expect.array(weights, (4, 4), says="These are the attention weights.")
        expect.close(
            shares(weights[3:, :3]),
            shares(expected[3:, :3]),
            f"With d_model = 8 and d_k = {d_k}, the weights of the last token are not in the "
            "proportions of equation 1. Which number are the scores divided by before softmax, how "
            "often, and what else happens to them?",
            ROUGHLY,
        )


@points(1, "each token divides its attention among all, however large the scores are")
def test_each_token_divides_its_attention_among_all(
    student: Student, leads: Arrays, draw: Draw
) -> None:
    """Each token's weights sum to 1 over all tokens, however large the scores are."""
    directions, best = np.eye(2)[[0, 0, 1, 1, 1]], np.eye(5)[[1, 1, 3, 3, 3]]
    sizes = {
        "hundreds": ([20, 40, 20, 40, 30], ""),
        "thousands": ([40, 80, 15, 30, 20], "for some tokens, lower for others"),
        "hundreds of thousands": ([500, 1000, 30, 60, 40], "for some tokens, far lower for others"),
    }
    questions = [
        tokens_of(np.array(lengths)[:, None] * directions, 2) for lengths, _ in sizes.values()
    ]
    opposed = np.array([[0.5, 0], [-400, 0], [0, 400]])
    questions += [tokens_of(opposed, 2), tokens_of(draw(5, 3), 3)]
    *answers, of_opposed, drawn = [student.self_attention(*question) for question in questions]
    for (size, (_, more)), answer in zip(sizes.items(), answers, strict=True):
        weights, _ = weights_and_context(answer, 5, 5, 6)
        expect.close(
            weights,
            best,
            f"With scores of {size}{', ' if more else ''}{more}, a token whose query matches one "
            "key far better than all others should give it a weight of 1, whatever other tokens "
            "want. Look at one row of your weights: does it sum to 1, is every token in it, and "
            "which numbers does your exponential get to see?",
        )
    weights, _ = weights_and_context(of_opposed, 3, 3, 4)
    expect.that(
        weights[0, 1] < ROUGHLY,
        "A key that points away from a query, so that its score is hundreds below 0, should get "
        "none of that token's attention. What becomes of a negative score on its way to a weight?",
    )
    weights, _ = weights_and_context(drawn, 5, 5, 6)
    expect_choice(weights, (5, 5), "attention weights")
    expect.close(
        weights.sum(axis=1),
        1,
        "For drawn tokens, the weights of a token don't sum to 1. What is each of your rows "
        "divided by?",
        5 * ROUGHLY,
    )
    order, matrices = [3, 0, 4, 1, 2], [draw(4, d, scale=0.5) for d in (3, 3, 6)]
    X = draw(5, 4)
    in_two_orders = (
        squares(student.self_attention(tokens, *matrices), 5) for tokens in (X, X[order])
    )
    for one, other in zip(*in_two_orders, strict=False):
        expect.close(
            other,
            one[np.ix_(order, order)],
            "The same tokens in another order give each other other weights, though attention "
            "doesn't know the order. Which step of yours depends on where a token stands?",
            5 * ROUGHLY,
        )
    X = np.vstack([np.zeros(4), [1, -1, 0, 0], draw(38, 4)])
    X[-1] = X[2]  # a token may come twice
    answer = student.self_attention(X, *(draw(4, d, scale=0.5) for d in (3, 3, 6)))
    for weights in squares(answer, 40):
        expect_all_count(weights[-1], "token")
    queries, keys, expected = faint()
    answer = student.self_attention(np.eye(3), queries, keys, revealing(3))
    weights, _ = weights_and_context(answer, 3, 3, 4)
    expect_faint(weights, expected, "token", "self-attention-small-weights-cut-off")
    expect_soft_weights(student, leads)


@points(2, "the context averages what `W_V` makes")
def test_the_context_averages_what_w_v_makes(
    student: Student, paired: Arrays, leads: Arrays, draw: Draw
) -> None:
    """The context averages the values, which W_V makes of the tokens."""
    W_Q, W_K, W_V, expected = paired
    questions: list[Arrays] = [
        (np.eye(4), W_Q, W_K, W_V),
        (np.eye(4), W_Q, W_K, draw(4, 4)[:, [0, 1, 2]]),
    ]
    for n, d_model, d_k, d_v in ((5, 3, 2, 3), (3, 4, 4, 4), (2, 4, 3, 3)):
        W_Q, W_K = draw(d_model, d_k, scale=0.5), draw(d_model, d_k, scale=0.5)
        questions.append((draw(n, d_model), W_Q, W_K, draw(d_model, d_v)))
    first = questions[-1]  # asked again, then with one of the four exchanged
    exchanged = (draw(2, 4), draw(4, 3, scale=0.5), draw(4, 3, scale=0.5), draw(4, 3))
    questions += [first, *((*first[:at], exchanged[at], *first[at + 1 :]) for at in range(4))]
    answers = [student.self_attention(*question) for question in questions]
    for (X, W_Q, W_K, W_V), answer in zip(questions, answers, strict=True):
        n, d_v = len(X), W_V.shape[1]
        parts = answer if isinstance(answer, (tuple, list)) and len(answer) == 2 else None
        weights, context = parts if parts and n == d_v else weights_and_context(answer, n, n, d_v)
        expected = softmax(X @ W_Q @ (X @ W_K).T / np.sqrt(W_K.shape[1]), axis=1) @ X @ W_V
        expect.array(context, (n, d_v), says="This is the context.")
        if not np.allclose(context, expected, 0, 1e-5):
            expect_choice(weights, (n, n), "attention weights")
            expect.close(
                context,
                weights @ X @ W_V,
                f"With {n} tokens, d_model = {X.shape[1]}, d_k = {W_K.shape[1]} and d_v = {d_v}, "
                "the context is not what the weights that you return make of the values. Row i "
                "should be the average of all values, each times its weight in row i.",
                5 * ROUGHLY,
            )
    expect_soft_weights(student, leads)
