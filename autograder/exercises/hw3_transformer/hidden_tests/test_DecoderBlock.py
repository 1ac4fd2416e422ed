"""Hidden tests of `DecoderBlock`: each sublayer alone, the whole, and what holds for any block.

The reference is `nn.TransformerDecoderLayer`. A sublayer is silenced by setting its last linear
layer to zero: then only the residual and the norm around it remain. Where the mask is not what is
tested, the first and the last token are left out: under a wrong one they may have nothing to look
at, and that mistake should cost its own points only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect, laws, points

from ...blocks import (
    WIDTH,
    check_dropout_of,
    check_others_are_seen,
    dropped_share,
    large_inputs,
    large_scores,
    levels,
    load_what_is_there,
    only_bias,
    padding_of,
)
from ...parameters import silence

Draw = Callable[..., torch.Tensor]
Randomise = Callable[[nn.TransformerDecoderLayer], nn.TransformerDecoderLayer]

BATCH, T, S, D_MODEL, N_HEADS = 3, 7, 5, 24, 2  # 8 heads would fit, too
LENGTHS = (4, 2, 3)  # of the sources in a padded batch
NUMBERS = 16 * D_MODEL**2 + 19 * D_MODEL  # of a block where d_ff is 4 · d_model
WIDE = 1e-4  # the tolerance for sums of many products


def pytorch_block(
    d_model: int = D_MODEL, n_heads: int = N_HEADS, d_ff: int | None = None
) -> nn.TransformerDecoderLayer:
    """Return PyTorch's own post-norm block with ReLU; d_ff is 4 · d_model unless told otherwise."""
    return nn.TransformerDecoderLayer(d_model, n_heads, d_ff or 4 * d_model, batch_first=True)


def later_tokens(t: int) -> torch.Tensor:
    """Return torch's mask of what is hidden from whom: True above the diagonal."""
    return torch.ones(t, t, dtype=torch.bool).triu(1)


def block_with(
    student: Student, theirs: nn.TransformerDecoderLayer, dropout: float = 0.0
) -> ModuleProxy:
    """Make the student's block with the weights of `theirs`, in eval mode."""
    block: ModuleProxy = student.DecoderBlock(
        theirs.norm1.normalized_shape[0],
        theirs.self_attn.num_heads,
        theirs.linear1.out_features,
        dropout=dropout,
    )
    load_what_is_there(block, theirs.state_dict())
    block.eval()
    return block


def inner(result: Any) -> Any:
    """Return a result without its first and its last token, having checked its shape."""
    expect.array(result, (BATCH, T, D_MODEL), "tensor")
    return result[:, 1:-1]


