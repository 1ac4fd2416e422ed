"""Hidden tests of `Transformer`: how it behaves, whatever it looks like inside.

Nothing is known of its weights, so nothing is compared with expected values: one thing is changed
at a time, and the test looks at which logits move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect, points

DrawTokens = Callable[..., torch.Tensor]

BATCH, S, T = 7, 6, 5
SRC, TGT = 23, 29  # the vocabularies are larger than d_model and d_ff: sizes mixed up show
D_MODEL, D_FF = 16, 20
NOISE = 1e-4  # of the logits' spread: what moves by less has not moved


def transformer(student: Student, **sizes: Any) -> ModuleProxy:
    """Make a small model in eval mode."""
    usual = {"d_model": D_MODEL, "n_heads": 2, "d_ff": D_FF, "n_layers": 2, "max_len": 9}
    model: ModuleProxy = student.Transformer(SRC, TGT, **usual | sizes)
    model.eval()
    return model


def logits_of(model: ModuleProxy, src: torch.Tensor, tgt: torch.Tensor) -> Any:
    """Return the model's logits; they have to have the right shape, be finite, and say something.

    What is the same for every token of the vocabulary says nothing of which is likely.
    """
    logits = model(src, tgt)
    expect.array(
        logits,
        (*tgt.shape, TGT),
        "tensor",
        "The logits are (batch, t, tgt_vocab): t counts the target's tokens.",
    )
    assert logits.isfinite().all(), "There are nan or infinities among your logits."
    assert logits.std(dim=-1).min() > 1e-6, "At some position all tokens get the same logit."
    return logits


def moved(after: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
    """Tell for each sequence and position whether its logits moved: (batch, t) bool."""
    return (after - before).abs().amax(dim=-1) > NOISE * before.std()


def other_token(tokens: torch.Tensor, place: int, vocab: int) -> torch.Tensor:
    """Return a copy with another token at `place`, in every sequence."""
    changed = tokens.clone()
    changed[:, place] = (changed[:, place] + 1) % vocab
    return changed


def different_tokens(draw_tokens: DrawTokens, batch: int, length: int, vocab: int) -> torch.Tensor:
    """Draw sequences in which no token comes twice, so that an exchange of two shows."""
    starts = draw_tokens(batch, 1, vocab_size=vocab)
    return (starts + 2 * torch.arange(length)) % vocab  # both vocabularies are odd


@points(1)
def test_sequences_of_any_length_and_number_get_logits_of_their_own(
    student: Student, draw_tokens: DrawTokens
) -> None:
    """The logits are (batch, t, tgt_vocab), for each sequence as if it were alone."""
    model = transformer(student, max_len=31)
    for batch, s, t in ((BATCH, S, T), (2, 4, 7), (4, 9, 9), (1, 1, 1), (2, 31, 31)):
        src = different_tokens(draw_tokens, batch, s, SRC)
        tgt = different_tokens(draw_tokens, batch, t, TGT)
        together = logits_of(model, src, tgt)
        for row in range(batch):
            alone = logits_of(model, src[row : row + 1], tgt[row : row + 1])
            assert not moved(together[row : row + 1], alone).any(), (
                "A sequence gets other logits when others stand beside it in the batch. Is "
                "`batch_first=True` set everywhere?"
            )


@points(1)
def test_logits_are_returned_and_not_probabilities(
    student: Student, draw_tokens: DrawTokens
) -> None:
    """What comes back are the scores before a softmax."""
    src = draw_tokens(BATCH, S, vocab_size=SRC)
    logits = logits_of(transformer(student), src, draw_tokens(BATCH, T, vocab_size=TGT))
    assert not ((logits >= 0) & (logits <= 1)).all(), (
        "All your numbers lie between 0 and 1, as probabilities do. Return the logits, before any "
        "softmax: the loss applies it itself."
    )


@points(1)
def test_no_position_peeks_ahead(student: Student, draw_tokens: DrawTokens) -> None:
    """A token of the target that changes moves logits at its place and later, none before it."""
    model = transformer(student)
    src, tgt = draw_tokens(BATCH, S, vocab_size=SRC), draw_tokens(BATCH, T, vocab_size=TGT)
    before = logits_of(model, src, tgt)
    for place in range(T):
        now = moved(logits_of(model, src, other_token(tgt, place, TGT)), before)
        assert not now[:, :place].any(), (
            "When a token of the target changes, logits before it move: they peek ahead at what "
            "they should predict. Does every layer of your decoder get the causal mask?"
        )
        assert now[:, place].all(), (
            "When a token of the target changes, the logits at its own place stay as they were. "
            "Position i reads the token i and says what follows it."
        )
        assert now[:, place:].any(dim=0).all(), (
            "When a token of the target changes, some later logits don't move. Every position sees "
            "all tokens before it."
        )


@points(1)
def test_every_token_of_the_source_matters(student: Student, draw_tokens: DrawTokens) -> None:
    """Whichever token of the source changes, the logits at every position move."""
    model = transformer(student)
    src, tgt = draw_tokens(BATCH, S, vocab_size=SRC), draw_tokens(BATCH, T, vocab_size=TGT)
    before = logits_of(model, src, tgt)
    for place in range(S):
        now = moved(logits_of(model, other_token(src, place, SRC), tgt), before)
        assert now.any(dim=0).all(), (
            "A token of the source changes, and some logits don't move. The whole source is known "
            "before the first word is written: every position of the target looks at all of it."
        )


@points(1)
def test_the_order_of_the_source_matters(student: Student, draw_tokens: DrawTokens) -> None:
    """Two tokens of the source that change places move the logits."""
    model = transformer(student)
    src = different_tokens(draw_tokens, BATCH, S, SRC)
    tgt = draw_tokens(BATCH, T, vocab_size=TGT)
    before = logits_of(model, src, tgt)
    for order in ([1, 0, 2, 3, 4, 5], [0, 1, 2, 5, 4, 3]):
        assert moved(logits_of(model, src[:, order], tgt), before).any(dim=0).all(), (
            "Two tokens of the source change places, and the logits stay as they were: for your "
            "model the source is a bag of tokens. What tells attention where a token stands?"
        )


@points(1)
def test_the_order_of_the_target_matters(student: Student, draw_tokens: DrawTokens) -> None:
    """In a single layer, earlier tokens of the target that change places move the last logits.

    With more layers the causal mask alone would give the order away.
    """
    model = transformer(student, n_layers=1)
    src = draw_tokens(BATCH, S, vocab_size=SRC)
    tgt = different_tokens(draw_tokens, BATCH, T, TGT)
    before = logits_of(model, src, tgt)
    for order in ([3, 2, 1, 0, 4], [2, 0, 1, 3, 4]):
        assert moved(logits_of(model, src, tgt[:, order]), before)[:, -1].any(), (
            "Earlier tokens of the target change places, and the last position doesn't notice: for "
            "your decoder, what was written is a bag of tokens. The target needs positions as well "
            "as the source."
        )


@points(1)
def test_a_gradient_reaches_every_parameter(student: Student, draw_tokens: DrawTokens) -> None:
    """Under cross-entropy, every parameter of the model gets a gradient that is not zero.

    The biases of keys get a zero by mathematics, so of biases only the presence is asked. And the
    parameters are all there is: two models that have the same are the same.
    """
    model, twin = transformer(student), transformer(student)
    src, tgt = draw_tokens(BATCH, S, vocab_size=SRC), draw_tokens(BATCH, T, vocab_size=TGT)
    logits = logits_of(model, src, tgt)
    following = nn.functional.one_hot(draw_tokens(BATCH, T, vocab_size=TGT), TGT)
    error = (torch.softmax(logits, dim=-1) - following) / (BATCH * T)
    gradients = model.gradients(src, tgt, cotangent=error)
    assert gradients, "Your model has no parameters, so it can't learn anything."
    for name, gradient in gradients.items():
        assert gradient is not None, (
            f"No gradient reaches `{name}`. Is it made and never used, or is the way to it cut by "
            "`detach`, `no_grad` or `argmax`?"
        )
        assert gradient.isfinite().all(), f"The gradient of `{name}` isn't finite."
        assert name.endswith("bias") or gradient.any(), (
            f"The gradient of `{name}` is zero everywhere: whatever it does has no effect."
        )
    twin.load(model.state())
    assert not moved(logits_of(twin, src, tgt), logits).any(), (
        "Two of your models with the same parameters return different logits: something in them is "
        "out of reach of any optimiser. Layers in a plain Python list, or made in `forward`?"
    )


def count_parameters(model: ModuleProxy) -> int:
    """Return how many numbers the model can learn, frozen ones included."""
    return sum(torch.Size(shape).numel() for shape in model.parameters().values())


@points(1)
def test_every_size_is_taken_from_the_arguments(student: Student, draw_tokens: DrawTokens) -> None:
    """Larger sizes make a larger model, in encoder and decoder; at dropout=0.0 nothing drops out.

    Unless told otherwise: d_model = 64, d_ff = 128, 2 layers, max_len = 64, dropout = 0.0.
    """
    one, two, wide, deep = (
        count_parameters(transformer(student, **sizes))
        for sizes in ({"n_layers": 1}, {}, {"d_model": D_MODEL + 8}, {"d_ff": D_FF + 11})
    )
    layer = two - one  # of encoder and decoder together, larger than all that is around them
    assert layer > 0 and one <= 2 * layer, (
        "`n_layers` doesn't decide how many layers there are. Is it used in the encoder as well as "
        "in the decoder?"
    )
    assert wide > two, "With a larger d_model, your model has no more parameters than before."
    assert deep - two >= 4 * 2 * D_MODEL * 11, (
        "With a larger d_ff, some feed-forward network doesn't grow. There is one in each layer, "
        "in the encoder as well as in the decoder: what do they get as d_ff?"
    )
    model, told = student.Transformer(TGT, SRC), student.Transformer(TGT, SRC, 64, 4, 128, 2, 64)
    assert count_parameters(model) == count_parameters(told), (
        "Unless told otherwise, the model has d_model = 64, d_ff = 128, 2 layers and max_len = 64. "
        "Yours has other sizes."
    )
    src, tgt = draw_tokens(2, 64, vocab_size=TGT), draw_tokens(2, 64, vocab_size=SRC)
    model.train()
    training = model(src, tgt)
    expect.array(training, (2, 64, SRC), "tensor", "The vocabularies' sizes were exchanged here.")
    assert training.std(dim=-1).min() > 1e-6, "At some position all tokens get the same logit."
    model.eval()
    assert not moved(training, model(src, tgt)).any(), (
        "Unless told otherwise dropout is 0.0, but in train mode your model drops something out. "
        "torch's layers have a default of their own: do all of them get the argument?"
    )
