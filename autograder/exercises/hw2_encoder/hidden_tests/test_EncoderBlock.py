"""Hidden tests of `EncoderBlock`: each sublayer alone, the whole, and what holds for any block.

The reference is `nn.TransformerEncoderLayer`. A sublayer is silenced by setting its last linear
layer to zero: then only the residual and the norm around it remain.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from functools import partial

import numpy as np
import pytest
import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect, laws, points
from autograder.testing.failures import StudentRaised

from ...blocks import (
    WIDE,
    check_others_are_seen,
    large_inputs,
    large_scores,
    loaded,
    mistakable,
    only_norms,
    padding_of,
    shrink,
    silence,
)
from ...dropout import (
    WIDTH,
    Tags,
    check_a_tenth_drops_out,
    check_dropout_of,
    check_nothing_drops_out,
    levels,
    only_bias,
    runs_of,
)
from ..sentences import (
    BATCH,
    D_MODEL,
    LENGTHS,
    N_HEADS,
    SEQ,
    check_has_a_part,
    check_padding_is_hidden,
    check_sizes_in_any_order,
    check_something_is_computed,
)

Draw = Callable[..., torch.Tensor]
Block = nn.TransformerEncoderLayer
Randomise = Callable[[Block], Block]

PARTS = "the parts, with the names and sizes of the exercise"
SUBLAYERS = "attention and feed-forward network, each with residual and norm"
PADDING = "no token looks at padding, however large the scores are"
DROPOUT = "what each sublayer returns drops out, in train mode only"
MODULE = "a module that learns, and serves any length"

NUMBERS = 12 * D_MODEL**2 + 13 * D_MODEL  # of a block where d_ff is 4 · d_model


def pytorch_block(d_model: int = D_MODEL, n_heads: int = N_HEADS, d_ff: int | None = None) -> Block:
    """Return PyTorch's own post-norm block with ReLU; d_ff is 4 · d_model unless told otherwise."""
    return nn.TransformerEncoderLayer(d_model, n_heads, d_ff or 4 * d_model, batch_first=True)


def block_with(student: Student, theirs: Block, dropout: float = 0.0) -> ModuleProxy:
    """Make the student's block with the weights of `theirs`, in eval mode."""
    block = student.EncoderBlock(
        theirs.norm1.normalized_shape[0],
        theirs.self_attn.num_heads,
        theirs.linear1.out_features,
        dropout=dropout,
    )
    return loaded(block, theirs)


@pytest.fixture
def attends(student: Student, draw: Draw, randomise: Randomise) -> Callable[[], None]:
    """Return a check that attention has a part in the block.

    It has one if other queries give another result. Whether it is right, other tests say.
    """

    def attends() -> None:
        small, x = randomise(pytorch_block(8)), draw(2, 3, 8)
        check_has_a_part("self_attn", small, lambda each: block_with(student, each)(x), rows=8)

    return attends


@pytest.fixture
def theirs(randomise: Randomise) -> Block:
    return randomise(pytorch_block())


@pytest.fixture
def x(draw: Draw) -> torch.Tensor:
    return draw(BATCH, SEQ, D_MODEL)


@points(1, PARTS)
def test_the_parts_have_the_names_and_sizes_of_the_exercise(
    student: Student, draw: Draw, attends: Callable[[], None]
) -> None:
    """EncoderBlock(), and one of other sizes, take the weights of PyTorch's block."""
    for block, *sizes in (
        (student.EncoderBlock(d_model=64, n_heads=4, d_ff=256, dropout=0.0), 64, 4, 256),
        (student.EncoderBlock(), 128, 8, 512),
    ):
        made = loaded(block, pytorch_block(*sizes))
        check_something_is_computed(made, draw(2, 3, sizes[0]))
    with suppress(StudentRaised):  # other tests say so
        attends()


