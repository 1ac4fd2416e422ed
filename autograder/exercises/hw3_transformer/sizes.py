"""How many numbers of a student's Transformer can learn, as its sizes grow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.testing import ModuleProxy, Student, expect

from .small_models import D_MODEL, SIZES, SRC, TGT, returns_something

D_FF, MORE = SIZES["d_ff"], 12  # whose thirds are whole, as a gated network may take two of them


def numbers_by_name(model: ModuleProxy) -> dict[str, int]:
    """Return how many numbers each parameter that isn't frozen has."""
    token, shapes = torch.tensor([[1, 2]]), model.parameters()
    returns_something(model(token, token))
    trained = model.gradients(token, token, cotangent=torch.ones(()))
    return {name: torch.Size(shapes[name]).numel() for name in trained}


def numbers_to_learn(student: Student, src: int = SRC, tgt: int = TGT, **sizes: Any) -> int:
    """Return how many numbers of a model with these vocabularies and sizes can learn."""
    model: ModuleProxy = student.Transformer(src, tgt, **SIZES | sizes)
    return sum(numbers_by_name(model).values())


def grows_with_its_layers(numbers: Callable[..., int]) -> None:
    """Require that more layers, and wider ones, bring more numbers to learn, on both sides."""
    one, two = numbers(n_layers=1), numbers()
    one_wide, two_wide = numbers(n_layers=1, d_ff=D_FF + MORE), numbers(d_ff=D_FF + MORE)
    expect.that(
        two > one,
        "With n_layers=2, your model has no more numbers to learn than with n_layers=1. Each "
        "layer has weights of its own. How many layers does your model make?",
        "transformer-n-layers-without-effect",
    )
    expect.that(
        two_wide > two,
        "With a larger d_ff, your model has no more numbers to learn than before.",
        "transformer-d-ff-forgotten",
    )
    layers = (two_wide - two) - (one_wide - one)  # what one layer more gains by the larger d_ff
    expect.that(
        layers >= 2 * 2 * D_MODEL * MORE,
        "One more layer brings a feed-forward network of d_ff hidden features to the encoder, and "
        "one to the decoder. Your model gets fewer new numbers that can learn than these two have.",
        "transformer-layers-missing",
    )
