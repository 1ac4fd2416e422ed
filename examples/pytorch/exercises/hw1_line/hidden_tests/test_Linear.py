"""Hidden tests of `Linear`: we set its weights, and look at what it makes of them."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect, laws, points

Draw = Callable[..., torch.Tensor]


def layer_with(student: Student, weight: torch.Tensor, bias: torch.Tensor) -> ModuleProxy:
    """Make the student's layer, with these weights."""
    layer: ModuleProxy = student.Linear(weight.shape[1], weight.shape[0])
    layer.load({"weight": weight, "bias": bias})
    return layer


@points(1)
def test_each_row_of_the_weight_makes_one_number(student: Student, draw: Draw) -> None:
    """With a bias of 0, each number of the result is a row of the weight times the input."""
    weight, x = draw(2, 3), draw(5, 3)
    rows = [[float(row @ w) for w in weight] for row in x]
    expect.close(
        layer_with(student, weight, torch.zeros(2))(x),
        torch.tensor(rows),
        "With a bias of 0, one number of the result isn't what a row of the weight gives. Take one "
        "row of the input, and multiply by hand: which sums should come out?",
    )


@points(1)
def test_agrees_with_the_layer_of_pytorch(student: Student, draw: Draw) -> None:
    """On drawn numbers, the result is that of `nn.Linear`, bias and all."""
    weight, bias, x = draw(4, 3), 5 + draw(4), draw(6, 3)
    expect.close(
        layer_with(student, weight, bias)(x),
        nn.functional.linear(x, weight, bias),
        "On drawn numbers, the result isn't that of PyTorch's own layer. What is done with the "
        "bias, and is anything done besides?",
    )


@points(2)
def test_both_parameters_learn(student: Student, draw: Draw) -> None:
    """A gradient reaches the weight and the bias, and nothing else is trained."""
    layer, x = layer_with(student, draw(2, 3), draw(2)), draw(5, 3)
    assert torch.is_tensor(layer(x)), (
        "A tensor is asked for: gradients come back from nothing else."
    )
    laws.learns(layer, x, cotangent=draw(5, 2), draw=draw, numbers=8)
