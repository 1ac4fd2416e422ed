"""Hidden tests of `sliding_window_attention`: laws, agreement with PyTorch, memory and time."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch.nn.functional import scaled_dot_product_attention

from autograder.testing import Student, expect, laws, points, seconds

from ..long_text import LONG, LONGER, PATIENCE, PERIOD, begins_again_and_again, memory_grew

Draw = Callable[..., torch.Tensor]

BATCH, N, D = 3, 11, 4
BEYOND = 530  # tokens: more than any table of 64, 128, 256 or 512


def band(n: int, window: int) -> torch.Tensor:
    """Return the mask (n, n) of the window, True = may attend."""
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
        "The value of a token was changed, and the token's own result stayed as it was. Each token "
        "attends to itself, at the distance 0."
    )
    assert reached[:, 2:9].all(), (
        "A token doesn't hear of another that is `window` or fewer places away. The window "
        "reaches so far to both sides, and the token at its very edge still counts."
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
        "All values were raised by 10, and the results of tokens in the middle didn't rise by 10. "
        "What do the shares of one token sum to, over the keys of its own window?",
    )
    expect.close(
        after - before,
        10,
        "All values were raised by 10, and the results of the first or last tokens didn't rise "
        "by 10. They have fewer neighbours, whose shares should still sum to 1.",
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
        "With d = 16, one key should get ¾ of the last token's attention, and yours gets more or "
        "less. Work the scores, the divisor and the softmax out by hand.",
    )


@points(1)
def test_the_narrowest_and_the_widest_window(student: Student, draw: Draw) -> None:
    """A window of 0 shows each token itself alone; one wider than the text shows everything."""
    Q, K, V = draw(3, BATCH, N, D)
    expect.close(
        student.sliding_window_attention(Q, K, V, N + 4),
        scaled_dot_product_attention(Q, K, V),
        "With a window wider than the sequence, the result should be that of full attention, and "
        "yours differs. What do your windows hold there, and are the scores those of full "
        "attention?",
    )
    expect.close(
        student.sliding_window_attention(Q, K, V, 0),
        V,
        "With window = 0 each token sees itself alone, so its own value should come back.",
    )


@points(1)
def test_any_size_will_do(student: Student, draw: Draw) -> None:
    """One token, one feature, one sentence, then hundreds of tokens: every size works."""
    Q, K, V = draw(3, BATCH, BEYOND, D)

    def on(sentences: slice, tokens: slice) -> torch.Tensor:
        inputs = (part[sentences, tokens].contiguous() for part in (Q, K, V))
        result: torch.Tensor = student.sliding_window_attention(*inputs, 2)
        return result

    everyone, start, middle = slice(None), slice(0, 8), slice(510, BEYOND)
    expect.close(
        on(everyone, slice(0, 1)),
        V[:, :1],
        "A sequence of one token has no neighbours at all, so its own value should come back.",
    )
    narrow = (part[:, start, :1].contiguous() for part in (Q, K, V))
    expect.close(
        student.sliding_window_attention(*narrow, 9),
        scaled_dot_product_attention(Q[:, start, :1], K[:, start, :1], V[:, start, :1]),
        "With a single feature (d = 1) and a window wider than the text, the result should be that "
        "of full attention, and yours differs.",
    )
    together = on(everyone, start)
    expect.array(together, (BATCH, 8, D), "tensor")
    expect.close(
        on(slice(0, 1), start),
        together[:1],
        "A sentence alone in its batch should get what it gets beside others, and yours doesn't.",
    )
    piece = on(everyone, middle)
    expect.array(piece, (BATCH, BEYOND - 510, D), "tensor")
    whole = on(everyone, everyone)
    expect.array(whole, (BATCH, BEYOND, D), "tensor")
    expect.close(
        whole[:, 514:-4],
        piece[:, 4:-4],
        f"A piece was cut out of a text of {BEYOND} tokens, and its middle got another result "
        "than in the whole text, though each token has the same neighbours in both. Look for "
        "what the code takes from the length, or from an earlier call.",
    )


@points(1)
def test_large_scores_are_survived(student: Student, draw: Draw) -> None:
    """Scores of several hundred, above 0 or below: the best key of a window takes all.

    The gaps are of 200 and more, so neither rounding nor the scale decides which key wins.
    """
    n = 8
    partner = torch.arange(n).view(-1, 2).flip(1).flatten()  # 1 0 3 2 …
    scores = 50 * draw(n, n).sigmoid()
    scores[: n // 2] -= 600
    scores[n // 2 :] += 300
    scores[torch.arange(n), partner] += 250
    Q, K = torch.zeros(2, 1, n, 16)  # √16 · score = 10 · query: a key is 10 at a place of its own
    Q[0, :, :n], K[0, :, :n] = 0.4 * scores, 10 * torch.eye(n)
    V = draw(1, n, 16)
    expect.close(
        student.sliding_window_attention(Q, K, V, 2),
        V[:, partner],
        "Scores were as large as 550, or all below −300, and the key with by far the best score in "
        "the window didn't take all of the attention. What becomes of such numbers in your "
        "exponentials, and how low is the score of a key that is hidden?",
    )


@points(1)
def test_the_inputs_stay_as_they_are(student: Student, draw: Draw) -> None:
    """Narrow window or wide: Q, K and V are afterwards what they were before."""
    Q, K, V = draw(3, BATCH, N, D)
    before = student.sliding_window_attention(Q, K, V, 2)
    after = student.sliding_window_attention(Q, K.flip(1), V + 1, 2)
    for result in (before, after):
        expect.array(result, (BATCH, N, D), "tensor")
    assert ((after - before).abs() > 1e-6).any(), (
        "Keys and values were changed, and your result stayed the same. It should be an average "
        "of the values."
    )
    laws.leaves_inputs_alone(
        student,
        lambda: student.sliding_window_attention(Q, K, V, 0),
        lambda: student.sliding_window_attention(Q, K, V, N),
    )


@points(2)
def test_it_agrees_with_full_attention_under_a_band(student: Student, draw: Draw) -> None:
    """The values agree with PyTorch's attention under the band mask, for several windows."""
    Q, K, V = draw(3, BATCH, N, D)
    laws.agrees_at(
        (1, 2, 4, 6, N - 2),  # from 6 on, no token has a whole window
        lambda window: student.sliding_window_attention(Q, K, V, window),
        lambda window: scaled_dot_product_attention(Q, K, V, band(N, window)),
        lambda window: (
            f"With {N} tokens and window = {window} the result differs from PyTorch's attention "
            "under the mask |i − j| ≤ window. Compare yours with `full_attention` and that mask "
            "on a short sequence, row by row."
        ),
    )


@points(2)
@seconds(60)
def test_a_long_text_fits_into_memory(student: Student, draw: Draw) -> None:
    """65 536 tokens with window = 2: memory does not grow with n²."""
    with expect.memory(
        memory_grew(
            "A token sees at most 2 · window + 1 keys: compute their scores alone, in a loop or "
            "with the neighbours side by side."
        )
    ):
        begins_again_and_again(student, draw(3, 1, PERIOD, 3), LONG)


@points(1)
@seconds(PATIENCE)
def test_a_long_text_takes_time_in_proportion(student: Student, draw: Draw) -> None:
    """262 144 tokens with window = 2: time does not grow with n²; a loop over tokens is fine."""
    begins_again_and_again(student, draw(3, 1, PERIOD, 16), LONGER)
