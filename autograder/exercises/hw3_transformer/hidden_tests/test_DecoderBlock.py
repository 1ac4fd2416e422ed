"""Hidden tests of `DecoderBlock`: each sublayer alone, the whole, both masks, and dropout.

The reference is `nn.TransformerDecoderLayer`. A sublayer is silenced by setting its last linear
layer to zero: then only the residual and the norm around it remain. Where the mask is not what is
tested, the first and the last token are left out: under a wrong one they may have nothing to look
at, and that mistake should cost its own points only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect, points

from ...parameters import silence

Draw = Callable[..., torch.Tensor]
Randomise = Callable[[nn.TransformerDecoderLayer], nn.TransformerDecoderLayer]

BATCH, T, S, D_MODEL, N_HEADS, D_FF = 3, 7, 5, 12, 2, 20
WIDE = 1e-4  # the tolerance for sums of many products
WIDTH = 128  # features enough to count those that drop out
LOUD = 1000.0  # what a bias is multiplied by to stand out beside the residual


def pytorch_block(
    d_model: int = D_MODEL, n_heads: int = N_HEADS, d_ff: int = D_FF
) -> nn.TransformerDecoderLayer:
    """Return PyTorch's own post-norm block with ReLU."""
    return nn.TransformerDecoderLayer(d_model, n_heads, d_ff, batch_first=True)


def later_tokens(t: int) -> torch.Tensor:
    """Return torch's mask of what is hidden from whom: True above the diagonal."""
    return torch.ones(t, t, dtype=torch.bool).triu(1)


def block_with(
    student: Student, theirs: nn.TransformerDecoderLayer, dropout: float = 0.1
) -> ModuleProxy:
    """Make the student's block with the weights of `theirs`, in eval mode."""
    block: ModuleProxy = student.DecoderBlock(D_MODEL, N_HEADS, D_FF, dropout=dropout)
    block.load(theirs.state_dict())
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
    assert not student.inputs_changed, (
        "Your block changes x or the memory. Make new tensors instead."
    )
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
    theirs = randomise(pytorch_block())
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
    """In a batch of sources of different lengths, what is masked is looked at by nobody."""
    theirs = randomise(pytorch_block())
    block = block_with(student, theirs)
    x, memory = draw(BATCH, T, D_MODEL), draw(BATCH, S, D_MODEL)
    padding = torch.arange(S) >= torch.tensor([[5], [2], [3]])
    padded = inner(block(x, memory, memory_key_padding_mask=padding))
    unmasked = inner(block(x, memory))
    assert not torch.allclose(padded, unmasked, atol=1e-3), (
        "`memory_key_padding_mask` has no effect. Is it passed on to cross-attention?"
    )
    for row, length in ((1, 2), (2, 3)):
        expect.close(
            padded[row],
            block(x[row : row + 1], memory[row : row + 1, :length])[0, 1:-1],
            "What `memory_key_padding_mask` hides still has an effect. In it True means ignore "
            "this token, which is torch's own convention: pass it on as it is, to cross-attention.",
            WIDE,
        )


@points(1)
def test_the_default_block_agrees_with_pytorch(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """DecoderBlock() takes (32, 7, 128) and a memory of (32, 10, 128), and agrees with PyTorch."""
    theirs = randomise(pytorch_block(128, 8, 512))
    block = student.DecoderBlock()
    block.load(theirs.state_dict())
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


def loud_at(theirs: nn.TransformerDecoderLayer, sublayer: str) -> nn.TransformerDecoderLayer:
    """Silence the sublayers, but for a large bias at the end of one.

    Nothing else comes out of it, so what drops out inside, or elsewhere, could not stand in.
    """
    ends = {
        "self-attention": theirs.self_attn.out_proj,
        "cross-attention": theirs.multihead_attn.out_proj,
        "the feed-forward network": theirs.linear2,
    }
    bias = ends[sublayer].bias.clone()
    silence(theirs.self_attn, theirs.multihead_attn, theirs.linear1, theirs.linear2)
    ends[sublayer].bias.copy_(LOUD * bias)
    return theirs


def check_usual_dropout(student: Student, x: torch.Tensor, memory: torch.Tensor) -> None:
    """Check that a tenth of what self-attention returns drops out, unless told otherwise.

    It returns the same large number everywhere: what drops out falls below the mean.
    """
    theirs = pytorch_block(WIDTH).requires_grad_(False)
    silence(theirs)
    theirs.self_attn.out_proj.bias.fill_(LOUD)
    for norm in (theirs.norm1, theirs.norm2, theirs.norm3):
        norm.reset_parameters()
    block = student.DecoderBlock(WIDTH, N_HEADS, D_FF)
    block.load(theirs.state_dict())
    block.train()
    result = block(x, memory)
    expect.array(result, tuple(x.shape), "tensor")
    result = result[:, 1:-1]
    dropped = (result < result.mean(-1, keepdim=True)).float().mean()
    assert abs(dropped - 0.1) < 0.02, (
        "Unless told otherwise, a tenth of what a sublayer returns should drop out (dropout=0.1). "
        "Yours loses another share."
    )


@points(1)
def test_what_each_sublayer_returns_drops_out_in_train_mode(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """In train mode the output of each sublayer drops out; in eval mode and at 0.0 nothing does."""
    x, memory = draw(BATCH, T, D_MODEL), draw(BATCH, S, D_MODEL)
    for sublayer in ("self-attention", "cross-attention", "the feed-forward network"):
        block = block_with(student, loud_at(randomise(pytorch_block()), sublayer), dropout=0.5)
        assert torch.equal(inner(block(x, memory)), inner(block(x, memory))), (
            "In eval mode, two runs on the same input differ. Dropout belongs to train mode only: "
            "`nn.Dropout` knows which mode it is in."
        )
        block.train()
        assert (inner(block(x, memory)) - inner(block(x, memory))).abs().max() > 0.1, (
            f"In train mode with dropout=0.5, two runs don't differ in what {sublayer} returns. "
            "Dropout acts on the output of each sublayer, before the residual is added."
        )
    calm = block_with(student, randomise(pytorch_block()), dropout=0.0)
    steady = inner(calm(x, memory))
    calm.train()
    expect.close(
        inner(calm(x, memory)),
        steady,
        "With dropout=0.0, train mode still differs from eval mode. Is the argument `dropout` used "
        "everywhere?",
        WIDE,
    )
    check_usual_dropout(student, draw(16, T, WIDTH), draw(16, S, WIDTH))
