"""What a hidden test of `Encoder` asks about the dropout of embeddings and positions.

The sum of the two is known, and so is what the first layer adds to it: every feature of a token can
then be told in units of that.
"""

from __future__ import annotations

from typing import Any

import torch

from autograder.testing import ModuleProxy, expect

from ..dropout import WIDTH, are_among, check_each_is_drawn


def sums(result: Any, batch: int) -> tuple[torch.Tensor, float]:
    """Return the sums of which half should drop out, and how unequal those are that were 0.

    Both are in units of what attention added to every fourth feature.
    """
    expect.array(result, (batch, 1, WIDTH), "tensor")
    base, added, total = result[..., ::4], result[..., 2::4], result[..., 1::2]
    zero = base.mean(-1, keepdim=True)
    one = (added - zero).amax(-1, keepdim=True)
    return (total - zero) / one, float(((base - zero) / one).abs().max())


def check_sum_drops_out(encoder: ModuleProxy, calm: ModuleProxy, tokens: torch.Tensor) -> None:
    """Check that a sum that is known to be 3 as a whole loses half, and the rest is doubled.

    Both encoders are in eval mode before and have the same weights; `calm` was made with
    dropout=0.0. What it doesn't do right in train mode isn't dropout's fault.
    """
    evaluated = encoder(tokens)
    assert sums(evaluated, len(tokens))[0].isfinite().all(), (
        "In eval mode already there is nan in what comes out, or infinity, so nothing can be said "
        "of dropout. See which other test fails."
    )
    encoder.train()
    calm.train()
    result = encoder(tokens)
    usual, unequal = sums(calm(tokens), len(tokens))
    assert unequal < 0.01 and are_among(usual, 3.0), (
        "With dropout=0.0, and in train mode, what comes out isn't what we get from embeddings, "
        "positions and layers that we know, so nothing can be said of dropout. See which other "
        "test fails."
    )
    found, unequal = sums(result, len(tokens))
    check_zeros_stay_zero(result, unequal)
    check_sum_is_lost_in_one_draw(found)
    check_rest_is_doubled(found, evaluated)
    check_each_is_drawn(
        "what goes into the first layer", found, reveals="encoder-dropout-in-groups"
    )


def check_zeros_stay_zero(result: torch.Tensor, unequal: float) -> None:
    """Check that features which are 0 in the sum, and stay so in the layers, are hardly `unequal`.

    Noise makes them so, too: dropout at the end is named only where half of all numbers are 0,
    which no norm makes of ours by itself.
    """
    half_is_lost = abs(float((result.abs() < 1e-6).float().mean()) - 0.5) < 0.1
    expect.that(
        unequal < 0.01 or not half_is_lost,
        "In train mode, what the layers return loses numbers. The encoder's dropout acts on "
        "what goes into the first layer: where does yours stand?",
        reveals="encoder-dropout-at-the-end",
    )
    assert unequal < 0.01, (
        "In train mode with dropout=0.5, numbers change that are 0 in the sum and to which our "
        "layers add nothing. Dropout makes some numbers 0 and doubles the others, so what is 0 "
        "stays 0. What else do your encoder and its blocks do in train mode?"
    )


def check_sum_is_lost_in_one_draw(found: torch.Tensor) -> None:
    """Check that something of the sums `found` drops out, in one draw: of 3, 1 is the position.

    They are in units of what the layer adds, which is doubled by its own dropout.
    """
    expect.that(
        not torch.allclose(found, found.mean(), rtol=1e-3, atol=0),
        "In train mode with dropout=0.5, what goes into the first layer should drop out (§5.4), "
        "and doesn't.",
        reveals="encoder-no-dropout",
    )
    for whole, values, tag in (
        ("position", (0.5, 2.5), "encoder-dropout-before-the-positions"),
        ("embedding", (1.0, 2.0), "encoder-dropout-of-the-positions-alone"),
    ):
        expect.that(
            not are_among(found, *values),
            f"In train mode the {whole} always comes through whole, whatever drops out. Step 2 "
            "speaks of the sum of embedding and position: what does your dropout act on?",
            reveals=tag,
        )
    halves = (2 * found).round()
    in_parts = len(set(halves.flatten().tolist())) > 2
    expect.that(
        not in_parts or bool(((2 * found - halves).abs() > 0.04).any()),
        "In train mode a feature of the sum is lost or kept, one of the two. In yours it may also "
        "be lost in part. How often do you draw what drops out, and of what?",
        reveals="encoder-dropout-in-two-parts",
    )


def check_rest_is_doubled(found: torch.Tensor, evaluated: Any) -> None:
    """Check that each of the sums `found` is 0 or 3, beside what the layer adds.

    If it is smaller, that is a missing factor only if what is `evaluated` is as large as it should.
    """
    if are_among(found, 0.0, 1.5):
        usual, _ = sums(evaluated, len(evaluated))
        expect.that(
            not are_among(usual, 3.0),
            "In train mode, what is left of the sum is smaller, beside what the layer adds, than "
            "it should be. Dropout also changes the numbers that it keeps, so that the mean stays.",
            reveals="encoder-dropout-not-scaled",
        )
    assert are_among(found, 0.0, 3.0), (
        "In train mode with dropout=0.5, what goes into the first layer should be lost by half, "
        "and the rest doubled, like all that drops out. Yours seems to get other numbers."
    )
