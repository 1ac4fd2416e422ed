"""What hidden tests do with a student's modules: give them weights, inputs and masks."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import torch
from torch import nn

from autograder.testing import ModuleProxy, describe, expect
from autograder.testing.failures import StudentRaised

WIDE = 1e-4  # the tolerance for sums of many products

AnyBlock = TypeVar("AnyBlock", bound=nn.Module)


def loaded(module: ModuleProxy, theirs: nn.Module, no_bias: str = "") -> ModuleProxy:
    """Give `module` the weights of `theirs`; return it in eval mode.

    Where layers were made without a bias, none is loaded: `bias=False` should cost what depends on
    biases, not everything. A test of biases says which misconception `no_bias` is.
    """
    state = theirs.state_dict()
    try:
        module.load(state)
    except StudentRaised as error:
        if "bias`" not in error.detail:
            raise
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
        expect.that(
            not no_bias,
            "Some of your linear layers have no bias, so the module can't do all that it should. "
            "The exercise asks for `nn.Linear` as it comes: which of its arguments do you set?",
            no_bias,
        )
    module.eval()
    return module


def silence(*layers: nn.Module) -> None:
    """Set all parameters of `layers` to zero: what they compute says nothing."""
    for layer in layers:
        for parameter in layer.parameters():
            parameter.zero_()


def only_norms(theirs: nn.Module) -> None:
    """Silence all of `theirs` but its norms."""
    theirs.requires_grad_(False)
    silence(*(layer for layer in theirs.children() if not isinstance(layer, nn.LayerNorm)))


def shrink(*norms: nn.LayerNorm, by: float = 0.003) -> None:
    """Let `norms` return numbers so small that the eps of the next norm has a say."""
    for norm in norms:
        norm.weight.mul_(by)
        norm.bias.mul_(by)


def padding_of(lengths: tuple[int, ...], seq: int) -> torch.Tensor:
    """Return the mask of sentences of these lengths: True is padding."""
    return torch.arange(seq) >= torch.tensor(lengths)[:, None]


def mistakable(tokens: torch.Tensor) -> torch.Tensor:
    """Return a copy of `tokens` (batch, seq, features) with two that padding may look like.

    The first of each sentence is zeros; the features of the second sum to 0.
    """
    tokens = tokens.clone()
    tokens[:, 0] = 0
    tokens[:, 1, 1], tokens[:, 1, 2:] = -tokens[:, 1, 0], 0
    return tokens


def check_others_are_seen(whole: Any, part: Any) -> None:
    """Check that more that can be seen makes a difference."""
    for result in (whole, part):
        assert hasattr(result, "shape"), f"A tensor should come back, not {describe(result)}."
    expect.array(whole, tuple(part.shape), "tensor")
    assert whole.isfinite().all(), "There is nan, or infinity, in your result."
    assert not torch.allclose(whole, part, atol=1e-3), (
        "A token that isn't hidden was added or changed, and the result for those that may see it "
        "stayed as it was. Here it should differ."
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