@points(1)
def test_each_residual_is_followed_by_a_norm_of_its_own(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """With all three sublayers silent, the block is norm3(norm2(norm1(x)))."""
    theirs = randomise(pytorch_block())
    silence(theirs.self_attn.out_proj, theirs.multihead_attn.out_proj, theirs.linear2)
    x, memory = draw(BATCH, T, D_MODEL), draw(BATCH, S, D_MODEL)
    expect.close(
        inner(block_with(student, theirs)(x, memory)),
        inner(theirs.norm3(theirs.norm2(theirs.norm1(x)))),
        "We set all three sublayers to zero, so that norm3(norm2(norm1(x))) should remain. Is each "
        "norm used once, *after* the sum of residual and sublayer (post-norm), and does each "
        "residual carry on what the norm before it returned?",
        WIDE,
    )


@points(1)
def test_norms_are_as_pytorch_makes_them(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """Where a token's features lie close together, the norms' eps has its usual say.

    What the first two norms return is made small, so that all three see small numbers.
    """
    theirs = randomise(pytorch_block())
    silence(theirs.self_attn.out_proj, theirs.multihead_attn.out_proj, theirs.linear2)
    for norm in (theirs.norm1, theirs.norm2):
        norm.weight.mul_(0.003)
        norm.bias.mul_(0.003)
    x, memory = draw(BATCH, T, D_MODEL, scale=0.003), draw(BATCH, S, D_MODEL)
    expect.close(
        inner(block_with(student, theirs)(x, memory)),
        inner(theirs.norm3(theirs.norm2(theirs.norm1(x)))),
        "With all three sublayers at zero and features that lie close together, your result isn't "
        "norm3(norm2(norm1(x))). If the test above fails as well, start there. Else: are all norms "
        "`nn.LayerNorm` as it comes?",
        WIDE,
    )


@points(1)
def test_self_attention_alone_agrees_with_pytorch(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """With all else silent, what the last token finds in the target agrees with PyTorch.

    The last token sees the whole target, so a wrong mask costs its own points only.
    """
    theirs = randomise(pytorch_block())
    silence(theirs.multihead_attn.out_proj, theirs.linear2)
    x, memory = draw(BATCH, T, D_MODEL), draw(BATCH, S, D_MODEL)
    result = block_with(student, theirs)(x, memory)
    expect.array(result, (BATCH, T, D_MODEL), "tensor")
    expect.close(
        result[:, -1],
        theirs(x, memory, tgt_mask=later_tokens(T))[:, -1],
        "With cross-attention and feed-forward network set to zero, the last token differs from "
        "PyTorch's. In self-attention x is query, key and value at once: is it, is "
        "`batch_first=True` set, and is x itself the residual?",
        WIDE,
    )


@points(1)
def test_cross_attention_alone_agrees_with_pytorch(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """With all else silent, what each token finds in the memory agrees with PyTorch."""
    theirs = randomise(pytorch_block())
    silence(theirs.self_attn.out_proj, theirs.linear2)
    x, memory = draw(BATCH, T, D_MODEL), draw(BATCH, S, D_MODEL)
    expect.close(
        inner(block_with(student, theirs)(x, memory)),
        inner(theirs(x, memory)),
        "With self-attention and feed-forward network set to zero, cross-attention differs from "
        "PyTorch's. Who asks, and who is asked? Whatever norm1 returned is the query and the "
        "residual; keys and values come from the memory.",
        WIDE,
    )


@points(1)
def test_the_feed_forward_network_alone_agrees_with_pytorch(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """With both attentions silent, the feed-forward network agrees with PyTorch."""
    theirs = randomise(pytorch_block(d_ff=20))
    silence(theirs.self_attn.out_proj, theirs.multihead_attn.out_proj)
    x, memory = draw(BATCH, T, D_MODEL), draw(BATCH, S, D_MODEL)
    expect.close(
        inner(block_with(student, theirs)(x, memory)),
        inner(theirs(x, memory)),
        "With both attentions set to zero, the feed-forward sublayer differs from PyTorch's. It "
        "starts from what norm2 returns, and the same tensor is its residual. Is there a ReLU "
        "between linear1 and linear2?",
        WIDE,
    )


@points(1)
def test_no_token_sees_a_later_one(student: Student, draw: Draw, randomise: Randomise) -> None:
    """A token that changes moves its own output and later ones, and none before it."""
    block = block_with(student, randomise(pytorch_block()))
    x, memory = draw(BATCH, T, D_MODEL), draw(BATCH, S, D_MODEL)
    before = block(x, memory)
    for place in (1, T - 1):
        changed = x.clone()
        changed[:, place] = draw(BATCH, D_MODEL)
        after = block(changed, memory)
        for result in (before, after):
            expect.array(result, (BATCH, T, D_MODEL), "tensor")
            assert result.isfinite().all(), (
                "There is nan in your result. A token that may look at nothing at all has no "
                "weights that sum to 1: may each token look at itself?"
            )
        moved = (after - before).abs().amax(dim=(0, 2)) > WIDE
        assert not moved[:place].any(), (
            "When a token of the target changes, tokens before it notice. Self-attention needs the "
            "causal mask; in torch's `attn_mask` True means *hidden*."
        )
        assert moved[place:].all(), (
            "When a token of the target changes, some token after it doesn't notice. All earlier "
            "tokens may be seen: which way round is your mask, and which way does torch read it?"
        )


@points(1)
def test_padding_of_the_memory_is_as_if_it_were_not_there(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """In a batch of sources of different lengths, nobody sees what is masked: in both modes."""
    block = block_with(student, randomise(pytorch_block()))
    x, memory, padding = draw(BATCH, T, D_MODEL), draw(BATCH, S, D_MODEL), padding_of(LENGTHS, S)
    for set_mode in (block.eval, block.train):
        set_mode()
        padded = inner(block(x, memory, memory_key_padding_mask=padding))
        for row, length in enumerate(LENGTHS):
            expect.close(
                padded[row],
                block(x[row : row + 1], memory[row : row + 1, :length])[0, 1:-1],
                "What `memory_key_padding_mask` hides still has an effect, or something else is "
                "hidden. In it True means ignore this token, which is torch's own convention. "
                "What reaches cross-attention?",
                WIDE,
            )
        check_others_are_seen(inner(block(x, memory)), padded)


@points(1)
def test_large_scores_are_survived_and_what_is_hidden_stays_hidden(
    student: Student, rng: np.random.Generator
) -> None:
    """Scores of hundreds give no nan, and neither later tokens nor padding show beside them."""
    block = block_with(student, large_scores(pytorch_block(8)))
    x, memory = large_inputs(rng, BATCH, T), large_inputs(rng, BATCH, S)
    padding = padding_of((S - 1,) * BATCH, S)
    padded, unmasked = block(x, memory, memory_key_padding_mask=padding), block(x, memory)
    expect.array(padded, (BATCH, T, 8), "tensor")
    expect.close(
        padded[:, :-1],
        block(x[:, :-1], memory[:, :-1]),
        "With scores of several hundred, a later token of the target or a hidden one of the source "
        "has an effect. If the tests of the masks fail as well, start there. Else: what becomes of "
        "a hidden score, and does it lie below all others, however low those are?",
        WIDE,
    )
    check_others_are_seen(unmasked, padded)


@points(1)
def test_any_size_works_in_any_order(student: Student, draw: Draw, randomise: Randomise) -> None:
    """Short, long and short again, and single tokens: what follows has no effect, in both modes."""
    block = block_with(student, randomise(pytorch_block()))
    x, memory = draw(2, 601, D_MODEL), draw(2, 30, D_MODEL)

    def of_a_longer_one(size: tuple[int, int, int]) -> Any:
        batch, t, s = size
        padding = padding_of((s,) * batch, 30)
        longer = block(x[:batch, : t + 1], memory[:batch], memory_key_padding_mask=padding)
        expect.array(longer, (batch, t + 1, D_MODEL), "tensor")
        return longer[:, :t]

    for set_mode in (block.eval, block.train):
        set_mode()
        laws.agrees_at(
            [(2, 5, 4), (1, 600, 29), (1, 1, 1), (2, 1, 3), (2, 5, 4)],
            lambda size: block(x[: size[0], : size[1]], memory[: size[0], : size[2]]),
            of_a_longer_one,
            lambda size: (
                f"A batch of {size[0]} with {size[1]} tokens and a memory of {size[2]} gives "
                "another result than the same ones with a later token and a memory padded to 30. "
                "If the tests of the masks fail as well, start there. Else: does your block keep "
                "anything from earlier calls, and what does it do with an axis of length 1?"
            ),
            WIDE,
        )
    check_others_are_seen(block(x[:, :5], memory), block(x[:, :5], memory[:, :4]))


@points(1)
def test_inputs_are_left_alone(student: Student, draw: Draw, randomise: Randomise) -> None:
    """Neither x nor memory nor mask is changed, with a mask or without, in eval or train mode."""
    block = block_with(student, randomise(pytorch_block()))
    x, memory, padding = draw(BATCH, T, D_MODEL), draw(BATCH, S, D_MODEL), padding_of(LENGTHS, S)
    laws.leaves_inputs_alone(
        student,
        lambda: block(x, memory),
        lambda: block(x, memory, memory_key_padding_mask=padding),
        block.train,
        lambda: block(x, memory, memory_key_padding_mask=padding),
        reveals="decoder-input-overwritten",
    )
    check_others_are_seen(block(x, memory), block(x, memory[:, :3]))


@points(1)
def test_everything_learns(student: Student, draw: Draw, randomise: Randomise) -> None:
    """A gradient reaches x, the memory and every parameter, and no others are trained."""
    block = block_with(student, randomise(pytorch_block()))
    x, memory = draw(BATCH, T, D_MODEL), draw(BATCH, S, D_MODEL)
    cotangent = draw(BATCH, T, D_MODEL)
    laws.learns(
        block,
        x,
        memory,
        cotangent=cotangent,
        numbers=NUMBERS,
        reveals="decoder-gradient-stopped",
        reveals_more="decoder-trains-too-much",
        reveals_fewer="decoder-layers-frozen",
    )
    for place, called in enumerate(("x", "memory")):
        laws.reaches_input(block, x, memory, place=place, called=called, cotangent=cotangent)


@points(1)
def test_the_default_block_agrees_with_pytorch(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """DecoderBlock() takes (32, 7, 128) and a memory of (32, 10, 128), and agrees with PyTorch."""
    theirs = randomise(pytorch_block(128, 8, 512))
    block = student.DecoderBlock()
    load_what_is_there(block, theirs.state_dict())
    block.eval()
    x, memory = draw(32, T, 128), draw(32, 10, 128)
    expect.close(
        block(x, memory),
        theirs(x, memory, tgt_mask=later_tokens(T)),
        "DecoderBlock() differs from nn.TransformerDecoderLayer with the same weights and a causal "
        "mask. If earlier tests fail as well, start there. Else: unless told otherwise, it has "
        "d_model = 128, 8 heads and d_ff = 512.",
        WIDE,
    )


def check_dropout_after(student: Student, sublayer: str, end: str, missing: str) -> None:
    """Check what drops out of a sublayer whose last layer is named `end`."""
    theirs = pytorch_block(WIDTH)
    only_bias(theirs, theirs.get_submodule(end))
    check_dropout_of(
        sublayer,
        block_with(student, theirs, dropout=0.5),
        levels(BATCH, T),
        levels(BATCH, S),
        tags=(missing, "decoder-dropout-takes-the-residual", "decoder-dropout-not-scaled"),
    )


@points(1)
def test_what_self_attention_returns_drops_out_in_train_mode(student: Student) -> None:
    """In train mode half of what self-attention adds is lost with dropout=0.5, the rest doubled."""
    check_dropout_after(
        student, "self-attention", "self_attn.out_proj", "decoder-no-dropout-after-self-attention"
    )


@points(1)
def test_what_cross_attention_returns_drops_out_in_train_mode(student: Student) -> None:
    """In train mode, half of what cross-attention adds is lost at 0.5, the rest doubled."""
    check_dropout_after(
        student,
        "cross-attention",
        "multihead_attn.out_proj",
        "decoder-no-dropout-after-cross-attention",
    )


@points(1)
def test_what_the_network_returns_drops_out_in_train_mode(student: Student) -> None:
    """In train mode half of what the network adds is lost with dropout=0.5, the rest doubled."""
    check_dropout_after(
        student, "the feed-forward network", "linear2", "decoder-no-dropout-after-feed-forward"
    )


@points(1)
def test_a_tenth_drops_out_unless_told_otherwise(student: Student) -> None:
    """DecoderBlock(…) loses a tenth of what self-attention adds in train mode."""
    theirs = pytorch_block(WIDTH)
    only_bias(theirs, theirs.self_attn.out_proj)
    block = student.DecoderBlock(WIDTH, N_HEADS, 4 * WIDTH)
    load_what_is_there(block, theirs.state_dict())
    block.train()
    share = dropped_share(block(levels(16, T), levels(16, S)), (16, T, WIDTH))
    expect.that(
        abs(share - 0.5) > 0.03,
        "Unless told otherwise, a tenth of what self-attention adds should drop out. Yours loses "
        "half.",
        reveals="decoder-dropout-half",
    )
    assert abs(share - 0.1) < 0.03, (
        "Unless told otherwise, a tenth of what self-attention adds should drop out (dropout=0.1). "
        "Yours loses another share. If the test of dropout above fails as well, start there."
    )


@points(1)
def test_nothing_drops_out_in_eval_mode_or_at_zero(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """In eval mode two runs agree; with dropout=0.0 train mode does as eval mode does."""
    theirs = randomise(pytorch_block())
    x, memory = draw(BATCH, T, D_MODEL), draw(BATCH, S, D_MODEL)
    block = block_with(student, theirs, dropout=0.5)
    laws.repeats(
        lambda: inner(block(x, memory)),
        "That was in eval mode. How does what you use for dropout know which mode it is in?",
    )
    steady = inner(block(x, memory))
    calm = block_with(student, theirs, dropout=0.0)
    calm.train()
    expect.close(
        inner(calm(x, memory)),
        steady,
        "With dropout=0.0, train mode should do what eval mode does, and doesn't. Is the argument "
        "`dropout` used everywhere, and does anything else in your block ask for the mode?",
        WIDE,
    )
    check_others_are_seen(steady, inner(block(x, memory[:, :3])))
