"""Hidden tests of `DecoderBlock`: each sublayer alone, the whole, and what holds for any block.

The reference is `nn.TransformerDecoderLayer`. One sublayer at a time is made so large that nothing
else counts, or all are silenced, and then only residuals and norms remain. Where the mask isn't
what is tested, the first and the last token are left out: under a wrong one they may have nothing
to look at, and that mistake should cost its own points only. For the same reason, batch, target and
memory have one size where no mask is tested.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple
from functools import partial

import numpy as np
import pytest
import torch

from autograder.testing import Student, expect, laws, points

from ...blocks import (
    WIDE,
    loaded,
    mistakable,
    only_norms,
    padding_of,
    shrink,
)
from ...dropout import (
    WIDTH,
    Runs,
    Tags,
    check_dropout_of,
    check_nothing_drops_out,
    check_share,
    gains,
    levels,
    only_bias,
    runs_of,
)
from ..decoder_blocks import (
    BATCH,
    D_MODEL,
    N_HEADS,
    SIZE,
    Block,
    S,
    T,
    alone,
    block_with,
    by_name,
    check_attends,
    check_causal,
    check_large_scores,
    check_padding_is_hidden,
    check_sizes_in_any_order,
    inner,
    later_tokens,
    normalised,
    pytorch_block,
    says_the_same,
    unpacked,
)

Draw = Callable[..., torch.Tensor]
Randomise = Callable[[Block], Block]
Inputs = tuple[torch.Tensor, torch.Tensor]

SUBLAYERS = "the three sublayers, each alone and all together, with the default sizes"
HIDDEN = "no token sees a later one or padding, in either mode and with scores of any size"
ANY = "a gradient reaches everything; any size works, and inputs are left alone"

MANY = 12  # tokens in as many texts, where shares or moves are counted
NUMBERS = 16 * D_MODEL**2 + 19 * D_MODEL  # of a block where d_ff is 4 · d_model


@pytest.fixture
def theirs(randomise: Randomise) -> Block:
    return randomise(pytorch_block())


@pytest.fixture
def inputs(draw: Draw) -> Inputs:
    """Draw a target and a memory."""
    return draw(SIZE, SIZE, D_MODEL), draw(SIZE, SIZE, D_MODEL)


@pytest.fixture
def attends(student: Student, draw: Draw, randomise: Randomise) -> Callable[[], None]:
    """Return a check that the block attends at all. Whether that is right, other tests say."""

    def attends() -> None:
        check_attends(
            student, randomise(pytorch_block(8)), draw(MANY, MANY, 8), draw(MANY, MANY, 8)
        )

    return attends


@points(2, "a residual and a norm around each sublayer, in their places")
def test_each_residual_is_followed_by_a_norm_of_its_own(
    student: Student, theirs: Block, inputs: Inputs, attends: Callable[[], None]
) -> None:
    """With all sublayers silent, only the three norms remain, even where numbers are small."""
    only_norms(theirs)
    usual = inner(block_with(student, theirs)(*inputs)), inner(theirs(*inputs))
    shrink(theirs.norm1, theirs.norm2)
    low = 0.003 * inputs[0], inputs[1]
    small = inner(block_with(student, theirs)(*low)), inner(theirs(*low))
    expect.close(
        *usual,
        "We set all three sublayers to zero, so that norm3(norm2(norm1(x))) should remain. Each "
        "norm is used once, *after* the sum of residual and sublayer (post-norm), and each "
        "residual carries on what the norm before it returned.",
        WIDE,
    )
    expect.close(
        *small,
        "We set all three sublayers to zero, so that norm3(norm2(norm1(x))) should remain. It "
        "does, but not where a token's features lie close together. Every norm should be a plain "
        "`nn.LayerNorm`.",
        WIDE,
    )
    attends()


@points(1, SUBLAYERS)
def test_self_attention_alone_agrees_with_pytorch(
    student: Student, theirs: Block, inputs: Inputs
) -> None:
    """With all else silent, what the last token finds in the target agrees with PyTorch.

    The last token sees the whole target: mistakes in the mask cost their own points only.
    """
    x, memory = normalised(inputs[0]), inputs[1]
    alone(theirs, "self_attn")
    expect.close(
        normalised(block_with(student, theirs)(x, memory))[:, -1],
        normalised(theirs(x, memory, tgt_mask=later_tokens(SIZE)))[:, -1],
        "With cross-attention set to zero, and self-attention so large that nothing else counts, "
        "the last token differs from PyTorch's. In self-attention, query, key and value are all "
        "x, and the last token may look at every one. Is that so in yours, and is "
        "`batch_first=True` set?",
        WIDE,
    )


@points(1, SUBLAYERS)
def test_cross_attention_alone_agrees_with_pytorch(
    student: Student, draw: Draw, theirs: Block, inputs: Inputs
) -> None:
    """With all else silent, what a token finds in the memory agrees with PyTorch.

    All tokens of the target are equal, so that self-attention leaves them as they are.
    """
    alone(theirs, "multihead_attn")
    block, memory = block_with(student, theirs), mistakable(inputs[1])
    for token in draw(3, D_MODEL):
        x = normalised(token.expand(SIZE, SIZE, D_MODEL).clone())
        expect.close(
            normalised(block(x, memory))[:, 1:-1],
            normalised(theirs(x, memory))[:, 1:-1],
            "With cross-attention so large that nothing else counts, the result differs from "
            "PyTorch's. The target asks; keys and values come from the memory, from all of it. "
            "Which arguments does `multihead_attn` get, and is `batch_first=True` set?",
            WIDE,
        )
    added = says_the_same(theirs, draw(D_MODEL))
    x = normalised(inputs[0]) - added  # so what norm1 is given is normal already
    expect.close(
        normalised(block_with(student, theirs)(x, memory))[:, 1:-1],
        normalised(theirs(x, memory))[:, 1:-1],
        "Where self-attention adds the same to every token, and cross-attention is so large that "
        "nothing else counts, the result differs from PyTorch's. Cross-attention asks with what "
        "norm1 returns. What does yours ask with?",
        WIDE,
    )


@points(1, SUBLAYERS)
def test_the_feed_forward_network_alone_agrees_with_pytorch(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """With all else silent, the feed-forward network agrees with PyTorch.

    All tokens of target and memory are equal, so that attention leaves them as they are.
    """
    theirs = alone(randomise(pytorch_block(d_ff=20)), "linear2")
    block = block_with(student, theirs)
    for token in draw(3, D_MODEL):
        x = normalised(token.expand(SIZE, SIZE, D_MODEL).clone())
        expect.close(
            normalised(block(x, x.clone()))[:, 1:-1],
            normalised(theirs(x, x))[:, 1:-1],
            "With the feed-forward network so large that nothing else counts, the result differs "
            "from PyTorch's. Between norm2 and norm3 should be linear1, a ReLU and linear2, in "
            "this order, and nothing else.",
            WIDE,
        )


@points(2, HIDDEN)
def test_no_token_sees_a_later_one(
    student: Student, draw: Draw, theirs: Block, attends: Callable[[], None]
) -> None:
    """A token that changes moves its own output and later ones, and none before it, in any mode."""
    x, memory = draw(BATCH, T, D_MODEL), draw(BATCH, S, D_MODEL)
    check_causal(block_with(student, theirs), x, memory, other=draw(BATCH, D_MODEL))
    attends()


@points(2, HIDDEN)
def test_what_is_hidden_is_as_if_it_were_not_there(
    student: Student,
    draw: Draw,
    rng: np.random.Generator,
    theirs: Block,
    attends: Callable[[], None],
) -> None:
    """Padding of the memory isn't seen, in either mode; nor is what is hidden by large scores."""
    x, memory = draw(BATCH, T, D_MODEL), draw(BATCH, S, D_MODEL)
    check_padding_is_hidden(block_with(student, theirs), x, memory)
    check_large_scores(student, rng)
    attends()


