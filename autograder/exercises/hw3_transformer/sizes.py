"""How many numbers of a student's Transformer can learn, as its sizes grow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from autograder.testing import ModuleProxy, Student, expect

from .small_models import D_MODEL, SIZES, SRC, TGT, returns_something, small_model

# As many sequences as tokens: where their axes are mixed up, the shapes still fit.
TOKENS = torch.tensor([[1, 2], [3, 1]])
D_FF, MORE = SIZES["d_ff"], 12  # whose thirds are whole, as a gated network may take two of them
NETWORK = 2 * D_MODEL  # weights in a feed-forward network's two matrices, for each hidden feature


def numbers_by_name(model: ModuleProxy) -> dict[str, int]:
    """Return how many numbers each parameter that isn't frozen has."""
    shapes = model.parameters()
    value: Any = model(TOKENS, TOKENS)
    returns_something(value)
    if isinstance(value, (np.ndarray, list)):  # no gradient comes back from those
        return {name: torch.Size(shape).numel() for name, shape in shapes.items()}
    trained = model.gradients(TOKENS, TOKENS, cotangent=torch.ones(()))
    return {name: torch.Size(shapes[name]).numel() for name in trained}


def numbers_to_learn(student: Student, src: int = SRC, tgt: int = TGT, **sizes: Any) -> int:
    """Return how many numbers of a model with these vocabularies and sizes can learn."""
    return sum(numbers_by_name(small_model(student, src, tgt, **sizes)).values())


def numbers_that_learn(make: Callable[..., ModuleProxy], **sizes: Any) -> int:
    """Return how many numbers of a model's matrices the loss of a pair of texts reaches."""
    model = make(**sizes)
    shape = getattr(model(TOKENS, TOKENS), "shape", ())
    # not alike anywhere: what is centred over an axis has no gradient in the sum
    cotangent = torch.randn(shape, generator=torch.Generator().manual_seed(0))
    gradients = model.gradients(TOKENS, TOKENS, cotangent=cotangent)
    return sum(
        gradient.numel()
        for gradient in gradients.values()
        if gradient is not None and min(gradient.shape[-2:], default=1) > 1
        if gradient.isfinite().all() and gradient.any()
    )


def is_wider_on_one_side(usual: int, shallow: int, wide: int) -> bool:
    """Tell whether d_ff reaches the layers of one side alone, and all layers are there.

    Given are how many numbers learn as usual, with one layer, and with a larger d_ff. Of four
    networks, two get wider then; and yet one layer more on each side brings what an encoder layer
    and a decoder layer have: three attentions of four matrices, and at least one network.
    """
    is_complete = usual - shallow >= 3 * 4 * D_MODEL**2 + NETWORK * D_FF
    return is_complete and 2 * NETWORK * MORE <= wide - usual < 3 * NETWORK * MORE  # or with biases


def has_layers_on_both_sides(
    numbers: Callable[..., int], are_out_of_sight: Callable[[], bool]
) -> None:
    """Require that two layers on each side learn, by what a wider feed-forward network brings.

    Where the width makes no difference, all numbers are counted: then d_ff is what is wrong.
    """
    usual, wide = numbers(), numbers(d_ff=D_FF + MORE)
    found, wider = (wide - usual, MORE) if wide > usual else (usual, D_FF)
    if found >= 4 * NETWORK * wider:
        return
    if is_wider_on_one_side(usual, numbers(n_layers=1), wide):
        return
    expect.that(
        not are_out_of_sight(),
        "Layers of your model compute, but torch doesn't find them: they aren't among its "
        "parameters, and `model.eval()` doesn't reach them. In what do you keep them?",
        "transformer-layers-in-a-plain-list",
    )
    expect.that(
        False,
        "With n_layers=2 there should be two layers in the encoder and two in the decoder, each "
        "with a feed-forward network of d_ff hidden features, and all of them should learn. In "
        "your model fewer numbers get a gradient than these four networks have.",
        "transformer-layers-missing",
    )


def grows_with_its_arguments(numbers: Callable[..., int]) -> None:
    """Require that more layers, and wider ones, bring more numbers to learn."""
    usual, shallow = numbers(), numbers(n_layers=1)
    expect.that(
        usual > shallow,
        "With n_layers=2, your model has no more numbers to learn than with n_layers=1. Each "
        "layer has weights of its own. How many layers does your model make?",
        "transformer-n-layers-without-effect",
    )
    wide = numbers(d_ff=D_FF + MORE)
    expect.that(
        wide > usual,
        "With a larger d_ff, your model has no more numbers to learn than before.",
        "transformer-d-ff-forgotten",
    )
    expect.that(
        not is_wider_on_one_side(usual, shallow, wide),
        "With a larger d_ff, two of your four feed-forward networks get wider, and two don't. "
        "Every layer should get it.",
        "transformer-d-ff-on-one-side",
    )
    brought = wide - usual - (numbers(d_ff=D_FF + MORE, n_layers=1) - shallow)
    assert brought >= 2 * NETWORK * MORE, (  # two networks
        "From n_layers=1 to n_layers=2, your model should get one layer more in the encoder and "
        "one more in the decoder, each with a feed-forward network. It gets fewer."
    )
    assert numbers(d_model=D_MODEL + 8) > usual, (
        "With a larger d_model, your model has no more numbers to learn than before."
    )
