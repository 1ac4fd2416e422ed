"""What the hidden tests of Encoder, EncoderBlock and DecoderBlock ask about dropout.

It is looked at through one sublayer whose output is made known: all its weights are zero, but for
the last bias, which is 1 in every other feature. The input of the block has three levels, so that
what the residual does can be told from what the sublayer does, whatever the norms make of the sum:
they scale and shift all features of a token alike.
"""

from __future__ import annotations

from collections.abc import Callable
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


def runs_of(block: ModuleProxy, *args: torch.Tensor) -> tuple[Any, Any, Any]:
    """Return what comes back in eval mode, and twice in train mode."""
    block.eval()
    steady = block(*args)
    block.train()
    return steady, block(*args), block(*args)


def check_dropout_of(
    sublayer: str, runs: tuple[Any, Any, Any], shape: tuple[int, ...], tags: Tags
) -> None:
    """Check that half of what `sublayer` adds drops out in train mode, and the rest is doubled.

    Runs of all sublayers are asked for before one is judged: they tell mistakes apart.
    """
    steady, result, again = runs
    usual, _ = gains(steady, shape)
    assert usual.isfinite().all() and usual.abs().min() > 0.1, (
        f"We set all weights to zero, but for a bias at the end of {sublayer}, so that this bias "
        "should be added to the residual. In your result, the two can't both be found."
    )
    gained, unequal = gains(result, shape)
    gains(again, shape)
    expect.that(
        not torch.equal(result, again),
        f"In train mode with dropout=0.5, two runs don't differ in what {sublayer} adds. Where "
        "does the formula for a sublayer put Dropout?",
        reveals=tags.missing,
    )
    expect.that(
        unequal < 0.01,
        f"In train mode, numbers are lost to which {sublayer} adds nothing. What should drop out "
        "is what a sublayer returns, before the residual is added: what does yours act on?",
        reveals=tags.too_much,
    )
    grown = float((gained.max() - gained.min()) / usual.mean())
    check_growth_of(sublayer, grown, tags.unscaled)


def check_growth_of(sublayer: str, grown: float, unscaled: str) -> None:
    """Check that what is left of half is twice as large; `unscaled` is the tag if it isn't."""
    expect.that(
        abs(grown - 1) > 0.02,
        f"In train mode with dropout=0.5, half of what {sublayer} adds is lost, and the rest is "
        "as large as in eval mode. What does dropout do to the rest, so that the mean stays?",
        reveals=unscaled,
    )
    assert abs(grown - 2) < 0.02, (
        f"In train mode with dropout=0.5, what is left of what {sublayer} adds should be twice as "
        f"large as in eval mode. Yours is {grown:.2f} times as large."
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
