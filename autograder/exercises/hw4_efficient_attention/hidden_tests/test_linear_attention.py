"""Hidden tests of `linear_attention`: laws and hand-computed values, equation 4, and memory."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from autograder.testing import Student, expect, points, seconds

from ..long_text import LONG, memory_grew

Draw = Callable[..., torch.Tensor]

BATCH, N, D = 3, 7, 4


def features(x: torch.Tensor) -> torch.Tensor:
    """Return φ(x), by cases and in double precision (Katharopoulos et al. 2020, eq. 7)."""
    return torch.where(x > 0, x.double() + 1, x.double().exp())


def by_pairs(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """Compute equation 4 as it is written, from the similarity of each pair."""
    similarities = torch.einsum("bid,bjd->bij", features(Q), features(K))
    weights = similarities / similarities.sum(-1, keepdim=True)
    return (weights @ V.double()).float()


@points(1)
def test_equal_keys_share_equally(student: Student, draw: Draw) -> None:
    """When all keys are alike, every query takes home the plain average of all values."""
    Q, V = draw(2, BATCH, N, D)
    K = draw(BATCH, 1, D).expand(BATCH, N, D).contiguous()
    expect.close(
        student.linear_attention(Q, K, V),
        V.mean(1, keepdim=True).expand(BATCH, N, D),
        "With equal keys each query should take home the average of all the values, the later "
        "ones too. The values go in as they are, and the sum of all similarities of a query is "
        "what its result is divided by.",
    )


@points(1)
def test_the_features_of_the_keys(student: Student) -> None:
    """The features of keys, by hand: keys of ln ½, 0 and 3 have φ = ½, 1 and 4, and count so."""
    K = torch.tensor([0.5, 1, math.e**3]).log().reshape(1, 3, 1).expand(1, 3, 4).contiguous()
    expect.close(
        shares(student.linear_attention(torch.ones(1, 3, 4), K, torch.eye(3, 4).unsqueeze(0)), 3),
        torch.tensor([0.5, 1, 4]).expand(1, 3, 3) / 5.5,
        "The keys don't count as their features say. φ(x) is x + 1 for positive x and e to the "
        "power of x for others; elu alone, or ReLU, is something else.",
    )


@points(1)
def test_the_features_of_the_queries(student: Student) -> None:
    """The features of queries, by hand: one finds two keys as 15 to 9 similar, one as 6½ to 5."""
    Q = torch.tensor([[2, 0, 0, 0], [0, -math.log(2), 0, 0]]).unsqueeze(0)  # φ: 3 1 1 1, 1 ½ 1 1
    K = torch.tensor([[3.0, 0, 0, 0], [0, 3, 0, 0]]).unsqueeze(0)  # φ: 4 1 1 1, 1 4 1 1
    expect.close(
        shares(student.linear_attention(Q, K, torch.eye(2, 4).unsqueeze(0)), 2),
        torch.tensor([[[15 / 24, 9 / 24], [6.5 / 11.5, 5 / 11.5]]]),
        "A query doesn't weigh the keys as its features say. It has to go through φ as the keys "
        "do, and nothing is divided by √d.",
    )


def shares(result: Any, n: int) -> torch.Tensor:
    """Return the weights of n keys, where the values were the rows of a unit matrix.

    What the result was divided by cancels out: that has tests of its own.
    """
    expect.array(result, (1, n, 4), "tensor")
    weights: torch.Tensor = result[..., :n]
    return weights / weights.sum(-1, keepdim=True)


@points(1)
def test_tiny_features_still_average(student: Student, draw: Draw) -> None:
    """Queries and keys of −8: the sum below the line is tiny, and the result still an average."""
    V = draw(2, 3, 2)
    deep = torch.full((2, 3, 2), -8.0)
    expect.close(
        student.linear_attention(deep, deep, V),
        V.mean(1, keepdim=True).expand(2, 3, 2),
        "With all entries at −8 the features are small but positive, and equal keys should still "
        "give the average of the values. Is anything added below the line, or cut off?",
    )


@points(2)
def test_it_agrees_with_equation_4(student: Student, draw: Draw) -> None:
    """The values agree with equation 4, computed from the similarity of each pair."""
    for scale in (1, 3):
        Q, K = draw(2, BATCH, N, D, scale=scale).clamp(-8, 8)
        V = draw(BATCH, N, D)
        result = student.linear_attention(Q, K, V)
        assert not student.inputs_changed, (
            "Your function changes its inputs. Make new tensors instead."
        )
        expect.close(
            result,
            by_pairs(Q, K, V),
            "The result differs from equation 4. Compute it for one query by hand, with a loop "
            "over keys: where do the two part?",
        )


@points(2)
@seconds(60)
def test_a_long_text_fits_into_memory(student: Student, draw: Draw) -> None:
    """50 000 tokens: memory does not grow with n².

    The text is the same ten tokens again and again, so each should take home what it does in a
    short text, whatever the features are.
    """
    Q, K, V = draw(3, 1, 10, 4)
    alike = K[:, :1].expand(1, 10, 4).contiguous()
    expect.close(
        student.linear_attention(Q, alike, V),
        V.mean(1, keepdim=True).expand(1, 10, 4),
        "With ten equal keys each query should take home the average of the values. Yours don't, "
        "so the long text wasn't tried.",
    )
    short = student.linear_attention(Q, K, V)
    expect.array(short, (1, 10, 4), "tensor")
    assert not torch.allclose(short[:, 1:], short[:, :-1]), (
        "Each query gets the same, whatever it asks for, so the long text wasn't tried."
    )
    times = LONG // 10
    with expect.memory(
        memory_grew("Where does a query meet a key? Equation 6 moves the brackets.")
    ):
        result = student.linear_attention(*(part.repeat(1, times, 1) for part in (Q, K, V)))
    expect.close(
        result,
        short.repeat(1, times, 1),
        "A text repeated many times should give what it gives once: each key counts as often as "
        "each other. Yours gives something else.",
        tolerance=1e-4,
    )
