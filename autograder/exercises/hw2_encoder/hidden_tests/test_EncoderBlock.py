"""Hidden tests of `EncoderBlock`: each sublayer alone, the whole, and what holds for any block.

The reference is `nn.TransformerEncoderLayer`. A sublayer is silenced by setting its last linear
layer to zero: then only the residual and the norm around it remain.
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
Randomise = Callable[[nn.TransformerEncoderLayer], nn.TransformerEncoderLayer]

BATCH, SEQ, D_MODEL, N_HEADS = 3, 7, 24, 2  # 8 heads would fit, too
LENGTHS = (6, 3, 5)  # of the sentences in a padded batch
NUMBERS = 12 * D_MODEL**2 + 13 * D_MODEL  # of a block where d_ff is 4 · d_model
WIDE = 1e-4  # the tolerance for sums of many products


def pytorch_block(
    d_model: int = D_MODEL, n_heads: int = N_HEADS, d_ff: int | None = None
) -> nn.TransformerEncoderLayer:
    """Return PyTorch's own post-norm block with ReLU; d_ff is 4 · d_model unless told otherwise."""
    return nn.TransformerEncoderLayer(d_model, n_heads, d_ff or 4 * d_model, batch_first=True)


def block_with(
    student: Student, theirs: nn.TransformerEncoderLayer, dropout: float = 0.0
) -> ModuleProxy:
    """Make the student's block with the weights of `theirs`, in eval mode."""
    block: ModuleProxy = student.EncoderBlock(
        theirs.norm1.normalized_shape[0],
        theirs.self_attn.num_heads,
        theirs.linear1.out_features,
        dropout=dropout,
    )
    load_what_is_there(block, theirs.state_dict())
    block.eval()
    return block


