"""Hidden tests of `sliding_window_attention`, by idea: window, ends, shares, sentences, cost.

Where an idea is tried alone, the others have no say: tokens in the middle have no ends in reach,
equal scores need no scale, and shares are looked at among the keys that are seen, whichever they
are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from autograder.testing import Student, expect, laws, points, seconds
from autograder.testing.failures import StudentRaised

from ..long_text import (
    LONG,
    LONGER,
    PATIENCE,
    expect_soft,
    is_made_of_pieces,
    leading_scores,
    memory_grew,
)
from ..sentences import stay_apart

Draw = Callable[..., torch.Tensor]

WINDOW = "each token attends to those at most `window` away, fewer at the ends of the text"
SCORES = "scores are divided by the right number and go through softmax, however large they are"
COST = "memory (2) and time (1) grow with n, not with n²"

BATCH, N, D = 3, 11, 4
FELT = 1e-6  # a smaller share is none
BEYOND = 530  # tokens: more than any table of 64, 128, 256 or 512


def band(n: int, window: int) -> torch.Tensor:
    """Return the mask (n, n) of the window, True = may attend."""
    position = torch.arange(n)
    return (position.unsqueeze(1) - position).abs() <= window


def expect_soft_shares(student: Student, rng: np.random.Generator) -> None:
    """Require shares of the token in the middle that go by how far a score leads."""
    n, d, middle = 9, 16, 4
    found = []
    for scores in leading_scores(rng, n, middle):
        Q = torch.zeros(1, n, d)
        Q[0, middle, :n] = 4 * scores  # √16 · score: a key is 1 at its own place
        found.append(shares(student, Q, torch.eye(n, d).unsqueeze(0), 2, beside=0)[middle])
    expect_soft(*found)


@points(1, WINDOW)
def test_each_token_hears_of_those_in_its_window_and_of_no_other(
    student: Student, rng: np.random.Generator, draw: Draw
) -> None:
    """Window: a change of one token reaches those at most `window` places away, and no other."""
    Q, K, V = draw(3, BATCH, 15, D)
    before = student.sliding_window_attention(Q, K, V, 3)
    expect.array(before, (BATCH, 15, D), "tensor")
    keys, values = K.clone(), V.clone()
    for part in (keys, values):
        part[:, 7] += 1 + draw(BATCH, D).abs()
    after = student.sliding_window_attention(Q, keys, values, 3)
    expect.array(after, (BATCH, 15, D), "tensor")
    reached = (after - before).abs().amax(-1) > FELT
    assert reached[:, 7].all(), (
        "Key and value of a token were changed, and its own result stayed as it was. Each token "
        "attends to itself, at the distance 0."
    )
    deaf = [token for token in range(4, 11) if not reached[:, token].all()]
    assert not deaf, (
        f"With window = 3, token {deaf[0]} doesn't hear of token 7. The window reaches so far to "
        "both sides, and the token at its very edge still counts."
    )
    hears = reached.any(dim=0).nonzero().flatten().tolist()
    furthest = max(hears, key=lambda token: abs(token - 7))
    assert abs(furthest - 7) <= 3, (
        f"With window = 3, token {furthest} hears of token 7, which is {abs(furthest - 7)} places "
        "away. Beyond the window, nothing may count, not even a little."
    )
    expect_soft_shares(student, rng)


def expect_something(result: torch.Tensor) -> None:
    """Require that tokens get something where all scores are equal and the last value is 1."""
    assert result[..., -1].all(), (
        "With equal scores, some tokens get 0 where all values are 1. Which tokens does your code "
        "pass by?"
    )


def expect_windows_that_slide(student: Student) -> None:
    """Require that tokens side by side see different keys, and that no cut parts the text."""
    n, window = 131, 2  # tokens: more than two blocks of 64
    alike = torch.zeros(1, n, n)
    seen = shares(student, alike, alike, window).abs() > FELT
    itself, neighbours = seen.diagonal(), seen.diagonal(1) | seen.diagonal(-1)
    for cut in range(1, n):
        expect.that(
            bool(seen[:cut, cut:].any() or seen[cut:, :cut].any())
            or not (itself[cut - 1] and itself[cut] and neighbours.any()),
            f"With window = {window}, token {cut} of {n} and those after it see none before it. "
            "What parts the text there?",
            reveals="sliding-window-blocks",
        )
    inside = range(4 * window, n - 4 * window)
    same = [i for i in inside if itself[i] and torch.equal(seen[i], seen[i + 1])]
    too_far = seen & ~band(n, window)
    expect.that(
        not (
            len(same) >= n // 3
            and len({tuple(seen[i].tolist()) for i in same}) > 2
            and all(too_far[i : i + 2].any() for i in same)
        ),
        f"With window = {window}, token {same[0] if same else 0} sees the very same keys as the "
        "one after it. A window slides: each token is in the middle of its own.",
        reveals="sliding-window-blocks-with-margins",
    )


@points(1, WINDOW)
def test_with_equal_scores_a_window_is_averaged(
    student: Student, rng: np.random.Generator, draw: Draw
) -> None:
    """Window: of the widths 0, 1, 2 and 4; in the middle of a text it is what is averaged."""
    expect_windows_that_slide(student)
    n, rows = 21, torch.arange(8, 13)
    ones = torch.ones(2, n, D)
    V = 45 * draw(1, n, D).round().repeat(
        2, 1, 1
    )  # averages of 1, 3, 5 and 9 of them are whole numbers
    V[..., -1] = 1
    for window in (0, 1, 2, 4):
        result = student.sliding_window_attention(ones, ones, V, window)
        expect.array(result, (2, n, D), "tensor")
        expect_something(result[:, rows])
        expect.close(
            (result / result[..., -1:])[:, rows],
            V.unfold(1, 2 * window + 1, 1).mean(-1)[:, rows - window],
            f"With equal scores and window = {window}, tokens in the middle of a text should take "
            "home the average of the values in their window, and yours don't. How many tokens "
            "does a window hold, and which?",
        )
    expect_soft_shares(student, rng)


@points(1, WINDOW)
def test_the_first_and_the_last_token_share_among_fewer(
    student: Student, rng: np.random.Generator
) -> None:
    """Ends: only tokens that exist count there, each once."""
    signs = of_both_signs(1, N, N)
    low = -15 * signs  # scores as low as any number that may stand for a hidden one
    weights = shares(student, signs, low, 2)
    expect.close(
        shares(student, signs, low, 2, unit=30),
        weights,
        "Twice as large values should come back twice as large, and yours don't.",
    )
    middle, last = N // 2, N - 1
    counts = weights.abs() > 0.1 * weights.abs().amax(-1, keepdim=True)
    seen = {row: counts[row].nonzero().flatten() for row in (0, middle, last)}
    assert len(seen[0]) + len(seen[last]) > 2, (
        "All scores are equal, and yet the first token and the last take all they get from a "
        "single one, or from none. How many neighbours does each of them have, and which scores?"
    )
    middle_sums_to_one = bool((weights[middle].sum() - 1).abs() < 1e-4)
    for end in (0, last):
        assert end in seen[end] or middle not in seen[middle], (
            f"Token {end} of {N} doesn't see itself. Which tokens are left in a window where the "
            "text ends?"
        )
        theirs = weights[end, seen[end]]
        expect.close(
            theirs,
            theirs.mean().expand(len(theirs)),
            "Where the text ends, one token counts more than another though all scores are "
            "equal. Each token that exists counts once.",
        )
        if middle_sums_to_one:
            expect.close(
                weights[end].sum(),
                torch.tensor(1.0),
                "Where the text ends, the shares of a token don't sum to 1, though they do in the "
                "middle. It has fewer neighbours: who else takes a share there?",
            )
        reach = (seen[middle] - middle).abs().max()
        assert reach >= last - middle or ((seen[end] - end).abs() <= reach).all(), (
            "A token at an end hears of tokens further away than one in the middle does. Which "
            "tokens lie in a window where the text ends?"
        )
    expect_soft_shares(student, rng)


def of_both_signs(*shape: int) -> torch.Tensor:
    """Return ones and minus ones in turn along the last axis: each vector is the same.

    All scores are equal, and a key of infinities still shows: its products cancel out to nan.
    """
    return (1.0 - 2 * (torch.arange(shape[-1]) % 2)).repeat(*shape[:-1], 1)


def shares(
    student: Student,
    Q: torch.Tensor,
    K: torch.Tensor,
    window: int,
    unit: int = 15,
    beside: float = 1,
) -> torch.Tensor:
    """Return the weights (n, n) of a sentence, n ≤ d, beside a copy with `beside` times its Q.

    The values are rows of `unit` times the unit matrix; thirds and fifths of 15 are whole numbers.
    """
    n, d = Q.shape[1:]
    K, V = (part.repeat(2, 1, 1) for part in (K, unit * torch.eye(n, d).unsqueeze(0)))
    result = student.sliding_window_attention(torch.cat([Q, beside * Q]), K, V, window)
    expect.array(result, (2, n, d), "tensor")
    weights: torch.Tensor = result[0, :, :n] / unit
    return weights


def expect_the_same_in_a_wide_window(student: Student, Q: torch.Tensor, K: torch.Tensor) -> None:
    """Require that shares agree with PyTorch's where the window is wider than the text.

    How often a key counts there, equal scores tell: which keys are seen has tests of its own.
    """
    n = Q.shape[1]
    counts, weights = (shares(student, each, K, 2 * n)[n // 2] for each in (0 * Q, Q))
    counts = counts.where(counts > FELT, torch.zeros(()))
    if not counts.count_nonzero() > 1:
        return
    bias = counts.log().nan_to_num(neginf=-math.inf)
    unit = torch.eye(n).unsqueeze(0)
    expected = scaled_dot_product_attention(Q[:, [n // 2]], K, unit, bias)[0, 0]
    expect.close(
        weights / weights.sum(),
        expected,
        "The window is wider than the text here, and the shares of a token aren't those of full "
        "attention, though they are where the window is narrow. What does your code do "
        "differently when nothing lies outside the window?",
    )


def seen_in(weights: torch.Tensor, start: int, stop: int) -> list[int]:
    """Return the keys that have a weight, within a window if there are such, or else anywhere."""
    everywhere = (weights.abs() > FELT).nonzero().flatten().tolist()
    return [j for j in everywhere if start <= j < stop] or everywhere


@points(1, SCORES)
def test_scores_are_divided_by_the_root_of_d(student: Student) -> None:
    """Shares: with d = 16, by hand, keys that fit count six times as much as others."""
    Q, K = torch.zeros(2, 1, 9, 16)
    Q[0, 4, 0] = 4 * math.log(6)  # √16 · ln 6
    K[0, 1::2, 0] = 1
    weights = shares(student, Q, K, 2)[4]
    seen = seen_in(weights, 2, 7)
    odd, even = ([j for j in seen if j % 2 == rest] for rest in (1, 0))
    says = (
        "With d = 16, some keys of a window should count six times as much as the others, and in "
        "yours they count more or less. Work the scores, the divisor and the softmax out by hand."
    )
    assert odd and even, says
    expect.close(weights[odd], 6 * weights[even[0]].expand(len(odd)), says)


@points(1, SCORES)
def test_shares_are_a_softmax_of_scores(student: Student, draw: Draw) -> None:
    """Shares: those of one token sum to 1 and agree with PyTorch's, and large scores are survived.

    With as many keys as a key has entries, keys and their transpose have the same shape. The gaps
    of large scores are of 200 and more: neither rounding nor the scale has a say there.
    """
    for n, d, middle in ((7, 7, 3), (9, 16, 4)):
        Q, K = draw(2, 1, n, d)
        weights = shares(student, Q, K, 2)[middle]
        expect.close(
            weights.sum(),
            torch.tensor(1.0),
            "In the middle of a text the shares that one token gives to its keys don't sum to 1. "
            "Along which axis do your shares sum to 1, and over which keys?",
        )
        seen = seen_in(weights, middle - 2, middle + 3)
        assert len(seen) > 1, (
            "A token in the middle of a text sees no neighbours within its window."
        )
        expected = scaled_dot_product_attention(
            Q[:, [middle]], K[:, seen], torch.eye(len(seen)).unsqueeze(0)
        )
        expect.close(
            weights[seen] / weights[seen].sum(),
            expected[0, 0],
            f"In a text of {n} tokens of {d} features, the shares of the keys that a token sees "
            "aren't those of full attention over the same keys. Compare yours with "
            "`full_attention` for one query and a few keys.",
        )
    with suppress(StudentRaised):  # other tests say so
        expect_the_same_in_a_wide_window(student, Q, K)
    neighbour = next(j for j in seen if j != middle)
    for lowest, best in ((-600, middle), (300, middle), (300, neighbour)):
        scores = lowest + 50 * draw(n).sigmoid()
        scores[best] += 250
        Q, K = torch.zeros(2, 1, n, d)  # √16 · score = 10 · query: a key is 10 at its own place
        Q[0, middle, :n], K[0, :, :n] = 0.4 * scores, 10 * torch.eye(n)
        Q[0, 0, 0] = 0.4 * 200  # the first token's best score is another than the middle one's
        expect.close(
            shares(student, Q, K, 2)[middle],
            torch.eye(n)[best],
            "Scores were as large as 550, or all below −300, and the key with by far the best "
            "score in the window didn't take all of the attention. What becomes of such numbers "
            "in your exponentials, and how low is the score of a key that is hidden?",
        )


@points(2, "sentences know nothing of each other")
def test_sentences_know_nothing_of_each_other(
    student: Student, rng: np.random.Generator, draw: Draw
) -> None:
    """Sentences: each gets what it gets beside others, and keys and values of its own."""
    Q, K, values = draw(3, BATCH, N, D)
    together = stay_apart(
        lambda *given: student.sliding_window_attention(*given, 2),
        (Q, K, values),
        (Q, K.flip(2), -values),
    )
    assert not torch.allclose(together, values), "The values come back as they are."
    expect_soft_shares(student, rng)


@points(1, "any size will do, and inputs stay as they are")
def test_any_size_will_do_and_inputs_stay_as_they_are(
    student: Student, rng: np.random.Generator, draw: Draw
) -> None:
    """Care: one token, one feature, one sentence, hundreds of tokens, any window; inputs stay.

    What the weights sum to cancels out, because the last value is always 1.
    """
    expect_soft_shares(student, rng)
    K, V = draw(1, BEYOND, D), draw(1, BEYOND, D).round()
    V[..., -1] = 1

    def average(sentences: int, tokens: slice, window: int) -> torch.Tensor:
        keys, values = (part[:, tokens].repeat(sentences, 1, 1) for part in (K, V))
        result = student.sliding_window_attention(torch.zeros_like(keys), keys, values, window)
        expect.array(result, tuple(keys.shape), "tensor")
        expect_something(result[:, window:])  # those before are another test's
        total = result[..., -1:]
        return torch.where(total == 0, result, result / total)  # 0 / 0 would be ours

    # In the long text, the 512th token is where many a block of tokens ends; in the piece it isn't.
    start, middle, whole = slice(0, 8), slice(500, BEYOND), slice(None)
    expect.close(
        average(2, slice(0, 1), 2),
        V[:, :1].repeat(2, 1, 1),
        "A sequence of one token has no neighbours at all, so its own value should come back.",
    )
    narrow = draw(3, BATCH, 8, 1)
    expect.array(student.sliding_window_attention(*narrow, 2), (BATCH, 8, 1), "tensor")
    expect.close(
        average(1, start, 16),
        average(1, start, 24),
        "Of a text of 8 tokens, a window of 24 shows no more than one of 16, yet your results "
        "differ. What do your windows hold beyond the ends?",
    )
    expect.close(
        average(2, whole, 2)[:, 504:-4],
        average(2, middle, 2)[:, 4:-4],
        f"A piece was cut out of a text of {BEYOND} tokens, and its middle got another result "
        "than in the whole text, though each token has the same neighbours in both. Look for "
        "what the code takes from the length, or from an earlier call.",
    )
    few = draw(3, BATCH, 8, D)
    laws.leaves_inputs_alone(
        student,
        lambda: student.sliding_window_attention(*few, 1),
        lambda: student.sliding_window_attention(*few, 8),
    )


@points(1, WINDOW)
def test_equal_scores_average_what_the_band_lets_through(
    student: Student, rng: np.random.Generator, draw: Draw
) -> None:
    """Window: with equal scores, every token averages what the band mask lets it see.

    What the weights of the token in the middle sum to cancels out: its last value is always 1.
    """
    expect_soft_shares(student, rng)
    alike = of_both_signs(2, N, D)
    V = 10 * draw(1, N, D).repeat(2, 1, 1)
    V[..., -1] = 1

    def averages(window: int) -> torch.Tensor:
        result = student.sliding_window_attention(alike, alike, V, window)
        expect.array(result, (2, N, D), "tensor")
        expect_something(result[:, N // 2])
        averaged: torch.Tensor = result / result[:, N // 2, -1].view(2, 1, 1)
        return averaged

    laws.agrees_at(
        (1, 2, 4, 6, N - 2, N + 4, 0),  # from 6 on, no token has a whole window
        averages,
        lambda window: scaled_dot_product_attention(alike, alike, V, band(N, window)),
        lambda window: (
            f"With {N} tokens, equal scores and window = {window}, some token takes home something "
            "else than the average of the values at most `window` places away. Compare yours with "
            "`full_attention` and the mask |i − j| ≤ window on a short sequence, row by row."
        ),
    )


@points(2, COST)
@seconds(60)
def test_a_long_text_fits_into_memory(
    student: Student, rng: np.random.Generator, draw: Draw
) -> None:
    """Cost: 65 536 tokens with window = 2: memory does not grow with n²."""
    with expect.memory(
        memory_grew(
            "A token sees at most 2 · window + 1 keys: compute their scores alone, in a loop or "
            "with the neighbours side by side."
        )
    ):
        expect_soft_shares(student, rng)
        is_made_of_pieces(student, rng, *draw(3, 1, LONG, 3))


@points(1, COST)
@seconds(PATIENCE)
def test_a_long_text_takes_time_in_proportion(student: Student, rng: np.random.Generator) -> None:
    """Cost: 262 144 tokens with window = 2: time does not grow with n²; a loop is fine."""
    drawn = rng.random((3, 1, LONGER, 16), np.float32)  # normal ones take ten times as long
    is_made_of_pieces(student, rng, *torch.from_numpy(4 * drawn - 2))
    expect_soft_shares(student, rng)