@points(1, SUBLAYERS)
def test_each_residual_is_followed_by_a_norm_of_its_own(
    student: Student, theirs: Block, x: torch.Tensor
) -> None:
    """With both sublayers silent the block is norm2(norm1(x)), also where numbers are small."""
    only_norms(theirs)
    usual = block_with(student, theirs)(x), theirs(x)
    shrink(theirs.norm1)
    small = block_with(student, theirs)(0.003 * x), theirs(0.003 * x)
    expect.close(
        *usual,
        "We set both sublayers to zero, so that norm2(norm1(x)) should remain. Is each norm used "
        "once, *after* the sum of residual and sublayer (post-norm), and is there a residual at "
        "all?",
        WIDE,
    )
    expect.close(
        *small,
        "We set both sublayers to zero, so that norm2(norm1(x)) should remain. It does, but not "
        "where a token's features lie close together: their size counts there. Are both norms "
        "`nn.LayerNorm` as it comes, and does each sum hold its residual once?",
        WIDE,
    )


@points(1, SUBLAYERS)
def test_attention_alone_agrees_with_pytorch(
    student: Student, theirs: Block, x: torch.Tensor
) -> None:
    """With the feed-forward network silent, attention, residual and norms agree with PyTorch.

    A token of zeros is a token, and so is one whose features sum to 0.
    """
    silence(theirs.linear2)
    x = mistakable(x)
    expect.close(
        block_with(student, theirs)(x),
        theirs(x),
        "With the feed-forward network set to zero, the attention sublayer differs from PyTorch's. "
        "Is x query, key and value at once, is `batch_first=True` set, and is x itself the "
        "residual?",
        WIDE,
    )


@points(1, SUBLAYERS)
def test_the_feed_forward_network_alone_agrees_with_pytorch(
    student: Student, randomise: Randomise, x: torch.Tensor
) -> None:
    """With attention silent, the feed-forward network, residual and norms agree with PyTorch.

    So they do where hidden features are large.
    """
    theirs = randomise(pytorch_block(d_ff=20))
    silence(theirs.self_attn.out_proj)
    large = deepcopy(theirs)
    large.linear1.weight.mul_(50)
    large.linear2.weight.div_(50)
    expect.close(
        block_with(student, large)(x),
        large(x),
        "With attention set to zero, and hidden features of some hundreds, the feed-forward "
        "sublayer differs from PyTorch's. What does linear1 read, and what stands between it and "
        "linear2?",
        WIDE,
    )
    expect.close(
        block_with(student, theirs)(x),
        theirs(x),
        "With attention set to zero, the feed-forward sublayer differs from PyTorch's. It starts "
        "from what norm1 returns, and the same tensor is its residual. Is there a ReLU between "
        "linear1 and linear2?",
        WIDE,
    )


@points(1, DROPOUT)
def test_nothing_drops_out_in_eval_mode_or_at_zero_and_inputs_are_left_alone(
    student: Student, theirs: Block, x: torch.Tensor, attends: Callable[[], None]
) -> None:
    """In eval mode two runs agree; with dropout=0.0 train mode does as eval mode does.

    Neither x nor the mask is changed, with a mask or without, in either mode.
    """
    block, calm = (block_with(student, theirs, dropout) for dropout in (0.5, 0.0))
    laws.changes_each_position(block(x), x)
    calm.train()
    calm(x)  # and once more below: where the two differ, something is drawn
    check_nothing_drops_out(block, calm, lambda module: module(x))
    padding = padding_of(LENGTHS, SEQ)
    calls = (lambda: calm(x), lambda: calm(x, key_padding_mask=padding))
    laws.leaves_inputs_alone(
        student, calm.eval, *calls, calm.train, *calls, reveals="block-input-overwritten"
    )
    attends()


@points(1, PARTS)
def test_blocks_of_other_sizes_agree_with_pytorch(
    student: Student, draw: Draw, randomise: Randomise
) -> None:
    """With d_model = 64, 4 heads and d_ff = 256, and without any size named, PyTorch agrees."""
    asked, usual = randomise(pytorch_block(64, 4, 256)), randomise(pytorch_block(128, 8, 512))
    x = draw(32, 10, 128)
    narrow = block_with(student, asked)(x[..., :64])
    default = loaded(student.EncoderBlock(), usual)(x)
    hint = "differs from PyTorch's with the same weights. If earlier tests fail as well, start"
    expect.close(
        narrow,
        asked(x[..., :64]),
        f"With d_model = 64, 4 heads and d_ff = 256, the result {hint} there. If not: are all "
        "arguments used?",
        WIDE,
    )
    expect.close(
        default,
        usual(x),
        f"The result of EncoderBlock() {hint} there. If not: unless told otherwise, it has "
        "d_model = 128, 8 heads and d_ff = 512.",
        WIDE,
    )


