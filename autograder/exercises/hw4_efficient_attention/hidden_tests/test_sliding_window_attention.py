"""Hidden tests of `sliding_window_attention`: laws, agreement with PyTorch, and memory."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import torch
from torch.nn.functional import scaled_dot_product_attention

from autograder.testing import Student, expect, points, seconds

from ..long_text import LONG, memory_grew

Draw = Callable[..., torch.Tensor]

BATCH, N, D = 3, 11, 4
INNER = 3  # tokens at either end that a window off by one could concern


def band(n: int, window: int) -> torch.Tensor:
    """Return the mask (n, n) of who may attend whom, True = may attend."""
    position = torch.arange(n)
    return (position.unsqueeze(1) - position).abs() <= window


@points(1)
def test_each_token_hears_of_those_in_its_window_and_of_no_other(
    student: Student, draw: Draw
) -> None:
    """A change of one token reaches the tokens at most `window` places away, and no other."""
    Q, K, V = draw(3, BATCH, N, D)
    before = student.sliding_window_attention(Q, K, V, 3)
    expect.array(before, (BATCH, N, D), "tensor")
    changed = V.clone()
    changed[:, 5] += 1 + draw(BATCH, D).abs()
    after = student.sliding_window_attention(Q, K, changed, 3)
    expect.array(after, (BATCH, N, D), "tensor")
    reached = (after - before).abs().amax(-1) > 1e-6
    assert reached[:, 5].all(), (
        "The value of a token was changed, and the token itself doesn't notice. Each token attends "
        "to itself, at the distance 0."
    )
    assert reached[:, 2:9].all(), (
        "A token doesn't hear of another that is `window` or fewer places away. The window reaches "
        "so far to both sides, and the token at its very edge still counts."
    )
    assert not reached[:, :2].any() and not reached[:, 9:].any(), (
        "A token hears of another that is more than `window` places away. Beyond the window, "
        "nothing may count, not even a little."
    )


@points(1)
def test_the_weights_of_each_token_sum_to_one(student: Student, draw: Draw) -> None:
    """Adding 10 to all values adds 10 to each result, at both ends of the sequence too."""
    Q, K, V = draw(3, BATCH, N, D)
    before = student.sliding_window_attention(Q, K, V, 3)
    after = student.sliding_window_attention(Q, K, V + 10, 3)
    expect.array(before, (BATCH, N, D), "tensor")
    expect.array(after, (BATCH, N, D), "tensor")
    assert not torch.allclose(before.float(), V), (
        "The values come back as they are: nothing is averaged."
    )
    expect.close(
        (after - before)[:, 3:-3],
        10,
        "The weights of a token in the middle don't sum to 1. Softmax shares out its attention "
        "among the keys of its own window, and among no others.",
    )
    expect.close(
        after - before,
        10,
        "The weights of the first and last tokens don't sum to 1. They have fewer neighbours: "
        "places beyond the ends are no keys, and no share of the attention may go there.",
    )


@points(1)
def test_scores_are_divided_by_the_root_of_d(student: Student) -> None:
    """Three tokens with d = 16, by hand: the last gives ¾ of its attention to a key that fits.

    Only the last token is looked at, so that a window to one side is enough.
    """
    Q, K, V = torch.zeros(3, 1, 3, 16)
    Q[0, 2, 0] = 4 * math.log(6)  # √16 · ln 6, so the weights are as 6 to 1 to 1
    K[0, 1, 0] = 1
    V[0, 1] = 8
    result = student.sliding_window_attention(Q, K, V, 3)
    expect.array(result, (1, 3, 16), "tensor")
    expect.close(
        result[:, -1:],
        torch.full((1, 1, 16), 6.0),
        "The attention is sharper or flatter than it should be. The scores are divided by the "
        "square root of the number of features that a query and a key have.",
    )


@points(1)
def test_the_narrowest_and_the_widest_window(student: Student, draw: Draw) -> None:
    """A window of 0 shows each token itself alone; one wider than the text shows everything."""
    Q, K, V = draw(3, BATCH, N, D)
    expect.close(
        student.sliding_window_attention(Q, K, V, N + 4),
        scaled_dot_product_attention(Q, K, V),
        "With a window wider than the sequence, the result should be that of full attention. Do "
        "your slices stop at both ends, and are the scores as in full attention?",
    )
    expect.close(
        student.sliding_window_attention(Q, K, V, 0),
        V,
        "With window = 0 each token sees itself alone, so its own value should come back.",
    )
    expect.close(
        student.sliding_window_attention(Q[:, :1], K[:, :1], V[:, :1], 2),
        V[:, :1],
        "A sequence of one token has no neighbours at all, so its own value should come back.",
    )


@points(2)
def test_it_agrees_with_full_attention_under_a_band(student: Student, draw: Draw) -> None:
    """The values agree with PyTorch's attention under the band mask, for several windows."""
    Q, K, V = draw(3, BATCH, N, D)
    for window in (1, 2, 4):
        result = student.sliding_window_attention(Q, K, V, window)
        assert not student.inputs_changed, (
            "Your function changes its inputs. Make new tensors instead."
        )
        expect.close(
            result,
            scaled_dot_product_attention(Q, K, V, band(N, window)),
            f"With window = {window} the result differs from PyTorch's attention under the mask "
            "|i − j| ≤ window. Compare yours with `full_attention` and that mask on a short "
            "sequence: in which rows do they differ first?",
        )


@points(2)
@seconds(60)
def test_a_long_text_fits_into_memory(student: Student, draw: Draw) -> None:
    """50 000 tokens with window = 2: memory does not grow with n².

    The scores are all equal, so a wrong scale costs nothing here, nor does a window that is off by
    one. Whatever the window, it must be one on a short text before the long text is tried.
    """
    K, V = draw(2, 1, LONG, 3)
    Q = torch.zeros_like(K)
    short = student.sliding_window_attention(Q[:, :30], K[:, :30], V[:, :30], 2)
    expect.array(short, (1, 30, 3), "tensor")
    reaches = [reach for reach in product(range(INNER + 1), repeat=2) if any(reach)]
    found = [
        reach
        for reach in reaches
        if torch.allclose(short[:, INNER:-INNER].float(), averages(V[:, :30], *reach), atol=1e-5)
    ]
    assert found, (
        "With equal scores and window = 2, the tokens in the middle of a short text should take "
        "home the average of their neighbours. Yours don't, so the long text wasn't tried."
    )
    with expect.memory(
        memory_grew(
            "A token sees at most 2 · window + 1 keys: compute their scores alone, in a loop or "
            "with the neighbours side by side."
        )
    ):
        result = student.sliding_window_attention(Q, K, V, 2)
    expect.array(result, (1, LONG, 3), "tensor")
    expect.close(
        result[:, INNER:-INNER],
        averages(V, *found[0]),
        "On a long text the values are no longer those of a short one.",
    )


def averages(V: torch.Tensor, left: int, right: int) -> torch.Tensor:
    """Average V from `left` before to `right` after each token, but the `INNER` at either end."""
    inner = V[:, INNER - left : V.shape[1] - INNER + right]
    return inner.unfold(1, left + right + 1, 1).mean(-1)
