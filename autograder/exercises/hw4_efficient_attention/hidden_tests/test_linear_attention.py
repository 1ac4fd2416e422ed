"""Hidden tests of `linear_attention`, by idea: features, denominator, sentences, cost.

Where an idea is tried alone, the others have no say: what a result is divided by cancels out where
features are tried, equal keys need no features, and where sentences may mix there is one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import torch

from autograder.testing import Student, expect, laws, points, seconds

from ..long_text import LONG, LONGER, PATIENCE, memory_grew
from ..sentences import stay_apart

Draw = Callable[..., torch.Tensor]

AVERAGE = "what comes back is an average over all keys, where the denominator is tiny, too"
FEATURES = "queries and keys are compared by their features φ"
COST = "memory (2) and time (1) grow with n, not with n²"

BATCH, N, D = 3, 7, 4
PERIOD = 8  # tokens that a long text may be made of
ROWS = 12  # of a long text that are looked at
BEYOND = 530  # tokens: more than any table of 64, 128, 256 or 512


def features(x: torch.Tensor) -> torch.Tensor:
    """Return φ(x), by cases and in double precision (Katharopoulos et al. 2020, eq. 7)."""
    return torch.where(x > 0, x.double() + 1, x.double().exp())


def by_pairs(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """Compute equation 4 as it is written, from the similarity of each pair."""
    similarities = torch.einsum("bid,bjd->bij", features(Q), features(K))
    weights = similarities / similarities.sum(-1, keepdim=True)
    return (weights @ V.double()).float()


def expect_shares_of_the_query(student: Student, rng: np.random.Generator) -> None:
    """Require shares that differ from one query to another; right they need not be.

    Whoever averages the values by keys alone, or not by any, hasn't computed what the test asks
    about.
    """
    some = [[1, 4, 1, 2], [3, 1, 2, 1], [4, 1, 1, 1]], [[2, 1, 1, 4], [1, 3, 1, 1], [1, 1, 4, 2]]
    keys = [[4, 1, 2, 1], [1, 2, 1, 3], [1, 1, 4, 2]]
    order = torch.from_numpy(rng.permutation(4))
    drawn = torch.tensor([*some, keys]).float()[..., order]
    Q, K = drawn[:2], drawn[2:]
    once, other = last_shares(student, Q, K.repeat(2, 1, 1), 1).nan_to_num()
    assert (torch.stack([once, other]).abs() > 1e-10).sum(-1).min() > 1, (
        "A query shares its attention with a single key, or with none, where three are close."
    )
    assert (once - other).abs().max() > 1e-4, (
        "Among the same keys, a token gets the same shares, whatever the queries of its sentence "
        "are. Where does your function use Q?"
    )


@points(1, AVERAGE)
def test_equal_keys_share_equally(student: Student, rng: np.random.Generator, draw: Draw) -> None:
    """Denominator: when all keys are alike, every query takes home the average of all values."""
    Q, V = draw(1, N, D), N * draw(1, N, D).round()
    K = draw(1, 1, D).expand(1, N, D).contiguous()
    expect.close(
        student.linear_attention(Q, K, V),
        V.mean(1, keepdim=True).expand(1, N, D),
        "With equal keys each query should take home the average of all the values, the later "
        "ones too, and yours doesn't. What do the weights of one query sum to in your function, "
        "and which values do they weigh?",
    )
    expect_shares_of_the_query(student, rng)


@points(1, FEATURES)
def test_the_features_of_the_keys(student: Student, rng: np.random.Generator) -> None:
    """Features: keys of ln ½, 0 and 3 have φ = ½, 1 and 4, and count so."""
    K = torch.tensor([0.5, 1, math.e**3]).log().reshape(1, 3, 1).expand(1, 3, 4).contiguous()
    expect.close(
        last_shares(student, torch.ones(1, 3, 4), K),
        torch.tensor([[0.5, 1, 4]]) / 5.5,
        "Three keys should count as ½ to 1 to 4, and in yours they don't. φ(x) is x + 1 for "
        "positive x and e to the power of x for others: which φ do your keys have?",
    )
    expect_shares_of_the_query(student, rng)


@points(1, FEATURES)
def test_the_features_of_the_queries(student: Student) -> None:
    """Features: for one query the similarities are as 15 to 9, for another as 6½ to 5."""
    Q = torch.tensor([[[2, 0, 0, 0]], [[0, -math.log(2), 0, 0]]])  # φ: 3 1 1 1 and 1 ½ 1 1
    K = torch.tensor([[3.0, 0, 0, 0], [0, 3, 0, 0]])  # φ: 4 1 1 1 and 1 4 1 1
    expect.close(
        last_shares(student, Q.repeat(1, 2, 1), K.repeat(2, 1, 1)),
        torch.tensor([[15 / 24, 9 / 24], [6.5 / 11.5, 5 / 11.5]]),
        "For one query the similarities of two keys should be as 15 to 9, for another as 6½ to "
        "5, and yours aren't. Work out φ of (2, 0, 0, 0) and of (0, −ln 2, 0, 0) by hand, and "
        "their products with the keys' features.",
    )


def last_shares(
    student: Student, Q: torch.Tensor, K: torch.Tensor, size: int = 11 * 24
) -> torch.Tensor:
    """Return the weights (batch, n) that the last query gives to n ≤ d keys.

    The values are the rows of `size` times the unit matrix. What the result was divided by cancels
    out, and whether the other queries see all keys plays no part: both have tests of their own.
    """
    batch, n, d = K.shape
    result = student.linear_attention(Q, K, size * torch.eye(n, d).repeat(batch, 1, 1))
    expect.array(result, (batch, n, d), "tensor")
    weights: torch.Tensor = result[:, -1, :n]
    return weights / weights.sum(-1, keepdim=True)


@points(1, AVERAGE)
def test_tiny_features_still_count(student: Student, rng: np.random.Generator, draw: Draw) -> None:
    """Denominator: with queries and keys of −8 it is tiny, and the result still an average."""
    V = 3 + 3 * draw(1, 3, 2).abs().round()  # of no average near 0
    deep = torch.full((1, 3, 2), -8.0)
    result = student.linear_attention(deep, deep, V)
    expect.array(result, (1, 3, 2), "tensor")
    expect.close(
        result[:, -1],
        V.mean(1),
        "With all entries at −8 the features are small but positive, and with equal keys the "
        "last query should still take home the average of the values. Yours takes home something "
        "else. How large is your denominator there, and is anything added to it?",
    )
    K = torch.tensor([-8.0, -5]).reshape(1, 2, 1).expand(1, 2, 4).contiguous()
    expect.close(
        last_shares(student, K, K),
        torch.tensor([[1, math.e**3]]) / (1 + math.e**3),
        "Keys of −8 and −5 should count as 1 to e³, and in yours they don't. Compare their "
        "features with φ, to which nothing is added.",
        tolerance=5e-5,  # φ(−8) is 3.4e-4, known to 1e-7 as elu + 1: shares are to 1.3e-5
    )
    expect_shares_of_the_query(student, rng)


@points(2, "sentences know nothing of each other")
def test_sentences_know_nothing_of_each_other(
    student: Student, rng: np.random.Generator, draw: Draw
) -> None:
    """Sentences: each gets what it gets beside others, and a summary of its own.

    All entries are whole numbers, those of queries and keys at least 1: each sum is exact.
    """
    Q, K, values = draw(3, BATCH, N, D).round()
    Q, K = 1 + Q.abs(), 1 + K.abs()
    changed = Q, K.flip(2), values.flip(1)
    together = stay_apart(student.linear_attention, (Q, K, values), changed)
    assert not torch.allclose(together, values), "The values come back as they are."
    expect_shares_of_the_query(student, rng)


@points(1, "any size will do, and inputs stay as they are")
def test_any_size_will_do_and_inputs_stay_as_they_are(
    student: Student, rng: np.random.Generator, draw: Draw
) -> None:
    """Care: one token, one feature, one sentence, hundreds of tokens; inputs stay.

    What the result is divided by cancels out, because the last value is always 1.
    """
    for batch, n, d in ((2, 1, D), (1, N, D), (2, BEYOND, D), (2, 3, D)):
        Q, V = 1 + draw(batch, n, d).abs().round(), 21 * draw(batch, n, d).round()
        K = (1 + draw(batch, 1, d).abs().round()).expand(batch, n, d).contiguous()
        V[..., -1] = 1
        expect.close(
            averages(student, Q, K, V)[:, -1],
            V.mean(1),
            f"With Q, K and V of shape {(batch, n, d)} and equal keys, the last query should take "
            "home the average of its sentence's values, and yours doesn't. Look for what the "
            "code takes from the sizes, or from an earlier call.",
        )
    narrow = draw(3, BATCH, N, 1)
    expect.array(student.linear_attention(*narrow), (BATCH, N, 1), "tensor")
    few = draw(3, BATCH, N, D)
    laws.leaves_inputs_alone(
        student,
        lambda: student.linear_attention(*few),
        reveals="linear-changes-its-input",
    )
    expect_shares_of_the_query(student, rng)


@points(1, FEATURES)
def test_similarities_are_those_of_equation_4(student: Student, draw: Draw) -> None:
    """Features: each value counts as in equation 4, computed from the similarity of each pair.

    What the result is divided by cancels out, because the last value is always 1. φ of a negative
    entry is known to 1e-7 in float32, which counts for much where it is all there is. So the first
    feature is at least 2: of similarities of 4 or more that is less than 2e-6, and of averages of
    values up to 2 less than 8e-6. Where there are as many tokens as features, keys and their
    transpose have the same shape.
    """
    for n, scale in ((N, 1), (N, 3), (D, 1)):
        Q, K = draw(2, 1, n, D, scale=scale).clamp(-8, 8)
        for part in (Q, K):
            part[..., 0] = 1 + part[..., 0].abs().clamp(max=7)
        K[:, 1, 2], K[:, 2, 1] = 8, -8
        V = draw(1, n, D).clamp(-2, 2)
        V[..., -1] = 1
        Q, K, V = (part.repeat(2, 1, 1) for part in (Q, K, V))
        expect.close(
            averages(student, Q, K, V),
            by_pairs(Q, K, V),
            f"With {n} tokens of {D} features, the values don't count as in equation 4, whatever "
            "your result is divided by. Compute the similarities of one query by hand, with a loop "
            "over keys, and see where the two part.",
        )


@points(2, COST)
@seconds(60)
def test_a_long_text_fits_into_memory(student: Student, rng: np.random.Generator) -> None:
    """Cost: 65 536 tokens: memory does not grow with n²."""
    with expect.memory(
        memory_grew("Equation 6 moves the brackets, so that no query meets a single key.")
    ):
        expect_shares_of_the_query(student, rng)
        holds_for_a_long_text(student, rng, *whole_numbers(rng, 1, LONG, 4))


@points(1, COST)
@seconds(PATIENCE)
def test_a_long_text_takes_time_in_proportion(student: Student, rng: np.random.Generator) -> None:
    """Cost: 262 144 tokens: time does not grow with n²; a loop over tokens is fine."""
    holds_for_a_long_text(student, rng, *whole_numbers(rng, 2, LONGER, 8))
    expect_shares_of_the_query(student, rng)


def whole_numbers(rng: np.random.Generator, *shape: int) -> Iterator[torch.Tensor]:
    """Yield Q, K and V of small whole numbers, Q and K not negative; the last value is always 1.

    So are the features of such, and sums of them are exact in float32 in any order. A key and that
    which stands half a text later make 2, so each feature of the keys is 2 on average and adds up
    to a power of two, as many tokens as there are: sums of the keys' shares are exact as well.
    Values go with keys, so that a wrong share of a key shows.
    """
    batch, length, d = shape
    Q = rng.integers(1, 4, shape, np.int8)  # bytes are drawn in a tenth of the time
    half = rng.integers(3, size=(batch, length // 2, d), dtype=np.int8)
    K = np.concatenate([half, 2 - half], axis=1)
    V = rng.integers(-2, 3, shape, np.int8) + np.roll(K, 1, -1)
    V[..., -1] = 1
    for each in (Q, K, V):
        yield torch.from_numpy(each).float()


def holds_for_a_long_text(
    student: Student, rng: np.random.Generator, Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor
) -> None:
    """Require of a long drawn text what equation 4 says; what is divided by cancels out.

    Where the features are others, which costs points elsewhere, the text is one of few tokens in a
    drawn order, each equally often: it gives what each of them once gives, whatever features are.
    """
    length = Q.shape[1]
    few = [part[:, :PERIOD].contiguous() for part in (Q, K, V)]
    short = averages(student, *few)
    at = torch.from_numpy(rng.integers(length, size=ROWS))
    if torch.allclose(short, by_pairs(*few), atol=1e-4):
        expected = by_pairs(Q[:, at], K, V)
        says = (
            "On a short text your queries get what they should, on a long one they don't. Every "
            "key counts, wherever it stands: look for what your code does differently when a text "
            "is long."
        )
    else:
        order = torch.from_numpy(rng.permutation(length) % PERIOD)
        Q, K, V = (part[:, order].contiguous() for part in few)
        expected = short[:, order[at]]
        says = (
            "A long text was made of a short one: each token equally often, in another order. So "
            "each query should get what it gets in the short text, and yours doesn't. If other "
            "tests fail as well, start there. If not: what does a key's share depend on besides "
            "its features and the query's?"
        )
    expect.close(averages(student, Q, K, V)[:, at], expected, says, tolerance=1e-4)


def averages(student: Student, Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """Return the student's result divided by its last feature, of which each value is 1."""
    result = student.linear_attention(Q, K, V)
    expect.array(result, tuple(V.shape), "tensor")
    return torch.as_tensor(result / result[..., -1:])
