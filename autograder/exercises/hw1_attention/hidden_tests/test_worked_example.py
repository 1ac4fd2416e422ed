"""Hidden tests of `worked_example`: each step of the table is an idea, the dictionary another.

A step is compared with what the student's own earlier steps make of it, so that one slip doesn't
cost every step after it. Where a student takes every token through the steps, the row of the token
asked for is looked at; the first test is about that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import softmax

from autograder.testing import Student, describe, expect, laws, points

from ..rows import attempted, expect_exact, faint, is_cut_off

Draw = Callable[..., np.ndarray]
Arrays = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
PROJECTIONS = "the `query` of the token asked for; `keys` and `values` of all"
ROUGHLY = 2e-3  # rounding costs points in the first test

NAMES = ("query", "keys", "values", "scores", "weights", "context", "output")
Steps = dict[str, Any]


def scores_of(X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray) -> np.ndarray:
    """Return the scores of every query with every key."""
    scores: np.ndarray = X @ W_Q @ (X @ W_K).T / np.sqrt(W_K.shape[1])
    return scores


def inputs_of(rng: np.random.Generator, d_k: int) -> Arrays:
    """Return X (5, 6), W_Q and W_K (6, d_k) and W_V (6, 6), of halves, so that sums are exact.

    They are drawn again until no two tokens are alike, none takes nearly all of the attention, and
    no query is one number throughout.
    """
    while True:
        X, W_Q, W_K, W_V = (
            np.clip(np.round(scale * rng.standard_normal((n, m))), -4, 4) / 2
            for n, m, scale in ((5, 6, 2), (6, d_k, 1), (6, d_k, 1), (6, 6, 1))
        )
        scores = scores_of(X, W_Q, W_K)
        steps = np.diff(np.sort(scores, axis=1), axis=1)
        differ = np.ptp(X, axis=0).all() and np.ptp(X @ W_Q, axis=1).all()
        if differ and steps.min() > 0.1 and softmax(scores, axis=1).max() < 0.9:
            return X, W_Q, W_K, W_V


@pytest.fixture
def drawn(rng: np.random.Generator) -> Arrays:
    """X, W_Q, W_K and W_V with a d_k of its own."""
    return inputs_of(rng, 3)


@pytest.fixture
def square(rng: np.random.Generator) -> Arrays:
    """X, W_Q, W_K and W_V with d_k = d_model: a wrong array for another costs no other steps."""
    return inputs_of(rng, 6)


def steps_in(result: Any) -> Steps:
    """Return the steps by name."""
    assert isinstance(result, dict), (
        "A dictionary with the names of the steps should come back, but you return "
        f"{describe(result)}."
    )
    return result


def step(steps: Steps, name: str, row: int | None = None) -> Any:
    """Return the step of that name; if it has a row for every token, where there is one, `row`.

    Of a matrix of one row, where a vector is asked for, that row is returned.
    """
    expect.that(
        name in steps,
        f"The dictionary has no {name!r}. Which of your steps is it, and under which name?",
        reveals="example-name-missing",
    )
    value = steps[name]
    if row is None or not isinstance(value, np.ndarray) or value.ndim != 2:
        return value
    return value[0] if len(value) == 1 else value[row] if row < len(value) else value


def earlier(steps: Steps, name: str, shape: tuple[int, ...], row: int | None = None) -> np.ndarray:
    """Return the step of that name, of which a later one is made; a constant says nothing."""
    value = step(steps, name, row)
    expect.array(value, shape, says=f"This is `{name}`, which the next step is made of.")
    entries = np.asarray(value, dtype=float)
    assert np.isfinite(entries).all(), f"`{name}` holds nan or ∞, which nothing can be made of."
    constant = entries.size > 1 and (entries == entries.flat[0]).all()
    assert not constant, f"All entries of `{name}` are equal, so the next step can't be checked."
    return entries


def expect_computed(student: Student, square: Arrays) -> None:
    """Require weights that share the attention, and a step made as the table says.

    What a step makes of others is worth nothing where those are made up, or where the best key
    gets everything. Weights count under another name as well.
    """
    X, W_Q, W_K, W_V = square
    answer = attempted(lambda: student.worked_example(*square, 2))
    if not isinstance(answer, dict):
        return
    steps = {name: numbers_in(step(answer, name, 2)) for name in answer}
    steps |= {name: numbers_in(answer[name]) for name in ("keys", "values") if name in answer}
    made = {"query": X[2] @ W_Q, "keys": X @ W_K, "values": X @ W_V}
    made["scores"] = scores_of(X, W_Q, W_K)[2]
    made["context"] = softmax(made["scores"]) @ made["values"]
    keys, query = steps.get("keys", np.zeros(0)), steps.get("query", np.zeros(0))
    right = {name for name in made if name in steps and is_near(steps[name], made[name])}
    follows = keys.shape[1:] == query.shape == (6,) and np.ptp(query) > 0
    if follows and "scores" in steps and is_near(steps["scores"], keys @ query / np.sqrt(6)):
        right.add("scores")
    assert right, (
        "No step of yours is what the table says, of the inputs or of the steps before it. Begin "
        "with `query`: row `token` of X, times W_Q."
    )
    assert keys.ndim != 1, (
        f"Your `keys` are a single row, of shape {keys.shape}. Every token has a key of its own, a "
        "row of a matrix, and so it has a value: the token that asks can look at all of them."
    )
    others = (steps[name] for name in steps if name not in {*NAMES} - {"weights"})
    weights = [each for each in others if each.shape == (len(keys),)]
    shared = [
        each
        for each in weights
        if len(each) == 1 or ((np.abs(each) > 1e-12).sum() > 1 and np.ptp(each) > 1e-3)
    ]
    assert shared or "context" in right, (
        "Your attention isn't shared out by the scores: one key gets everything, or all get the "
        "same. On the notebook's numbers the best key does get nearly everything, since their "
        "scores lie a thousand apart; these lie close together."
    )


def numbers_in(value: Any) -> np.ndarray:
    """Return a step as an array of numbers, be it a list; what holds no numbers as an empty one."""
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return np.zeros(0)


def is_near(value: np.ndarray, expected: np.ndarray) -> bool:
    """Tell whether a step holds the numbers expected, or nearly those."""
    return value.shape == expected.shape and np.allclose(value, expected, 0, ROUGHLY)


@points(1, "a dictionary of seven arrays; the inputs stay as they were")
def test_a_dictionary_of_seven_arrays_comes_back(
    student: Student, square: Arrays, draw: Draw
) -> None:
    """Seven names, vectors and matrices with the right axes, exact; the inputs are left alone."""
    expect_computed(student, square)
    answer = steps_in(student.worked_example(*square, 3))
    earlier(answer, "query", (6,), 3)
    for name in NAMES:
        expect.that(
            name in answer,
            f"The dictionary has no {name!r}. It has: {', '.join(map(str, answer)) or 'nothing'}.",
            reveals="example-name-missing",
        )
    extra = ", ".join(str(name) for name in answer if name not in NAMES)
    says = f"The seven names are there, but there are more: {extra}."
    expect.that(not extra, says, reveals="example-name-too-many")
    laws.leaves_inputs_alone(
        student,
        lambda: student.worked_example(*square, 0),
        reveals="example-input-changed",
    )
    for n, d_model, d_k in ((5, 6, 3), (1, 4, 2), (3, 1, 2), (3, 4, 1)):
        X, W_V = draw(n, d_model), draw(d_model, d_model)
        W_Q, W_K = draw(d_model, d_k), draw(d_model, d_k)
        steps = student.worked_example(X, W_Q, W_K, W_V, n - 1)
        sizes = f"{n} tokens, d_model = {d_model} and d_k = {d_k}"
        vectors = {"query": d_k, "scores": None, "weights": None}
        vectors |= {"context": d_model, "output": d_model}
        for name, size in vectors.items():
            length = size or np.size(steps[name])
            expect.array(steps[name], (length,), says=f"That is `{name}`, with {sizes}.")
        for name, size in {"keys": d_k, "values": d_model}.items():
            shape = (len(steps[name]) if np.ndim(steps[name]) else n, size)
            expect.array(steps[name], shape, says=f"That is `{name}`, with {sizes}.")
    # a step against what the earlier ones make of it, so that a slip costs its own points only
    steps = {name: step(answer, name, 3) for name in NAMES}
    exact: dict[str, Callable[[], np.ndarray]] = {
        "scores": lambda: steps["keys"] @ steps["query"] / np.sqrt(6),
        "weights": lambda: softmax(steps["scores"]),
        "context": lambda: steps["weights"] @ steps["values"],
        "output": lambda: square[0][3] + steps["context"],
    }
    steps |= {name: step(answer, name) for name in ("keys", "values")}
    shapes = [np.shape(steps[name]) for name in NAMES]
    if shapes == [(6,), (5, 6), (5, 6), (5,), (5,), (6,), (6,)]:
        for name, numbers in exact.items():
            says = f"`{name}` is nearly right, but not as exact as float64 can be."
            expect_exact(steps[name], numbers(), says, 2e-2)


@points(1, PROJECTIONS)
def test_the_query_is_that_of_the_token_asked_for(student: Student, square: Arrays) -> None:
    """`query` is the token's own features times W_Q, for the token asked for."""
    X, W_Q, _, _ = square
    answers = {token: student.worked_example(*square, token) for token in (0, 3, 4)}
    for token, answer in answers.items():
        expect.close(
            step(steps_in(answer), "query", len(X)),  # no row of the queries of all tokens
            X[token] @ W_Q,
            f"For token {token} of 5, `query` is not that token's row of X through W_Q. Whose row "
            "is it, through which matrix, and is any of the numbers cut off or rounded?",
            ROUGHLY,
        )