@points(1, ANY)
def test_any_size_works_in_any_order_and_inputs_are_left_alone(
    student: Student, draw: Draw, theirs: Block, inputs: Inputs, attends: Callable[[], None]
) -> None:
    """Short, long and short again, single tokens; x, memory and mask stay as they are."""
    block, padding = block_with(student, theirs), padding_of((4, *(SIZE - 1) * (5,)), SIZE)
    laws.leaves_inputs_alone(
        student,
        lambda: block(*inputs),
        lambda: block(*inputs, memory_key_padding_mask=padding),
        block.train,
        lambda: block(*inputs, memory_key_padding_mask=padding),
        reveals="decoder-input-overwritten",
    )
    blocks = [block_with(student, theirs) for _ in range(6)]
    check_sizes_in_any_order(blocks, draw(2, 520, D_MODEL), draw(2, 520, D_MODEL))
    attends()


@points(1, ANY)
def test_everything_learns(
    student: Student, draw: Draw, theirs: Block, inputs: Inputs, attends: Callable[[], None]
) -> None:
    """A gradient reaches x, the memory and every parameter, and nothing else is trained."""
    attends()
    block, cotangent = block_with(student, theirs), draw(SIZE, SIZE, D_MODEL)
    result = block(*inputs)
    expect.array(result, (SIZE, SIZE, D_MODEL), "tensor")
    if not result.isfinite().all():  # nor is any gradient, which is another test's
        assert inner(result).isfinite().any(), "There is nothing but nan in your result."
        gradients = block.gradients(*inputs, cotangent=cotangent)
        unused = [name for name, gradient in gradients.items() if gradient is None]
        assert not unused, f"No gradient reaches {', '.join(unused)}."
        return
    laws.learns(
        block,
        *inputs,
        cotangent=cotangent,
        draw=draw,
        numbers=NUMBERS,
        reveals="decoder-gradient-stopped",
        reveals_more="decoder-trains-too-much",
        reveals_fewer="decoder-layers-frozen",
    )
    for place, called in enumerate(("x", "memory")):
        laws.reaches_input(block, *inputs, place=place, called=called, cotangent=cotangent)


