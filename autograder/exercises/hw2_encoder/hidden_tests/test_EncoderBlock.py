"""Hidden tests of `EncoderBlock`: each sublayer alone, the whole, padding, and dropout.

The reference is `nn.TransformerEncoderLayer`. A sublayer is silenced by setting its last linear
layer to zero: then only the residual and the norm around it remain.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect, points

from ...parameters import silence

Draw = Callable[..., torch.Tensor]
Randomise = Callable[[nn.TransformerEncoderLayer], nn.TransformerEncoderLayer]

BATCH, SEQ, D_MODEL, N_HEADS, D_FF = 3, 7, 12, 2, 20
WIDE = 1e-4  # the tolerance for sums of many products
WIDTH = 128  # features enough to count those that drop out
LOUD = 1000.0  # what a bias is multiplied by to stand out beside the residual


def pytorch_block(
    d_model: int = D_MODEL, n_heads: int = N_HEADS, d_ff: int = D_FF
) -> nn.TransformerEncoderLayer:
    """Return PyTorch's own post-norm block with ReLU."""
    return nn.TransformerEncoderLayer(d_model, n_heads, d_ff, batch_first=True)


def block_with(
    student: Student, theirs: nn.TransformerEncoderLayer, dropout: float = 0.1
) -> ModuleProxy:
    """Make the student's block with the weights of `theirs`, in eval mode."""
    block: ModuleProxy = student.EncoderBlock(D_MODEL, N_HEADS, D_FF, dropout=dropout)
    block.load(theirs.state_dict())
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
def test_attention_alone_agrees_with_pytorch(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """With the feed-forward network silent, attention, residual and norms agree with PyTorch."""
    theirs = randomise(pytorch_block())
    silence(theirs.linear2)
    x = draw(BATCH, SEQ, D_MODEL)
    result = block_with(student, theirs)(x)
    assert not student.inputs_changed, "Your block changes x. Make new tensors instead."
    expect.close(
        result,
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
    theirs = randomise(pytorch_block())
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
    block = student.EncoderBlock(d_model=64, n_heads=4, d_ff=256)
    block.load(theirs.state_dict())
    block.eval()
    x = draw(32, 10, 64)
    expect.close(
        block(x),
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
    block.load(theirs.state_dict())
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


@points(1)
def test_padding_is_as_if_it_were_not_there(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """Real tokens get the same result whether padding follows them or not."""
    block = block_with(student, randomise(pytorch_block()))
    x, real = draw(BATCH, SEQ, D_MODEL), 4
    padding = (torch.arange(SEQ) >= real).expand(BATCH, SEQ)
    padded, unmasked = block(x, key_padding_mask=padding), block(x)
    for result in (padded, unmasked):
        expect.array(result, (BATCH, SEQ, D_MODEL), "tensor")
    assert not torch.allclose(padded[:, :real], unmasked[:, :real], atol=1e-3), (
        "`key_padding_mask` has no effect on the real tokens. Is it passed on to attention?"
    )
    expect.close(
        padded[:, :real],
        block(x[:, :real]),
        "Real tokens change when padding is added behind them and masked. In `key_padding_mask`, "
        "True means ignore this token, which is torch's own convention: pass it on as it is.",
        WIDE,
    )


@points(1)
def test_padding_of_several_lengths_agrees_with_pytorch(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """In a batch of sentences of different lengths, every real token agrees with PyTorch."""
    theirs = randomise(pytorch_block())
    x = draw(BATCH, SEQ, D_MODEL)
    padding = torch.arange(SEQ) >= torch.tensor([[7], [3], [5]])
    result = block_with(student, theirs)(x, key_padding_mask=padding)
    expect.array(result, (BATCH, SEQ, D_MODEL), "tensor")
    expect.close(
        result[~padding],
        theirs(x, src_key_padding_mask=padding)[~padding],
        "With sentences of different lengths, some real tokens differ from PyTorch's. If earlier "
        "tests fail as well, start there. Else: each sentence has its own row of "
        "`key_padding_mask`.",
        WIDE,
    )


def check_dropout(student: Student, theirs: nn.TransformerEncoderLayer, x: torch.Tensor) -> None:
    """Check that the block drops out in train mode, not in eval mode, and never at dropout=0.0."""
    block = block_with(student, theirs, dropout=0.5)
    result = block(x)
    expect.array(result, tuple(x.shape), "tensor")
    assert torch.equal(result, block(x)), (
        "In eval mode, two runs on the same input differ. Dropout belongs to train mode only: "
        "`nn.Dropout` knows which mode it is in."
    )
    block.train()
    assert (block(x) - block(x)).abs().max() > 0.1, (
        "In train mode with dropout=0.5, two runs don't differ in what this sublayer returns. "
        "Dropout acts on the output of each sublayer, before the residual is added."
    )
    calm = block_with(student, theirs, dropout=0.0)
    calm.train()
    expect.close(
        calm(x),
        result,
        "With dropout=0.0, train mode still differs from eval mode. Is the argument `dropout` used "
        "everywhere?",
        WIDE,
    )


def check_usual_dropout(student: Student, x: torch.Tensor) -> None:
    """Check that a tenth of what attention returns drops out, unless told otherwise.

    Attention returns the same large number everywhere: what drops out falls below the mean.
    """
    theirs = pytorch_block(WIDTH).requires_grad_(False)
    silence(theirs)
    theirs.self_attn.out_proj.bias.fill_(LOUD)
    theirs.norm1.reset_parameters()
    theirs.norm2.reset_parameters()
    block = student.EncoderBlock(WIDTH, N_HEADS, D_FF)
    block.load(theirs.state_dict())
    block.train()
    result = block(x)
    expect.array(result, tuple(x.shape), "tensor")
    dropped = (result < result.mean(-1, keepdim=True)).float().mean()
    assert abs(dropped - 0.1) < 0.02, (
        "Unless told otherwise, a tenth of what attention returns should drop out (dropout=0.1). "
        "Yours loses another share."
    )


@points(1)
def test_the_output_of_attention_drops_out_in_train_mode(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """In train mode the output of attention drops out; in eval mode and at 0.0 nothing does.

    All values are zero, so dropout inside attention has no effect: only its bias comes out, made
    so large that dropout elsewhere could not stand in for its own.
    """
    theirs = randomise(pytorch_block())
    silence(theirs.linear2)
    theirs.self_attn.in_proj_weight[2 * D_MODEL :] = 0
    theirs.self_attn.in_proj_bias[2 * D_MODEL :] = 0
    theirs.self_attn.out_proj.bias.mul_(LOUD)
    check_dropout(student, theirs, draw(BATCH, SEQ, D_MODEL))
    check_usual_dropout(student, draw(16, SEQ, WIDTH))


@points(1)
def test_the_output_of_the_feed_forward_network_drops_out_in_train_mode(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """In train mode the network's output drops out; in eval mode and at 0.0 nothing does.

    All hidden features are zero, so dropout among them has no effect: only the bias comes out, made
    so large that dropout elsewhere could not stand in for its own.
    """
    theirs = randomise(pytorch_block())
    silence(theirs.self_attn.out_proj, theirs.linear1)
    theirs.linear2.bias.mul_(LOUD)
    check_dropout(student, theirs, draw(BATCH, SEQ, D_MODEL))
