"""Hidden tests of `FeedForward`: where the ReLU does nothing, where it does, and all together.

Networks are in eval mode unless train mode is what is tested: dropout costs its own point only.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect, points

Draw = Callable[..., torch.Tensor]
Layers = nn.ModuleDict

D_MODEL, D_FF = 6, 20


@pytest.fixture
def layers(randomise: Callable[..., Layers]) -> Layers:
    """The two linear layers, with random weights and biases."""
    sizes = {"linear1": (D_MODEL, D_FF), "linear2": (D_FF, D_MODEL)}
    return randomise(nn.ModuleDict({name: nn.Linear(*size) for name, size in sizes.items()}))


@pytest.fixture
def positive_layers(layers: Layers) -> Layers:
    """The same made positive, with hidden features above 10: the ReLU has nothing to do there."""
    for parameter in layers.parameters():
        parameter.abs_()
    layers.get_parameter("linear1.bias").add_(10)
    return layers


def network_with(student: Student, layers: Layers) -> ModuleProxy:
    """Make the student's network with the weights of `layers`, in eval mode."""
    network: ModuleProxy = student.FeedForward(D_MODEL, D_FF)
    network.load(layers.state_dict())
    network.eval()
    return network


@points(1)
def test_two_linear_layers_act_on_each_position(
    student: Student, draw: Draw, positive_layers: Layers
) -> None:
    """With positive hidden features, each position goes through linear1, then through linear2."""
    network = network_with(student, positive_layers)
    x = draw(2, 5, D_MODEL).abs()
    result = network(x)
    assert not student.inputs_changed, "Your network changes its input. Make new tensors instead."
    expect.close(
        result,
        positive_layers["linear2"](positive_layers["linear1"](x)),
        "With large positive hidden features the ReLU changes nothing, and linear2(linear1(x)) "
        "should come back for each position by itself. Are both layers used once, in this order?",
    )


@points(1)
def test_relu_stands_between_the_layers_and_only_there(student: Student) -> None:
    """Two hidden features by hand: the negative one becomes 0, the result may be negative."""
    network = student.FeedForward(2, 3)
    network.eval()
    network.load(
        {
            "linear1.weight": torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]),
            "linear1.bias": torch.tensor([0.0, 0.0, -1.0]),
            "linear2.weight": torch.tensor([[-2.0, 3.0, 4.0], [1.0, 1.0, 4.0]]),
            "linear2.bias": torch.tensor([0.5, -0.5]),
        }
    )
    expect.close(
        network(torch.tensor([[[3.0, -2.0], [-1.0, 4.0]]])),
        torch.tensor([[[-5.5, 2.5], [12.5, 3.5]]]),
        "With one positive and one negative hidden feature, the result is not what we get by "
        "hand. The ReLU sets negative hidden features to 0; it touches neither x nor the result.",
    )


@points(1)
def test_there_is_no_dropout_in_train_mode_either(
    student: Student, draw: Draw, positive_layers: Layers
) -> None:
    """In train mode, too, nothing is left to chance."""
    network = network_with(student, positive_layers)
    network.train()
    x = draw(2, 5, D_MODEL).abs()
    result = network(x)
    expect.array(result, tuple(x.shape), "tensor")
    expect.close(
        network(x),
        result,
        "In train mode, two runs on the same input differ. There should be no dropout in the "
        "feed-forward network.",
    )
    expect.close(
        result,
        positive_layers["linear2"](positive_layers["linear1"](x)),
        "In train mode the result differs from linear2(linear1(x)) where the ReLU changes nothing. "
        "If the first test fails as well, start there.",
    )


@points(1)
def test_drawn_networks_agree_with_pytorch(student: Student, draw: Draw, layers: Layers) -> None:
    """On drawn inputs of both signs, PyTorch's linear layers and ReLU say the same."""
    x = draw(3, 4, D_MODEL)
    expect.close(
        network_with(student, layers)(x),
        nn.Sequential(layers["linear1"], nn.ReLU(), layers["linear2"])(x),
        "On inputs of both signs the result differs from PyTorch's linear, ReLU, linear.",
    )
