"""What the hidden tests of Encoder, EncoderBlock and DecoderBlock share.

Dropout is looked at through one sublayer whose output is made known: all its weights are zero, but
for the last bias, which is 1 in every other feature. The input of the block has three levels, so
that what the residual does can be told from what the sublayer does, whatever the norms make of the
sum: they scale and shift all features of a token alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
import torch
from torch import nn

from autograder.testing import ModuleProxy, describe, expect
from autograder.testing.failures import StudentRaised

from .parameters import silence

WIDTH = 96  # features: three levels of 32

AnyBlock = TypeVar("AnyBlock", bound=nn.Module)


def load_what_is_there(module: ModuleProxy, state: Mapping[str, torch.Tensor]) -> None:
    """Load `state` without the biases of layers that were made without one.

    Whoever says `bias=False` should lose what depends on biases, not everything.
    """
    try:
        module.load(state)
    except StudentRaised as error:
        named = module.parameters()
        there = {
            name: value
            for name, value in state.items()
            if not name.endswith("bias")
            or name in named
            or f"{name.removesuffix('bias')}weight" not in named
        }
        if error.type_name != "MissingParameter" or len(there) == len(state):
            raise
        module.load(there)


def padding_of(lengths: tuple[int, ...], seq: int) -> torch.Tensor:
    """Return the mask of sentences of these lengths: True is padding."""
    return torch.arange(seq) >= torch.tensor(lengths)[:, None]


def check_others_are_seen(whole: Any, part: Any) -> None:
    """Check that more that can be seen makes a difference."""
    for result in (whole, part):
        assert hasattr(result, "shape"), f"A tensor should come back, not {describe(result)}."
    expect.array(whole, tuple(part.shape), "tensor")
    assert whole.isfinite().all(), "There is nan, or infinity, in your result."
    assert not torch.allclose(whole, part, atol=1e-3), (
        "What isn't hidden should make a difference to the tokens that may see it. In yours it "
        "makes none."
    )


def only_bias(theirs: nn.Module, end: nn.Module) -> None:
    """Silence all of `theirs` but its norms, which are made plain, and the bias of `end`."""
    theirs.requires_grad_(False)
    for layer in theirs.children():
        if isinstance(layer, nn.LayerNorm):
            layer.reset_parameters()
        else:
            silence(layer)
    end.get_parameter("bias")[::2] = 1.0


def levels(*shape: int) -> torch.Tensor:
    """Return an input (*shape, WIDTH): a third of the features each is 0, 1 and 3."""
    return torch.tensor([0.0, 1.0, 3.0]).repeat_interleave(WIDTH // 3).expand(*shape, WIDTH).clone()


def gains(result: torch.Tensor) -> tuple[torch.Tensor, float]:
    """Return what a sublayer added to each feature, and how unequal it left the others.

    Both are in units of the input's levels: 1 where the sum of input and bias was normalised.
    """
    thirds = result.reshape(*result.shape[:-1], 3, WIDTH // 3)
    touched, untouched = thirds[..., ::2], thirds[..., 1::2]
    level = untouched.mean(-1, keepdim=True)
    step = (level[..., 2:, :] - level[..., :1, :]) / 3
    unequal = ((untouched - level) / step).abs().max()
    return (touched - level) / step, float(unequal)


def dropped_share(result: Any, shape: tuple[int, ...]) -> float:
    """Return the share of what the sublayer added that isn't there."""
    expect.array(result, shape, "tensor")
    gained, _ = gains(result)
    return float((gained < gained.max() / 2).float().mean())


def check_dropout_of(
    sublayer: str, block: ModuleProxy, *args: torch.Tensor, tags: tuple[str, str, str]
) -> None:
    """Check that half of what `sublayer` adds drops out in train mode, and the rest is doubled.

    The `tags` name what is wrong if nothing drops out, if other numbers than the sublayer's are
    lost, and if what is left isn't scaled.
    """
    shape = tuple(args[0].shape)
    block.eval()
    steady = block(*args)
    block.train()
    result, again = block(*args), block(*args)
    for each in (steady, result, again):
        expect.array(each, shape, "tensor")
    usual, _ = gains(steady)
    assert usual.isfinite().all() and usual.abs().min() > 0.1, (
        f"We set all weights to zero, but for a bias at the end of {sublayer}, so that this bias "
        "should be added to the residual. In your result, the two can't both be found."
    )
    expect.that(
        not torch.equal(result, again),
        f"In train mode with dropout=0.5, two runs don't differ in what {sublayer} adds. Where "
        "does the formula for a sublayer put Dropout?",
        reveals=tags[0],
    )
    gained, unequal = gains(result)
    expect.that(
        unequal < 0.01,
        f"In train mode, numbers are lost to which {sublayer} adds nothing. What should drop out "
        "is what a sublayer returns, before the residual is added: what does yours act on?",
        reveals=tags[1],
    )
    grown = float((gained.max() - gained.min()) / usual.mean())
    expect.that(
        abs(grown - 1) > 0.02,
        f"In train mode with dropout=0.5, half of what {sublayer} adds is lost, and the rest is "
        "as large as in eval mode. What does dropout do to the rest, so that the mean stays?",
        reveals=tags[2],
    )
    assert abs(grown - 2) < 0.02, (
        f"In train mode with dropout=0.5, what is left of what {sublayer} adds should be twice as "
        f"large as in eval mode. Yours is {grown:.2f} times as large."
    )


def large_scores(theirs: AnyBlock) -> AnyBlock:
    """Let the attentions of `theirs` compare 8 features as they are, in 2 heads; return it.

    Keys are negative in the first head: where all features are large, all its scores are far below
    zero. Heads of 4 features divide by 2, so the scores of whole numbers are exact.
    """
    theirs.requires_grad_(False)
    eye = torch.eye(8)
    for layer in theirs.children():
        if isinstance(layer, nn.MultiheadAttention):
            silence(layer)
            layer.in_proj_weight.copy_(torch.cat([eye, eye, eye]))
            layer.in_proj_weight[8:12].mul_(-1)
            layer.out_proj.weight.copy_(eye)
        elif isinstance(layer, nn.Linear):
            silence(layer)
    return theirs


def large_inputs(rng: np.random.Generator, batch: int, seq: int) -> torch.Tensor:
    """Draw whole numbers (batch, seq, 8), 10 to 20; in both heads the last token outdoes all."""
    x = torch.from_numpy(rng.integers(11, 20, (batch, seq, 8))).float()
    x[:, -1] = torch.tensor([10.0, 20.0]).repeat_interleave(4)
    return x