@points(1, PADDING)
def test_padding_is_as_if_it_were_not_there(
    student: Student, draw: Draw, theirs: Block, x: torch.Tensor, attends: Callable[[], None]
) -> None:
    """In a batch of sentences of different lengths, each is as if it stood alone: in both modes."""
    block, padding = block_with(student, theirs), padding_of((3, 5, SEQ), SEQ)  # the last has none
    check_padding_is_hidden(
        block,
        x,
        draw(BATCH, SEQ, D_MODEL),
        "Real tokens change when padding is added behind them and masked. Each sentence has its "
        "own row of `key_padding_mask`, where True means ignore this token, which is torch's own "
        "convention.",
    )
    block.eval()
    turn = partial(torch.roll, shifts=(1, 1), dims=(0, 1))
    padded, unmasked = block(x, key_padding_mask=padding), block(x)
    if torch.allclose(block(turn(x)), turn(unmasked), atol=WIDE):  # else that is another test's
        expect.close(
            block(turn(x), key_padding_mask=turn(padding))[~turn(padding)],
            turn(padded)[~turn(padding)],
            "Where padding stands in front of a sentence, or in another one of the batch, the same "
            "tokens give another result. Each True hides one token, wherever it stands.",
            WIDE,
        )
    attends()


@points(1, PADDING)
def test_large_scores_are_survived_and_padding_stays_hidden(
    student: Student, rng: np.random.Generator, attends: Callable[[], None]
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
        "masked. If the test of padding fails as well, start there. If not: what becomes of a "
        "hidden score, and does it lie below all others, however low those are?",
        WIDE,
    )
    check_others_are_seen(unmasked[:, :-1], alone)
    attends()


@points(1, MODULE)
def test_any_size_works_in_any_order(
    student: Student, draw: Draw, theirs: Block, attends: Callable[[], None]
) -> None:
    """Short, long and short again, and one sentence of one token: length itself has no effect."""
    check_sizes_in_any_order(block_with(student, theirs), draw(2, 521, D_MODEL))
    attends()


@points(1, MODULE)
def test_everything_learns(
    student: Student, draw: Draw, theirs: Block, x: torch.Tensor, attends: Callable[[], None]
) -> None:
    """A gradient reaches x and every parameter, and no others are trained."""
    block, cotangent = block_with(student, theirs), draw(BATCH, SEQ, D_MODEL)
    laws.learns(
        block,
        x,
        cotangent=cotangent,
        draw=draw,
        numbers=NUMBERS,
        reveals="block-gradient-stopped",
        reveals_more="block-trains-too-much",
        reveals_fewer="block-layers-frozen",
    )
    laws.reaches_input(block, x, place=0, called="x", cotangent=cotangent)
    attends()


@points(2, DROPOUT)
def test_what_sublayers_return_drops_out_in_train_mode(
    student: Student, attends: Callable[[], None]
) -> None:
    """With dropout=0.5 half of what each adds is lost, the rest doubled; by default, a tenth."""
    theirs, x, runs = pytorch_block(WIDTH), levels(8, SEQ), []
    for end in (theirs.linear2, theirs.self_attn.out_proj):
        only_bias(theirs, end)
        dropping, calm = (block_with(student, theirs, rate) for rate in (0.5, 0.0))
        runs.append(runs_of(dropping, calm, x))
    for run, sublayer, tag in zip(
        runs,
        ("the feed-forward network", "attention"),
        ("block-no-dropout-after-feed-forward", "block-no-dropout-after-attention"),
        strict=True,
    ):
        tags = Tags(
            tag,
            "block-dropout-takes-the-residual",
            "block-dropout-not-scaled",
            "block-dropout-in-groups",
        )
        check_dropout_of(sublayer, run, tuple(x.shape), tags)
    usual = loaded(student.EncoderBlock(WIDTH, N_HEADS, 4 * WIDTH), theirs)
    check_a_tenth_drops_out("attention", usual, x, reveals="block-dropout-half")
    attends()