@points(1, PROJECTIONS)
def test_every_token_has_a_key_and_a_value(student: Student, square: Arrays) -> None:
    """`keys` and `values` have one row for every token, made by W_K and by W_V."""
    expect_computed(student, square)
    X, _, W_K, W_V = square
    for steps in [steps_in(student.worked_example(*square, token)) for token in (0, 3)]:
        for name, expected in {"keys": X @ W_K, "values": X @ W_V}.items():
            expect.close(
                step(steps, name),
                expected,
                f"`{name}` should be all of X through the matrix for {name}, one row for each "
                "token. Is every token there, is it this matrix, and does a row belong to a token?",
                ROUGHLY,
            )


@points(2, "`scores`")
def test_scores_are_already_divided_by_the_root_of_d_k(
    student: Student, drawn: Arrays, square: Arrays
) -> None:
    """`scores` are the query's products with all keys, divided by √d_k; of d_k tokens as well."""
    expect_computed(student, square)
    X, *matrices = square
    nothing, cancelled = np.zeros(6), np.array([1, -1, 0, 0, 0, 0])  # tokens like any other
    as_many = (np.vstack([X[:4], nothing, cancelled]), *matrices)
    other = attempted(lambda: student.worked_example(*drawn, 2))  # the first test needs it to run
    questions = (square, as_many)
    answers = [(other, drawn), *((student.worked_example(*each, 2), each) for each in questions)]
    for answer, (_, W_Q, _, _) in answers[other is None :]:
        steps, d_k = steps_in(answer), W_Q.shape[1]
        n = len(steps.get("keys", ()))
        query = earlier(steps, "query", (d_k,), 2)
        keys = earlier(steps, "keys", (n, d_k))
        expect.close(
            step(steps, "scores", 2),
            keys @ query / np.sqrt(d_k),
            f"With d_model = 6 and d_k = {d_k}, `scores` should hold the product of your `query` "
            "with each of your `keys`, already divided by the root of d_k. That is the length of a "
            "query, and need be neither d_model nor the number of tokens.",
            ROUGHLY,
        )