@points(1, SUBLAYERS)
def test_the_default_block_agrees_with_pytorch(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """DecoderBlock() takes (32, 7, 128) and a memory of (32, 10, 128), and agrees with PyTorch.

    The last token tells: it sees the whole target, so mistakes in the mask cost their own points
    only. A block whose arguments are given by name is the same one.
    """
    theirs = randomise(pytorch_block(128, 8, 512))
    x, memory = draw(32, T, 128), draw(32, 10, 128)
    right = theirs(x, memory, tgt_mask=later_tokens(T))[:, -1]
    for make in (
        student.DecoderBlock,
        partial(by_name, student, d_model=128, n_heads=8, d_ff=512, dropout=0.0),
    ):
        result = loaded(make(), theirs)(x, memory)
        expect.array(result, (32, T, 128), "tensor")
        expect.close(
            result[:, -1],
            right,
            "DecoderBlock() differs from nn.TransformerDecoderLayer with the same weights and a "
            "causal mask. If earlier tests fail as well, start there. Otherwise, follow the "
            "picture from below: what does each sublayer read? And compare your defaults: "
            "d_model = 128, 8 heads and d_ff = 512.",
            WIDE,
        )


@points(1, "dropout on what each sublayer returns, in train mode alone")
def test_what_sublayers_return_drops_out_in_train_mode_alone(
    student: Student, randomise: Randomise, inputs: Inputs
) -> None:
    """With dropout=0.5, half of what each adds is lost, the rest doubled; in eval mode nothing."""
    usual = randomise(pytorch_block())
    block, calm = (block_with(student, usual, dropout) for dropout in (0.5, 0.0))
    check_nothing_drops_out(block, calm, lambda module: inner(module(*inputs)))
    theirs, given, runs = pytorch_block(WIDTH), (levels(MANY, MANY), levels(MANY, MANY)), []
    for end in (theirs.linear2, theirs.multihead_attn.out_proj, theirs.self_attn.out_proj):
        only_bias(theirs, end)
        dropping, calm = (block_with(student, theirs, rate) for rate in (0.5, 0.0))
        runs.append(
            Runs(
                *(inner(run, MANY, MANY, WIDTH) for run in astuple(runs_of(dropping, calm, *given)))
            )
        )
    for run, sublayer, tag in zip(
        runs,
        ("the feed-forward network", "cross-attention", "self-attention"),
        ("feed-forward", "cross-attention", "self-attention"),
        strict=True,
    ):
        tags = Tags(
            f"decoder-no-dropout-after-{tag}",
            "decoder-dropout-takes-the-residual",
            "decoder-dropout-not-scaled",
            "decoder-dropout-in-groups",
        )
        check_dropout_of(sublayer, run, (MANY, MANY - 2, WIDTH), tags)
    default = unpacked(loaded(student.DecoderBlock(WIDTH, N_HEADS, 4 * WIDTH), theirs))
    default.train()
    gained, _ = gains(inner(default(*given), MANY, MANY, WIDTH), (MANY, MANY - 2, WIDTH))
    check_share(gained, "what self-attention adds", "decoder-dropout-half")
