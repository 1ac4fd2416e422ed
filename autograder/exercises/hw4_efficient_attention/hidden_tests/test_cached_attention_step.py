"""Hidden tests of `cached_attention_step`: the cache, one step by hand, then whole sequences."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch.nn.functional import scaled_dot_product_attention

from autograder.testing import Student, expect, points

Draw = Callable[..., torch.Tensor]

BATCH, T, D = 3, 5, 4
LENGTH = 9  # of a whole sequence: longer than what other tests look at


def unpack(result: Any) -> tuple[Any, Any, Any]:
    """Unpack (output, (keys, values)), or three in a row: that they are a pair has its own test."""
    if isinstance(result, (tuple, list)) and len(result) == 3:
        return result[0], result[1], result[2]
    return unpack_strictly(result)


def unpack_strictly(result: Any) -> tuple[Any, Any, Any]:
    """Unpack (output, (keys, values))."""
    output, cache = expect.pair(result, "output", "new_cache")
    return output, *expect.pair(cache, "keys", "values")


def output_of(result: Any) -> Any:
    """Return the output, whatever stands beside it."""
    return result[0] if isinstance(result, (tuple, list)) and result else result


@points(1)
def test_the_first_token_attends_to_itself(student: Student, draw: Draw) -> None:
    """Without a cache the output is the token's own value, and the new cache its key and value."""
    q, k, v = draw(3, BATCH, 1, D)
    output, keys, values = unpack(student.cached_attention_step(q, k, v, None))
    expect.close(
        output, v, "The first token has only itself to look at: its own value should come back."
    )
    expect.close(keys, k, "After the first step the cached keys should be that one token's key.")
    expect.close(values, v, "After the first step the cached values should be its value.")


@points(1)
def test_the_cache_grows_by_one_token(student: Student, draw: Draw) -> None:
    """The new cache holds the old keys and values unchanged, and the new ones behind them."""
    q, k, v = draw(3, BATCH, 1, D)
    cache = draw(BATCH, T, D), draw(BATCH, T, D)
    _, keys, values = unpack_strictly(student.cached_attention_step(q, k, v, cache))
    for name, actual, old, new in (("keys", keys, cache[0], k), ("values", values, cache[1], v)):
        expect.close(
            actual,
            torch.cat([old, new], dim=1),
            f"The new cache of {name} should hold the old ones in their order and the new token's "
            "at the end, each once.",
        )


@points(1)
def test_equal_scores_average_the_old_values_and_the_new(student: Student, draw: Draw) -> None:
    """A query of zeros takes home the plain average of all values so far, its own included."""
    k, v = draw(2, BATCH, 1, D)
    cache = draw(BATCH, T, D), draw(BATCH, T, D)
    result = student.cached_attention_step(torch.zeros(BATCH, 1, D), k, v, cache)
    expect.close(
        output_of(result),
        torch.cat([cache[1], v], dim=1).mean(1, keepdim=True),
        "With equal scores, the output should be the average of the old values and the new one. "
        "The new token sees all that came before, and itself.",
    )


@points(1)
def test_scores_are_divided_by_the_root_of_d(student: Student) -> None:
    """Two old tokens and a new one with d = 16, by hand: ¾ of the attention goes to one key."""
    q, k, v = torch.zeros(3, 1, 1, 16)
    keys, values = torch.zeros(2, 1, 2, 16)
    q[..., 0] = 4 * math.log(6)  # √16 · ln 6, so the weights are as 6 to 1 to 1
    keys[0, 1, 0] = 1
    values[0, 1] = 8
    result = student.cached_attention_step(q, k, v, (keys, values))
    expect.close(
        output_of(result),
        torch.full((1, 1, 16), 6.0),
        "The attention is sharper or flatter than it should be. The scores are divided by the "
        "square root of the number of features; how many tokens there are doesn't matter.",
    )


@points(1)
def test_one_text_may_be_continued_in_two_ways(student: Student, draw: Draw) -> None:
    """Two continuations from the same cache know nothing of each other, and leave it as it was."""
    cache = draw(BATCH, T, D), draw(BATCH, T, D)
    for _ in range(2):
        q, k, v = draw(3, BATCH, 1, D)
        result = student.cached_attention_step(q, k, v, cache)
        assert not student.inputs_changed, (
            "Your function changes the cache, or the query, key or value that it was given. Make "
            "new tensors instead."
        )
        output, keys, _ = unpack(result)
        expect.array(keys, (BATCH, T + 1, D), "tensor")
        expect.array(output, (BATCH, 1, D), "tensor")
        expect.close(
            keys.sum(1),
            cache[0].sum(1) + k[:, 0],
            "From the same cache, two continuations were tried one after the other, and something "
            "of one turned up in the other, or got lost. All that a step knows should be in its "
            "arguments.",
        )


@points(2)
def test_step_by_step_it_is_causal_attention(student: Student, draw: Draw) -> None:
    """Stepping through a sequence gives what causal attention gives for the whole at once."""
    Q, K, V = draw(3, BATCH, LENGTH, D)
    expected = scaled_dot_product_attention(Q, K, V, is_causal=True)
    cache = None
    for t in range(LENGTH):
        q, k, v = (whole[:, t : t + 1] for whole in (Q, K, V))
        output, keys, values = unpack_strictly(student.cached_attention_step(q, k, v, cache))
        cache = (keys, values)
        for part in cache:
            expect.array(part, (BATCH, t + 1, D), "tensor")
        expect.close(
            output,
            expected[:, t : t + 1],
            f"At step {t + 1} the output differs from what causal attention gives for that token. "
            "Each token attends to itself and to all before it, with the cache that the step "
            "before returned.",
        )
