"""Hidden tests of `cached_attention_step`, by idea: cache, attention, sentences, whole sequences.

Where an idea is tried alone, the others have no say: what the weights sum to cancels out, shares
are looked at among the tokens that are attended to, and a cache is drawn, not taken from a step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from autograder.testing import Student, expect, laws, points

from ..long_text import expect_soft, leading_scores
from ..sentences import stay_apart

Draw = Callable[..., torch.Tensor]

CACHE = "the new cache holds all keys and values so far, oldest first, from the first token on"
SCORES = "scores are divided by the right number and go through softmax, however large they are"

BATCH, T, D = 3, 5, 4
LENGTH = 9  # of a whole sequence: longer than what other tests look at
FELT = 1e-6  # a smaller share is none
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
    """Return the output, whatever stands beside it, and with its axis of one query."""
    output = output_as_it_is(result)
    return output.unsqueeze(1) if isinstance(output, torch.Tensor) and output.dim() == 2 else output


def output_as_it_is(result: Any) -> Any:
    """Return the output, whatever stands beside it."""
    result = in_order(result)
    return result[0] if isinstance(result, (tuple, list)) and result else result


def expect_soft_shares(student: Student, rng: np.random.Generator) -> None:
    """Require shares of the new token that go by how far a score leads.

    Where each is 1, the softmax runs along the axis of the one query, which costs points elsewhere.
    """
    found = []
    for scores in leading_scores(rng, T, T // 2):
        q = torch.zeros(1, 1, 16)
        q[..., :T] = 4 * scores  # √16 · score: a key is 1 at a place of its own
        found.append(shares(student, q, torch.eye(T, 16).unsqueeze(0), beside=0))
    if not all(torch.allclose(each, torch.ones(T)) for each in found):
        expect_soft(*found)


@points(1, CACHE)
def test_the_cache_grows_by_one_token(student: Student, draw: Draw) -> None:
    """Cache: the old keys and values as they were, and the new ones behind them; 1100 of them."""
    for t in (T, 1, BEYOND, 2):
        q, k, v = tenths(*draw(3, BATCH, 1, D))
        cache = tenths(*draw(2, BATCH, t, D))
        if t == 2:  # a token may come twice
            k, v = (part[:, -1:].clone() for part in cache)
        _, keys, values = unpack_strictly(student.cached_attention_step(q, k, v, cache))
        parts = (("keys", keys, cache[0], k), ("values", values, cache[1], v))
        for name, actual, old, new in parts:
            expect.close(
                actual,
                torch.cat([old, new], dim=1),
                f"The new cache of {name} should hold the old ones as they were, in their order, "
                "and the new token's at the end, each once.",
            )


@points(1, "the cache that was passed in stays as it was")
def test_one_text_may_be_continued_in_two_ways(
    student: Student, rng: np.random.Generator, draw: Draw
) -> None:
    """Cache: two continuations from the same one know nothing of each other, and leave it alone."""
    cache = tenths(*draw(2, BATCH, T, D))
    one, two = (tenths(*draw(3, BATCH, 1, D)) for _ in range(2))
    step = student.cached_attention_step
    first, other, again = (output_of(step(*token, cache)) for token in (one, two, one))
    for output in (first, other, again):
        expect.array(output, (BATCH, 1, D), "tensor")
    different = output_of(step(*one, tenths(*draw(2, BATCH, T, D))))
    expect.array(different, (BATCH, 1, D), "tensor")
    assert not torch.allclose(first, different), "From another cache, a token gets the same."
    laws.leaves_inputs_alone(
        student,
        lambda: step(*one, cache),
        lambda: step(*two, cache),
        reveals="cache-changes-its-input",
    )
    expect.close(
        again,
        first,
        "From the same cache a token was tried, then another, then the first again, and the last "
        "output isn't the first one. All that a step knows should be in its arguments.",
        reveals="cache-of-its-own",
    )
    expect_soft_shares(student, rng)


@points(2, "the new token attends to all before it and to itself")
def test_equal_scores_average_the_old_values_and_the_new(
    student: Student, rng: np.random.Generator, draw: Draw
) -> None:
    """Attention: for a query of zeros all values count alike, the old ones and its own."""
    for t in (T, BEYOND):
        values = draw(1, t + 1, D).repeat(BATCH, 1, 1)  # keys are the same
        values[..., -1] = 1
        old, new = values[:, :-1].contiguous(), values[:, -1:].contiguous()
        q = torch.zeros(BATCH, 1, D)
        expect.close(
            average_of(student.cached_attention_step(q, new, new, (old, old)), (BATCH, 1, D)),
            values.mean(1, keepdim=True),
            f"With equal scores and {t} tokens in the cache, the old values and the new one should "
            "count alike, and in yours they don't. The new token sees all that came before, and "
            "itself.",
        )
    expect_soft_shares(student, rng)


def shares(
    student: Student, q: torch.Tensor, keys: torch.Tensor, *, beside: float = 1
) -> torch.Tensor:
    """Return the weights of all t + 1 ≤ d keys, of which the last is new.

    The values are the rows of 16 times the unit matrix. Beside the sentence stands its copy, with
    `beside` times its query.
    """
    number, d = keys.shape[1:]
    values = 16 * torch.eye(number, d).unsqueeze(0)
    q = torch.cat([q, beside * q])
    keys, values = (part.repeat(2, 1, 1) for part in (keys, values))
    cache = keys[:, :-1], values[:, :-1]
    output = output_of(student.cached_attention_step(q, keys[:, -1:], values[:, -1:], cache))
    expect.array(output, (2, 1, d), "tensor")
    weights: torch.Tensor = output[0, 0, :number] / 16
    return weights


@points(1, SCORES)
def test_scores_are_divided_by_the_root_of_d(student: Student, rng: np.random.Generator) -> None:
    """Attention: with d = 16, by hand, two keys that fit count six times as much as others."""
    q, keys = torch.zeros(1, 1, 16), torch.zeros(1, 6, 16)
    q[..., 0] = 4 * math.log(6)  # √16 · ln 6
    keys[:, [2, 4], 0] = 1
    weights = shares(student, q, keys)
    says = (
        "With d = 16, some keys should count six times as much as the others, and in yours they "
        "count more or less. Work the scores, the divisor and the softmax out by hand."
    )
    seen = weights[weights.abs() > FELT]
    assert len(seen) > 1, says
    expect.close(seen.max(), 6 * seen.min(), says)
    expect_soft_shares(student, rng)


@points(1, SCORES)
def test_shares_are_a_softmax_of_scores(student: Student, draw: Draw) -> None:
    """Attention: shares sum to 1 and agree with PyTorch's; large scores are survived.

    With as many keys as a key has entries, keys and their transpose have the same shape. The root
    of 7 is no whole number. The gaps of large scores are of 200 and more: neither rounding nor the
    scale has a say there.
    """
    for number, d in ((T, 16), (16, 16), (T, 7)):
        q, keys = draw(1, 1, d), draw(1, number, d)
        weights = shares(student, q, keys)
        expect.close(
            weights.sum(),
            torch.tensor(1.0),
            "Each value was 16 at a place of its own and 0 elsewhere, so your output shows how "
            "large a part of each it holds, and these parts don't sum to 1. Which tensors does it "
            "average, and along which axis do the shares sum to 1?",
        )
        seen = (weights.abs() > FELT).nonzero().flatten()
        assert len(seen) > 1, "The new token attends to a single key, whatever its scores are."
        unit = torch.eye(len(seen)).unsqueeze(0)
        expect.close(
            weights[seen].sort().values,
            scaled_dot_product_attention(q, keys[:, seen], unit)[0, 0].sort().values,
            f"With {number} keys of {d} entries, the shares of those that the new token attends to "
            "aren't those of full attention over the same keys. Compare yours with "
            "`full_attention` for one query and a few keys.",
        )
    for lowest in (-600, 300):
        scores = lowest + 50 * draw(T).sigmoid()
        scores[2] += 250
        q = torch.zeros(1, 1, 16)  # √16 · score = 10 · query: a key is 10 at a place of its own
        q[..., :T] = 0.4 * scores
        expect.close(
            shares(student, q, 10 * torch.eye(T, 16).unsqueeze(0)).sort().values,
            torch.eye(T)[-1],
            "Scores were as large as 550, or all below −300, and the key with by far the best "
            "score didn't take all of the attention. What becomes of such numbers in your "
            "exponentials?",
        )
    q[..., :T] = 0.4 * torch.cat([50 * draw(T - 1).sigmoid(), torch.tensor([300.0])])
    assert shares(student, q, 10 * torch.eye(T, 16).unsqueeze(0)).isfinite().all(), (
        "With the best score by far at the new token's own key, your output isn't made of numbers "
        "any more. Which of the scores does your softmax take for the largest?"
    )


@points(2, "any size will do, and sentences know nothing of each other")
def test_any_size_will_do_and_sentences_stay_apart(
    student: Student, rng: np.random.Generator, draw: Draw
) -> None:
    """Sentences: each by itself; one sentence, one feature, one old token: every size works."""
    q, k, v = draw(3, BATCH, 1, D)
    keys, values = draw(BATCH, T, D), draw(BATCH, T, D)
    stay_apart(
        lambda q, k, v, *cache: output_of(student.cached_attention_step(q, k, v, cache)),
        (q, k, v, keys, values),
        (q, k + 1, v + 1, keys + 1, values + 1),
    )
    for batch, t, d in ((1, T, D), (BATCH, T, 1), (BATCH, 1, D), (1, 1, 2), (2, 2, D)):
        q, k, v = draw(3, batch, 1, d)
        result = student.cached_attention_step(q, k, v, (draw(batch, t, d), draw(batch, t, d)))
        expect.array(
            output_as_it_is(result),
            (batch, 1, d),
            "tensor",
            f"There were {t} tokens in the cache, batch {batch} and d = {d}.",
        )
    expect_soft_shares(student, rng)


@points(1, CACHE)
def test_step_by_step_the_cache_comes_to_hold_the_text(
    student: Student, rng: np.random.Generator, draw: Draw
) -> None:
    """Cache: begun with the first token and handed on, it gives what one that is drawn gives."""
    Q, K, V = draw(3, BATCH, LENGTH, D)
    V[:] = V[:1]  # sentences that mix cost points elsewhere
    V[..., -1] = 1
    cache, outputs = None, []
    for t in range(LENGTH):
        q, k, v = (whole[:, t : t + 1] for whole in (Q, K, V))
        result = student.cached_attention_step(q, k, v, cache)
        if t == 0:
            expect.close(
                average_of(result, (BATCH, 1, D)),
                v,
                "The first token has only itself to look at: its own value should come back.",
            )
        _, keys, values = unpack(result)
        cache = keys, values
        for name, part, whole in (("keys", keys, K), ("values", values, V)):
            expect.close(
                part,
                whole[:, : t + 1],
                f"After step {t + 1}, the cache that goes from step to step should hold the {name} "
                "of all tokens so far, oldest first, and no more.",
            )
        drawn = (K[:, :t].contiguous(), V[:, :t].contiguous()) if t else None
        expect.close(
            output_of(result),
            output_of(student.cached_attention_step(q, k, v, drawn)),
            f"At step {t + 1} the output isn't the one that the same keys and values give when "
            "they come in one piece. All that a step knows should be in its arguments.",
        )
        outputs.append(output_of(result))
    first, *later = outputs
    if all(bool(((each[..., -1] - 1).abs() < 1e-4).all()) for each in later):
        expect.close(
            first,
            V[:, :1],
            "In later steps the shares sum to 1; in the first one you return the new token's value "
            "times another number. How large is the share of a token that sees only itself?",
        )
    expect_soft_shares(student, rng)
