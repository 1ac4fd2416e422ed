"""Hidden tests of `cached_attention_step`: the cache, one step by hand, then whole sequences."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch.nn.functional import scaled_dot_product_attention

from autograder.testing import Student, expect, laws, points

Draw = Callable[..., torch.Tensor]

BATCH, T, D = 3, 5, 4
LENGTH = 9  # of a whole sequence: longer than what other tests look at
BEYOND = 1100  # tokens in a cache: more than any table of 64, 512 or 1024


def unpack(result: Any) -> tuple[Any, Any, Any]:
    """Unpack (output, (keys, values)), in either order, or three in a row.

    That they are a pair, the output first, has a test of its own.
    """
    if isinstance(result, (tuple, list)) and len(result) == 3:
        return result[0], result[1], result[2]
    return unpack_strictly(in_order(result))


def in_order(result: Any) -> Any:
    """Return (output, cache) in this order, if a cache, which is no tensor, comes first."""
    match result:
        case ((tuple() | list()) as cache, output) if hasattr(output, "shape"):
            return output, cache
    return result


def unpack_strictly(result: Any) -> tuple[Any, Any, Any]:
    """Unpack (output, (keys, values))."""
    output, cache = expect.pair(result, "output", "new_cache")
    return output, *expect.pair(cache, "keys", "values")


def tenths(*parts: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Round to one decimal: where a cache is looked at, rounding has no say. It has elsewhere."""
    return tuple(part.round(decimals=1) for part in parts)


def average_of(result: Any, shape: tuple[int, ...]) -> Any:
    """Return the output divided by its last feature, of which each value was 1.

    What the weights sum to cancels out: that has tests of its own.
    """
    output = output_of(result)
    expect.array(output, shape, "tensor")
    return output / output[..., -1:]


def output_of(result: Any) -> Any:
    """Return the output, whatever stands beside it."""
    result = in_order(result)
    return result[0] if isinstance(result, (tuple, list)) and result else result


@points(1)
def test_the_first_token_attends_to_itself(student: Student, draw: Draw) -> None:
    """Without a cache the output is the token's own value, and the new cache its key and value."""
    q, k, v = tenths(*draw(3, BATCH, 1, D))
    output, keys, values = unpack(student.cached_attention_step(q, k, v, None))
    expect.close(
        output, v, "The first token has only itself to look at: its own value should come back."
    )
    expect.close(keys, k, "After the first step the cached keys should be that one token's key.")
    expect.close(values, v, "After the first step the cached values should be its value.")


@points(1)
def test_the_cache_grows_by_one_token(student: Student, draw: Draw) -> None:
    """The new cache holds the old keys and values unchanged, and the new ones behind them."""
    q, k, v = tenths(*draw(3, BATCH, 1, D))
    cache = tenths(*draw(2, BATCH, T, D))
    _, keys, values = unpack_strictly(student.cached_attention_step(q, k, v, cache))
    for name, actual, old, new in (("keys", keys, cache[0], k), ("values", values, cache[1], v)):
        expect.close(
            actual,
            torch.cat([old, new], dim=1),
            f"The new cache of {name} should hold the old ones as they were, in their order, and "
            "the new token's at the end, each once.",
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
        "With equal scores, the output should be the average of the old values and the new one, "
        "and yours isn't. The new token sees all that came before, and itself.",
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
        "With d = 16, one key of three should get ¾ of the attention, and yours gets more or "
        "less. Work the scores, the divisor and the softmax out by hand.",
    )


@points(1)
def test_one_text_may_be_continued_in_two_ways(student: Student, draw: Draw) -> None:
    """Two continuations from the same cache know nothing of each other, and leave it as it was."""
    cache = tenths(*draw(2, BATCH, T, D))
    for q, k, v in (tenths(*draw(3, BATCH, 1, D)), tenths(*draw(3, BATCH, 1, D))):
        step = partial(student.cached_attention_step, q, k, v, cache)
        laws.leaves_inputs_alone(student, step)
        output, keys, _ = unpack(step())
        expect.array(keys, (BATCH, T + 1, D), "tensor")
        expect.array(output, (BATCH, 1, D), "tensor")
        expect.close(
            keys.sum(1),
            cache[0].sum(1) + k[:, 0],
            "From the same cache, two continuations were tried one after the other, and the keys "
            "in the new cache aren't those of the old one and the new token. All that a step knows "
            "should be in its arguments.",
        )


@points(1)
def test_any_size_will_do(student: Student, draw: Draw) -> None:
    """One feature, one sentence, one old token, then a long cache: every size works.

    Queries are 0, so the output is an average whatever the scores are divided by.
    """
    sizes = ((1, T, D), (BATCH, T, 1), (BATCH, 1, D), (1, 1, 2), (2, BEYOND, D), (2, 2, D))
    for batch, t, d in sizes:
        k, v = draw(2, batch, 1, d)
        cache = draw(batch, t, d), draw(batch, t, d)
        if d > 1:
            v[..., -1], cache[1][..., -1] = 1, 1
        result = student.cached_attention_step(torch.zeros(batch, 1, d), k, v, cache)
        expect.close(
            average_of(result, (batch, 1, d)) if d > 1 else output_of(result),
            torch.cat([cache[1], v], dim=1).mean(1, keepdim=True),
            f"With {t} tokens in the cache, batch {batch} and d = {d}, a query of zeros should "
            "take home the average of all values, and yours doesn't. Look for what the code "
            "takes from the sizes, or from an earlier call.",
        )
        _, keys, values = unpack(result)
        for part in (keys, values):
            expect.array(part, (batch, t + 1, d), "tensor")


@points(1)
def test_large_scores_are_survived(student: Student, draw: Draw) -> None:
    """Scores of several hundred, above 0 or below: the best key takes all.

    The gaps are of 200 and more, so neither rounding nor the scale decides which key wins.
    """
    scores = 50 * draw(2, T).sigmoid() + torch.tensor([[-600.0], [300]])
    scores[:, 2] += 250
    q, k, keys = torch.zeros(2, 1, 16), torch.zeros(2, 1, 16), torch.zeros(2, T - 1, 16)
    q[:, 0, :T] = 0.4 * scores  # √16 · score = 10 · query: a key is 10 at a place of its own
    keys[:, :, : T - 1], k[:, 0, T - 1] = 10 * torch.eye(T - 1), 10
    values, v = tenths(draw(2, T - 1, 16), draw(2, 1, 16))
    values[..., -1], v[..., -1] = 1, 1
    expect.close(
        average_of(student.cached_attention_step(q, k, v, (keys, values)), (2, 1, 16)),
        values[:, 2:3],
        "Scores were as large as 550, or all below −300, and the key with by far the best score "
        "didn't take all of the attention. What becomes of such numbers in your exponentials?",
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
