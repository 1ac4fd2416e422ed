"""Hidden tests of `DecoderBlock`: each sublayer alone, the whole, and what holds for any block.

The reference is `nn.TransformerDecoderLayer`. A sublayer is silenced by setting its last linear
layer to zero: then only the residual and the norm around it remain. Where the mask is not what is
tested, the first and the last token are left out: under a wrong one they may have nothing to look
at, and that mistake should cost its own points only. For the same reason, batch, target and memory
have one size where no mask is tested.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple

import numpy as np
import pytest
import torch

from autograder.testing import Student, expect, laws, points

from ...blocks import (
    WIDE,
    check_others_are_seen,
    large_inputs,
    large_scores,
    loaded,
    only_norms,
    padding_of,
    shrink,
    silence,
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
    block_with,
    check_causal,
    check_padding_is_hidden,
    check_sizes_in_any_order,
    inner,
    later_tokens,
    pytorch_block,
)

Draw = Callable[..., torch.Tensor]
Randomise = Callable[[Block], Block]
Inputs = tuple[torch.Tensor, torch.Tensor]

MANY = 12  # tokens in as many texts, where shares are counted
NUMBERS = 16 * D_MODEL**2 + 19 * D_MODEL  # of a block where d_ff is 4 · d_model


@pytest.fixture
def theirs(randomise: Randomise) -> Block:
    return randomise(pytorch_block())


@pytest.fixture
def inputs(draw: Draw) -> Inputs:
    """Draw a target and a memory."""
    return draw(SIZE, SIZE, D_MODEL), draw(SIZE, SIZE, D_MODEL)


@points(1)
def test_each_residual_is_followed_by_a_norm_of_its_own(
    student: Student, theirs: Block, inputs: Inputs
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


@points(1)
def test_self_attention_alone_agrees_with_pytorch(
    student: Student, theirs: Block, inputs: Inputs
) -> None:
    """With all else silent, what the last token finds in the target agrees with PyTorch.

    The last token sees the whole target, and norms that are plain do nothing more after the first:
    mistakes further up, or in the mask, cost their own points only.
    """
    silence(theirs.multihead_attn.out_proj, theirs.linear2)
    for norm in (theirs.norm1, theirs.norm2, theirs.norm3):
        norm.reset_parameters()
    result = block_with(student, theirs)(*inputs)
    expect.array(result, (SIZE, SIZE, D_MODEL), "tensor")
    expect.close(
        result[:, -1],
        theirs(*inputs, tgt_mask=later_tokens(SIZE))[:, -1],
        "With cross-attention and the feed-forward network set to zero, the last token differs "
        "from PyTorch's. In self-attention, query, key and value are all x. Are they in yours, is "
        "`batch_first=True` set, and is x itself the residual?",
        WIDE,
    )


@points(1)
def test_cross_attention_alone_agrees_with_pytorch(
    student: Student, theirs: Block, inputs: Inputs
) -> None:
    """With all else silent, what each token finds in the memory agrees with PyTorch."""
    silence(theirs.self_attn.out_proj, theirs.linear2)
    expect.close(
        inner(block_with(student, theirs)(*inputs)),
        inner(theirs(*inputs)),
        "With self-attention and the feed-forward network set to zero, cross-attention differs "
        "from PyTorch's. What norm1 returned is the query and the residual; keys and values come "
        "from the memory.",
        WIDE,
    )


@points(1)
def test_the_feed_forward_network_alone_agrees_with_pytorch(
    student: Student, randomise: Randomise, inputs: Inputs
) -> None:
    """With both attentions silent, the feed-forward network agrees with PyTorch."""
    theirs = randomise(pytorch_block(d_ff=20))
    silence(theirs.self_attn.out_proj, theirs.multihead_attn.out_proj)
    expect.close(
        inner(block_with(student, theirs)(*inputs)),
        inner(theirs(*inputs)),
        "With both attentions set to zero, the feed-forward sublayer differs from PyTorch's. It "
        "starts from what norm2 returns, and the same tensor is its residual. Is there a ReLU "
        "between linear1 and linear2?",
        WIDE,
    )


@points(3)
def test_no_token_sees_a_later_one(student: Student, draw: Draw, theirs: Block) -> None:
    """A token that changes moves its own output and later ones, and none before it, in any mode."""
    x, memory = draw(BATCH, T, D_MODEL), draw(BATCH, S, D_MODEL)
    check_causal(block_with(student, theirs), x, memory, other=draw(BATCH, D_MODEL))


@points(1)
def test_padding_of_the_memory_is_as_if_it_were_not_there(
    student: Student, draw: Draw, theirs: Block
) -> None:
    """In a batch of sources of different lengths, no token sees what is masked, in either mode."""
    x, memory = draw(BATCH, T, D_MODEL), draw(BATCH, S, D_MODEL)
    check_padding_is_hidden(block_with(student, theirs), x, memory)


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
        "With scores of several hundred, a later token of the target or a hidden one of the "
        "source has an effect. If the tests of the masks fail as well, start there. Otherwise, a "
        "hidden score must lie below all others, however low those are.",
        WIDE,
    )
    check_others_are_seen(unmasked, padded)


@points(1)
def test_any_size_works_in_any_order_and_inputs_are_left_alone(
    student: Student, draw: Draw, theirs: Block, inputs: Inputs
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
    check_sizes_in_any_order(blocks, draw(2, 600, D_MODEL), draw(2, 30, D_MODEL))


@points(1)
def test_everything_learns(student: Student, draw: Draw, theirs: Block, inputs: Inputs) -> None:
    """A gradient reaches x, the memory and every parameter, and nothing else is trained."""
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
        numbers=NUMBERS,
        reveals="decoder-gradient-stopped",
        reveals_more="decoder-trains-too-much",
        reveals_fewer="decoder-layers-frozen",
    )
    for place, called in enumerate(("x", "memory")):
        laws.reaches_input(block, *inputs, place=place, called=called, cotangent=cotangent)


@points(1)
def test_the_default_block_agrees_with_pytorch(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """DecoderBlock() takes (32, 7, 128) and a memory of (32, 10, 128), and agrees with PyTorch."""
    theirs = randomise(pytorch_block(128, 8, 512))
    x, memory = draw(32, T, 128), draw(32, 10, 128)
    expect.close(
        loaded(student.DecoderBlock(), theirs)(x, memory),
        theirs(x, memory, tgt_mask=later_tokens(T)),
        "DecoderBlock() differs from nn.TransformerDecoderLayer with the same weights and a "
        "causal mask. If earlier tests fail as well, start there. Otherwise, compare your "
        "defaults: d_model = 128, 8 heads and d_ff = 512.",
        WIDE,
    )


@points(1)
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
    default = loaded(student.DecoderBlock(WIDTH, N_HEADS, 4 * WIDTH), theirs)
    default.train()
    gained, _ = gains(inner(default(*given), MANY, MANY, WIDTH), (MANY, MANY - 2, WIDTH))
    check_share(gained, "what self-attention adds", "decoder-dropout-half")
