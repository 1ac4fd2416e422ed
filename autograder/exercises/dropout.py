"""What the hidden tests of Encoder, EncoderBlock and DecoderBlock ask about dropout.

It is looked at through one sublayer whose output is made known: all its weights are zero, but for
the last bias, which is 1 in every other feature. The input of the block has three levels, so that
what the residual does can be told from what the sublayer does, whatever the norms make of the sum:
they scale and shift all features of a token alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import nn

from autograder.testing import ModuleProxy, expect, laws

from .blocks import WIDE, only_norms

WIDTH = 96  # features: three levels of 32


class Tags(NamedTuple):
    """The misconceptions that `check_dropout_of` finds."""

    missing: str  # nothing drops out
    too_much: str  # other numbers than the sublayer's are lost
    unscaled: str  # what is left isn't scaled
    together: str  # many numbers are lost at once


def only_bias(theirs: nn.Module, end: nn.Module) -> None:
    """Silence all of `theirs` but its norms, which are made plain, and the bias of `end`."""
    only_norms(theirs)
    for layer in theirs.children():
        if isinstance(layer, nn.LayerNorm):
            layer.reset_parameters()
    end.get_parameter("bias")[::2] = 1.0


def levels(*shape: int) -> torch.Tensor:
    """Return an input (*shape, WIDTH): a third of the features each is 0, 1 and 3."""
    return torch.tensor([0.0, 1.0, 3.0]).repeat_interleave(WIDTH // 3).expand(*shape, WIDTH).clone()


def gains(result: Any, shape: tuple[int, ...]) -> tuple[torch.Tensor, float]:
    """Return what a sublayer added to each feature, and how unequal it left the others.

    Both are in units of the input's levels: 1 where the sum of input and bias was normalised.
    """
    expect.array(result, shape, "tensor")
    thirds = result.reshape(*shape[:-1], 3, WIDTH // 3)
    touched, untouched = thirds[..., ::2], thirds[..., 1::2]
    level = untouched.mean(-1, keepdim=True)
    step = (level[..., 2:, :] - level[..., :1, :]) / 3
    unequal = ((untouched - level) / step).abs().max()
    return (touched - level) / step, float(unequal)


@dataclass(frozen=True)
class Runs:
    """What came back of a block that drops out half, and of its calm twin, made with dropout=0.0.

    What one sublayer adds is known, and the same in both.
    """

    steady: Any  # of the block in eval mode
    first: Any  # of the block in train mode
    again: Any  # the same once more
    calm: Any  # of the calm one in train mode


def runs_of(block: ModuleProxy, calm: ModuleProxy, *args: torch.Tensor) -> Runs:
    """Ask `block`, in either mode, and `calm`, in train mode; the block is in eval mode before."""
    steady = block(*args)
    block.train()
    calm.train()
    return Runs(steady, block(*args), block(*args), calm(*args))


def check_dropout_of(sublayer: str, runs: Runs, shape: tuple[int, ...], tags: Tags) -> None:
    """Check that half of what `sublayer` adds drops out in train mode, and the rest is doubled.

    Dropout is judged only where the calm block adds what it should: what else goes wrong in train
    mode isn't dropout's. Runs of all sublayers are asked for before one is judged: they tell
    mistakes apart.
    """
    added, unequal = gains(runs.calm, shape)
    usual = float(added.mean())
    assert usual > 0.1 and unequal < 0.01 and bool(((added - usual).abs() < 0.02 * usual).all()), (
        f"We set all weights to zero, but for a bias at the end of {sublayer}, so that this bias "
        "should be added to the residual. With dropout=0.0, and in train mode, the two can't both "
        "be found in your result, so nothing can be said of dropout. See which other test fails."
    )
    found, unequal = gains(runs.first, shape)
    gains(runs.again, shape)
    check_something_drops_out(sublayer, runs, tags.missing)
    check_the_rest_is_left(sublayer, runs.first, unequal, tags.too_much)
    check_lost_or_doubled(sublayer, runs.steady, found / usual, usual, tags.unscaled)
    check_each_is_drawn(f"what {sublayer} adds", found.flatten(2), tags.together)


def check_something_drops_out(sublayer: str, runs: Runs, missing: str) -> None:
    """Check that the block and its calm twin differ, and two runs do; `missing` is as in `Tags`."""
    expect.that(
        not torch.allclose(runs.first, runs.calm, atol=1e-3),
        f"In train mode, what {sublayer} adds is the same with dropout=0.5 as with dropout=0.0. "
        "The formula for a sublayer shows where Dropout belongs.",
        reveals=missing,
    )
    assert not torch.equal(runs.first, runs.again), (
        f"In train mode with dropout=0.5, {sublayer} adds the same in two runs. What drops out "
        "should be drawn anew in each call: when is it drawn in yours?"
    )


def check_the_rest_is_left(sublayer: str, result: Any, unequal: float, too_much: str) -> None:
    """Check that features to which `sublayer` adds nothing stay `unequal` by nearly nothing.

    `too_much` is revealed only if they are lost: noise, or another value for what is lost, changes
    them, too.
    """
    expect.that(
        unequal < 0.01 or not is_lost_at_all_levels(result),
        f"In train mode, numbers are lost to which {sublayer} adds nothing. What should drop out "
        "is what a sublayer returns, before the residual is added: what does yours act on?",
        reveals=too_much,
    )
    assert unequal < 0.01, (
        f"In train mode with dropout=0.5, numbers change to which {sublayer} adds nothing. Dropout "
        "makes some numbers 0 and doubles the others, so what is 0 stays 0. What else does your "
        "block do in train mode?"
    )


def is_lost_at_all_levels(result: torch.Tensor) -> bool:
    """Tell whether in most tokens some number stands at each level where a sublayer adds nothing.

    The levels differ but for what is lost; what noise adds, or a shift, is seldom the same.
    """
    low, middle, high = result.reshape(*result.shape[:-1], 3, WIDTH // 3)[..., 1::2].unbind(-2)
    near = [(low[..., None] - other[..., None, :]).abs() < 1e-3 for other in (middle, high)]
    shared = near[0].any(-1) & near[1].any(-1)
    return bool(shared.any(-1).float().mean() > 0.5)


def check_lost_or_doubled(
    sublayer: str, steady: Any, found: torch.Tensor, usual: float, unscaled: str
) -> None:
    """Check that each number that is `found`, in units of the calm block's, is 0 or 2.

    `unscaled` is the tag if it is 0 or 1, and eval mode makes nothing good either.
    """
    if are_among(found, 0.0, 1.0):
        evaluated, _ = gains(steady, tuple(steady.shape))
        expect.that(
            not are_among(evaluated / usual, 1.0),
            f"In train mode with dropout=0.5, half of what {sublayer} adds is lost, and the rest "
            "is as large as in eval mode. Dropout also changes the rest, so that the mean stays.",
            reveals=unscaled,
        )
    assert are_among(found, 0.0, 2.0), (
        f"In train mode with dropout=0.5, each number that {sublayer} adds should be lost, or else "
        "twice as large as with dropout=0.0. Some of yours are neither."
    )


def are_among(found: torch.Tensor, *values: float) -> bool:
    """Tell whether all that is `found` is near one of `values`, and each of these is there."""
    near = (found[..., None] - torch.tensor(values)).abs() < 0.02
    return bool(near.any(-1).all() and near.flatten(0, -2).any(0).all())


def check_each_is_drawn(called: str, found: torch.Tensor, reveals: str) -> None:
    """Check that half of the numbers `found` (batch, seq, features) are lost, each by itself.

    Those that are lost are less than half the largest. Shares of what is drawn for each number lie
    near the mean; those of what is drawn once for many are 0 and 1, and `reveals` is the tag.
    """
    lost = (found < found.max() / 2).float()
    for axis, together in (
        (2, "a token loses all its features or none"),
        (1, "a feature is lost in all tokens of a sentence or in none"),
        (0, "the same places are lost in every sentence"),
    ):
        expect.that(
            lost.shape[axis] == 1 or float(lost.mean(axis).std()) < 0.35,
            f"With dropout=0.5, some of {called} is lost, but {together}. Dropout decides about "
            "each number by itself: which numbers does yours take together?",
            reveals,
        )
    assert abs(float(lost.mean()) - 0.5) < 0.05, (
        f"With dropout=0.5, half of {called} should be lost. Yours loses another share."
    )


def check_a_tenth_drops_out(
    sublayer: str, block: ModuleProxy, *args: torch.Tensor, reveals: str
) -> None:
    """Check that a tenth of what `sublayer` adds is lost in train mode; half `reveals` a tag."""
    block.train()
    gained, _ = gains(block(*args), tuple(args[0].shape))
    check_share(gained, f"what {sublayer} adds", reveals)


def check_share(found: torch.Tensor, called: str, reveals: str) -> None:
    """Check that a tenth of the numbers `found` are less than half the largest."""
    share = float((found < found.max() / 2).float().mean())
    should = f"Unless told otherwise, a tenth of {called} should drop out (dropout=0.1)."
    expect.that(abs(share - 0.5) > 0.03, f"{should} Yours loses half.", reveals)
    assert abs(share - 0.1) < 0.03, f"{should} Yours loses another share."


def check_nothing_drops_out(
    dropping: ModuleProxy, calm: ModuleProxy, run: Callable[[ModuleProxy], Any], hint: str = ""
) -> None:
    """Check that `dropping` repeats itself in eval mode, and `calm` does the same in train mode.

    The latter was made with a rate of 0.
    """
    laws.repeats(
        lambda: run(dropping),
        f"That was in eval mode. How does what you use for dropout know which mode it is in{hint}?",
    )
    steady = run(dropping)
    calm.train()
    expect.close(
        run(calm),
        steady,
        "With dropout=0.0, train mode should do what eval mode does, and doesn't. Is the argument "
        "`dropout` used everywhere, and does anything else in your code ask for the mode?",
        WIDE,
    )