@points(1, "`weights`")
def test_weights_are_the_softmax_of_the_scores(
    student: Student, square: Arrays, two_tokens: Arrays
) -> None:
    """`weights` are the softmax of `scores`, even if these reach hundreds of thousands."""
    expect_computed(student, square)
    X, *matrices = two_tokens
    examples = {
        "On drawn inputs": square,
        "With `X_two` and its matrices": two_tokens,
        "With ten times `X_two` and its matrices": (10 * X, *matrices),
        "With its two tokens exchanged": (10 * X[::-1], *matrices),
    }
    answers = {case: student.worked_example(*question, 1) for case, question in examples.items()}
    for case, answer in answers.items():
        steps = steps_in(answer)
        n = 5 if case == "On drawn inputs" else 2
        scores = step(steps, "scores", 1)
        n = len(scores) if np.ndim(scores) == 1 else n
        expect.close(
            step(steps, "weights", 1),
            softmax(earlier(steps, "scores", (n,), 1)),
            f"{case}, `weights` are not the softmax of the `scores` that you return beside them. "
            "Are they positive, do they sum to 1, and do they come from these scores?",
            ROUGHLY,
        )
    answer = attempted(lambda: student.worked_example(np.eye(3), *faint()[:2], np.eye(3), 1))
    if isinstance(answer, dict) and {"scores", "weights"} <= answer.keys():
        scores, weights = (numbers_in(step(answer, name, 1)) for name in ("scores", "weights"))
        expect.that(
            scores.ndim != 1 or not is_cut_off(weights, softmax(scores)),
            "Where a score lies 7 below the best one, its entry of `weights` is 0. Softmax leaves "
            "nobody without a share. Which of your steps takes little for nothing?",
            reveals="example-small-weights-cut-off",
        )


@points(1, "`context`")
def test_the_context_averages_the_values(student: Student, square: Arrays) -> None:
    """`context` is the average of `values`, weighted by `weights`."""
    expect_computed(student, square)
    steps = steps_in(student.worked_example(*square, 2))
    n = len(steps.get("values", ()))
    expect.close(
        step(steps, "context", 2),
        earlier(steps, "weights", (n,), 2) @ earlier(steps, "values", (n, 6)),
        "`context` should be the sum of your `values`, each times its entry of the `weights` that "
        "you return, and nothing else: the residual comes after it.",
        5 * ROUGHLY,
    )


@points(2, "`output`")
def test_the_output_adds_the_tokens_own_features(student: Student, square: Arrays) -> None:
    """`output` is the residual connection: the token's own features plus the context."""
    expect_computed(student, square)
    X = square[0]
    answers = {token: student.worked_example(*square, token) for token in (0, 3)}
    for token, answer in answers.items():
        steps = steps_in(answer)
        expect.close(
            step(steps, "output", token),
            X[token] + earlier(steps, "context", (6,), token),
            f"For token {token} of 5, `output` is not that token's own row of X plus the `context` "
            "that you return. The layer adds to a token's features; it doesn't replace them.",
            5 * ROUGHLY,
        )