@points(1)
def test_each_residual_is_followed_by_a_norm_of_its_own(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """With both sublayers silent, the block is norm2(norm1(x))."""
    theirs = randomise(pytorch_block())
    silence(theirs.self_attn.out_proj, theirs.linear2)
    x = draw(BATCH, SEQ, D_MODEL)
    expect.close(
        block_with(student, theirs)(x),
        theirs.norm2(theirs.norm1(x)),
        "We set both sublayers to zero, so that norm2(norm1(x)) should remain. Is each norm used "
        "once, *after* the sum of residual and sublayer (post-norm), and is there a residual at "
        "all?",
        WIDE,
    )


@points(1)
def test_norms_are_as_pytorch_makes_them(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """Where a token's features lie close together, the norms' eps has its usual say.

    The result of norm1 is made small, so that what norm2 does with small numbers shows as well.
    """
    theirs = randomise(pytorch_block())
    silence(theirs.self_attn.out_proj, theirs.linear2)
    theirs.norm1.weight.mul_(0.003)
    theirs.norm1.bias.mul_(0.003)
    x = draw(BATCH, SEQ, D_MODEL, scale=0.003)
    expect.close(
        block_with(student, theirs)(x),
        theirs.norm2(theirs.norm1(x)),
        "With both sublayers at zero and features that lie close together, your result isn't "
        "norm2(norm1(x)). If the test above fails as well, start there. Else: are both norms "
        "`nn.LayerNorm` as it comes?",
        WIDE,
    )


@points(1)
def test_attention_alone_agrees_with_pytorch(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """With the feed-forward network silent, attention, residual and norms agree with PyTorch."""
    theirs = randomise(pytorch_block())
    silence(theirs.linear2)
    x = draw(BATCH, SEQ, D_MODEL)
    expect.close(
        block_with(student, theirs)(x),
        theirs(x),
        "With the feed-forward network set to zero, the attention sublayer differs from PyTorch's. "
        "Is x query, key and value at once, is `batch_first=True` set, and is x itself the "
        "residual?",
        WIDE,
    )


@points(1)
def test_the_feed_forward_network_alone_agrees_with_pytorch(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """With attention silent, the feed-forward network, residual and norms agree with PyTorch."""
    theirs = randomise(pytorch_block(d_ff=20))
    silence(theirs.self_attn.out_proj)
    x = draw(BATCH, SEQ, D_MODEL)
    expect.close(
        block_with(student, theirs)(x),
        theirs(x),
        "With attention set to zero, the feed-forward sublayer differs from PyTorch's. It starts "
        "from what norm1 returns, and the same tensor is its residual. Is there a ReLU between "
        "linear1 and linear2?",
        WIDE,
    )


@points(1)
def test_a_block_of_width_64_agrees_with_pytorch(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """With 4 heads and d_ff = 256, (32, 10, 64) goes in and PyTorch's (32, 10, 64) comes out."""
    theirs = randomise(pytorch_block(64, 4, 256))
    x = draw(32, 10, 64)
    expect.close(
        block_with(student, theirs)(x),
        theirs(x),
        "With d_model = 64, 4 heads and d_ff = 256, the result differs from "
        "nn.TransformerEncoderLayer with the same weights. If earlier tests fail as well, start "
        "there. Else: are all arguments used?",
        WIDE,
    )


@points(1)
def test_the_default_block_agrees_with_pytorch(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """EncoderBlock() takes (32, 10, 128) and returns PyTorch's (32, 10, 128)."""
    theirs = randomise(pytorch_block(128, 8, 512))
    block = student.EncoderBlock()
    load_what_is_there(block, theirs.state_dict())
    block.eval()
    x = draw(32, 10, 128)
    expect.close(
        block(x),
        theirs(x),
        "EncoderBlock() differs from nn.TransformerEncoderLayer with the same weights. If earlier "
        "tests fail as well, start there. Else: unless told otherwise, it has d_model = 128, 8 "
        "heads and d_ff = 512.",
        WIDE,
    )


@points(2)
def test_padding_is_as_if_it_were_not_there(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """In a batch of sentences of different lengths, each is as if it stood alone: in both modes."""
    block = block_with(student, randomise(pytorch_block()))
    x, padding = draw(BATCH, SEQ, D_MODEL), padding_of(LENGTHS, SEQ)
    for set_mode in (block.eval, block.train):
        set_mode()
        padded, unmasked = block(x, key_padding_mask=padding), block(x)
        expect.array(padded, (BATCH, SEQ, D_MODEL), "tensor")
        for row, length in enumerate(LENGTHS):
            alone = block(x[row : row + 1, :length])
            expect.close(
                padded[row : row + 1, :length],
                alone,
                "Real tokens change when padding is added behind them and masked. Each sentence "
                "has its own row of `key_padding_mask`, where True means ignore this token, which "
                "is torch's own convention. What reaches attention?",
                WIDE,
            )
        check_others_are_seen(unmasked[1:2, :3], block(x[1:2, :3]))


@points(1)
def test_large_scores_are_survived_and_padding_stays_hidden(
    student: Student, rng: np.random.Generator
) -> None:
    """Scores of hundreds give no nan, and what is hidden stays hidden beside them."""
    block = block_with(student, large_scores(pytorch_block(8)))
    x = large_inputs(rng, BATCH, SEQ)
    padding = padding_of((SEQ - 1,) * BATCH, SEQ)
    padded, unmasked, alone = block(x, key_padding_mask=padding), block(x), block(x[:, :-1])
    expect.close(
        padded[:, :-1],
        alone,
        "With scores of several hundred, real tokens change when a token is added behind them and "
        "masked. If the test of padding fails as well, start there. Else: what becomes of a hidden "
        "score, and does it lie below all others, however low those are?",
        WIDE,
    )
    check_others_are_seen(unmasked[:, :-1], alone)


@points(1)
def test_any_size_works_in_any_order(student: Student, draw: Draw, randomise: Randomise) -> None:
    """Short, long and short again, and one sentence of one token: length itself has no effect."""
    block = block_with(student, randomise(pytorch_block()))
    x = draw(2, 601, D_MODEL)

    def in_front_of_padding(size: tuple[int, int]) -> Any:
        batch, seq = size
        padded = block(x[:batch], key_padding_mask=padding_of((seq,) * batch, 601))
        expect.array(padded, (batch, 601, D_MODEL), "tensor")
        return padded[:, :seq]

    laws.agrees_at(
        [(2, 5), (1, 600), (1, 1), (2, 1), (2, 5)],
        lambda size: block(x[: size[0], : size[1]]),
        in_front_of_padding,
        lambda size: (
            f"A batch of {size[0]} with {size[1]} tokens gives another result than the same tokens "
            "in front of padding, 601 in all. If the test of padding fails as well, start there. "
            "Else: does your block keep anything from earlier calls, and what does it do with an "
            "axis of length 1?"
        ),
        WIDE,
    )
    check_others_are_seen(block(x[:, :5])[:, :2], block(x[:, :2]))


@points(1)
def test_inputs_are_left_alone(student: Student, draw: Draw, randomise: Randomise) -> None:
    """Neither x nor the mask is changed, with a mask or without, in eval mode or in train mode."""
    block = block_with(student, randomise(pytorch_block()))
    x, padding = draw(BATCH, SEQ, D_MODEL), padding_of(LENGTHS, SEQ)
    laws.leaves_inputs_alone(
        student,
        lambda: block(x),
        lambda: block(x, key_padding_mask=padding),
        block.train,
        lambda: block(x, key_padding_mask=padding),
        reveals="block-input-overwritten",
    )
    check_others_are_seen(block(x)[:, :3], block(x[:, :3]))


@points(1)
def test_everything_learns(student: Student, draw: Draw, randomise: Randomise) -> None:
    """A gradient reaches x and every parameter, and no others are trained."""
    block = block_with(student, randomise(pytorch_block()))
    x, cotangent = draw(BATCH, SEQ, D_MODEL), draw(BATCH, SEQ, D_MODEL)
    laws.learns(
        block,
        x,
        cotangent=cotangent,
        numbers=NUMBERS,
        reveals="block-gradient-stopped",
        reveals_more="block-trains-too-much",
        reveals_fewer="block-layers-frozen",
    )
    laws.reaches_input(block, x, place=0, called="x", cotangent=cotangent)


@points(1)
def test_what_attention_returns_drops_out_in_train_mode(student: Student) -> None:
    """In train mode with dropout=0.5, half of what attention adds is lost, the rest is doubled.

    Unless told otherwise, a tenth is lost.
    """
    theirs = pytorch_block(WIDTH)
    only_bias(theirs, theirs.self_attn.out_proj)
    check_dropout_of(
        "attention",
        block_with(student, theirs, dropout=0.5),
        levels(BATCH, SEQ),
        tags=(
            "block-no-dropout-after-attention",
            "block-dropout-takes-the-residual",
            "block-dropout-not-scaled",
        ),
    )


@points(1)
def test_what_the_feed_forward_network_returns_drops_out_in_train_mode(student: Student) -> None:
    """In train mode with dropout=0.5, half of what the network adds is lost, the rest doubled."""
    theirs = pytorch_block(WIDTH)
    only_bias(theirs, theirs.linear2)
    check_dropout_of(
        "the feed-forward network",
        block_with(student, theirs, dropout=0.5),
        levels(BATCH, SEQ),
        tags=(
            "block-no-dropout-after-feed-forward",
            "block-dropout-takes-the-residual",
            "block-dropout-not-scaled",
        ),
    )


@points(1)
def test_a_tenth_drops_out_unless_told_otherwise(student: Student) -> None:
    """EncoderBlock(…) loses a tenth of what attention adds in train mode."""
    theirs = pytorch_block(WIDTH)
    only_bias(theirs, theirs.self_attn.out_proj)
    block = student.EncoderBlock(WIDTH, N_HEADS, 4 * WIDTH)
    load_what_is_there(block, theirs.state_dict())
    block.train()
    x = levels(16, SEQ)
    share = dropped_share(block(x), tuple(x.shape))
    expect.that(
        abs(share - 0.5) > 0.03,
        "Unless told otherwise, a tenth of what attention adds should drop out. Yours loses half.",
        reveals="block-dropout-half",
    )
    assert abs(share - 0.1) < 0.03, (
        "Unless told otherwise, a tenth of what attention adds should drop out (dropout=0.1). "
        "Yours loses another share. If the tests of dropout above fail as well, start there."
    )


@points(1)
def test_nothing_drops_out_in_eval_mode_or_at_zero(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """In eval mode two runs agree; with dropout=0.0 train mode does as eval mode does."""
    theirs = randomise(pytorch_block())
    x = draw(BATCH, SEQ, D_MODEL)
    block = block_with(student, theirs, dropout=0.5)
    laws.repeats(
        lambda: block(x),
        "That was in eval mode. How does what you use for dropout know which mode it is in?",
    )
    steady = block(x)
    calm = block_with(student, theirs, dropout=0.0)
    calm.train()
    expect.close(
        calm(x),
        steady,
        "With dropout=0.0, train mode should do what eval mode does, and doesn't. Is the argument "
        "`dropout` used everywhere, and does anything else in your block ask for the mode?",
        WIDE,
    )
    check_others_are_seen(steady[:, :3], block(x[:, :3]))
