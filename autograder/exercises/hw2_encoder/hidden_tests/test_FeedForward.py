"""Hidden tests of `FeedForward`: where the ReLU does nothing, where it does, and all together.

Networks are in eval mode and their biases are 0 unless these are what is tested: each slip costs
its own points only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect, laws, points

from ...blocks import loaded
from ..sentences import check_has_a_part, check_sentences_may_change_places

Draw = Callable[..., torch.Tensor]
Layers = nn.ModuleDict

LAYERS = "each position goes through `linear1` and `linear2`, by itself"
RELU = "a ReLU stands between the two, and nothing else"
CALM = "no dropout, and the input stays as it is"
LEARNS = "both layers learn, and nothing else is trained"

D_MODEL, D_FF = 6, 20


@pytest.fixture
def layers(randomise: Callable[..., Layers]) -> Layers:
    """The two linear layers, with random weights and biases."""
    sizes = {"linear1": (D_MODEL, D_FF), "linear2": (D_FF, D_MODEL)}
    return randomise(nn.ModuleDict({name: nn.Linear(*size) for name, size in sizes.items()}))


def network_with(student: Student, layers: Layers) -> ModuleProxy:
    """Make the student's network with the weights of `layers`, in eval mode."""
    return loaded(student.FeedForward(d_model=D_MODEL, d_ff=D_FF), layers)


@points(1, LAYERS)
def test_two_linear_layers_act_on_each_position(
    student: Student, draw: Draw, unbiased: Layers, by_hand: Callable[..., Layers]
) -> None:
    """With positive hidden features, each position goes through linear1, then through linear2.

    So it is where d_ff = d_model: hidden features have the shape of x. They are at least 6 · 0.1 ·
    50 = 30, and the ReLU has nothing to do there.
    """
    x, square = draw(2, 5, D_MODEL).abs() + 50, (D_MODEL, D_MODEL)
    for layers in (unbiased, by_hand(linear1=draw(*square), linear2=draw(*square))):
        for layer in layers.values():
            layer.get_parameter("weight").abs_().add_(0.1)
        d_ff = layers["linear1"].get_parameter("weight").shape[0]
        expect.close(
            loaded(student.FeedForward(D_MODEL, d_ff), layers)(x),
            layers["linear2"](layers["linear1"](x)),
            "With large positive hidden features the ReLU changes nothing, and linear2(linear1(x)) "
            "should come back for each position by itself. Each layer should be used once, in this "
            "order. Look for anything else that happens to the numbers.",
        )


@points(1, RELU)
def test_relu_stands_between_the_layers_and_only_there(
    student: Student, rng: np.random.Generator, by_hand: Callable[..., Layers]
) -> None:
    """Small whole numbers: negative hidden features become 0, the result may be negative."""
    a, b, c, d = (float(each) for each in rng.integers(1, 5, 4))
    layers = by_hand(
        linear1=torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]),
        linear2=torch.tensor([[-a, b, 4.0], [c, d, 4.0]]),
    )
    e, f = (float(each) for each in rng.integers(3, 6, 2))
    expect.close(
        loaded(student.FeedForward(2, 3), layers)(torch.tensor([[[e, -2.0], [-1.0, f]]])),
        torch.tensor([[[-a * e, c * e], [b * f, d * f]]]),
        "With positive and negative hidden features, the result is not what we get by hand. The "
        "ReLU sets negative hidden features to 0; it touches neither x nor the result. Where does "
        "it stand in your code, and is it the only thing between the layers?",
    )


@points(1, CALM)
def test_a_call_is_repeatable_and_leaves_its_input_alone(
    student: Student, draw: Draw, unbiased: Layers
) -> None:
    """In either mode, the same x gives the same result, and x stays as it is: no dropout."""
    network, x = loaded(student.FeedForward(D_MODEL, D_FF), unbiased), draw(2, 5, D_MODEL)

    def result() -> Any:
        output = network(x)
        laws.changes_each_position(output, x)
        return output

    laws.ignores_its_mode(student, network, result, reveals="feed-forward-changes-its-input")
    check_has_a_part("linear1", unbiased, lambda layers: network_with(student, layers)(x))


@points(1, LAYERS)
def test_each_position_is_served_by_itself(student: Student, draw: Draw, unbiased: Layers) -> None:
    """One token alone, or one of 600, one sentence alone or one of two: always the same answer."""
    network, x = network_with(student, unbiased), draw(2, 600, D_MODEL)
    expected = network(x)
    laws.changes_each_position(expected, x)
    laws.agrees_at(
        ((1, 1), (2, 3), (1, 600), (2, 1)),
        lambda case: network(x[: case[0], : case[1]]),
        lambda case: expected[: case[0], : case[1]],
        lambda case: (
            f"The tokens of an x of shape {(*case, D_MODEL)} get another answer than the same "
            "tokens in a larger batch or a longer sentence. What in your code depends on the "
            "sizes, or on the other tokens?"
        ),
    )
    expect.close(
        network(x.flip(1)),
        expected.flip(1),
        "The same 600 tokens in reverse order get other answers. What in your code depends on "
        "where a token stands?",
    )
    check_sentences_may_change_places(network, x)
    check_has_a_part("linear1", unbiased, lambda layers: network_with(student, layers)(x[:, :2]))


@points(1, LEARNS)
def test_every_layer_learns(student: Student, draw: Draw, layers: Layers) -> None:
    """A gradient reaches both layers and x, and nothing else is trained."""
    x, cotangent = draw(2, 5, D_MODEL), draw(2, 5, D_MODEL)
    network = loaded(student.FeedForward(D_MODEL, D_FF), layers, no_bias="feed-forward-no-bias")
    laws.learns(
        network,
        x,
        cotangent=cotangent,
        draw=draw,
        numbers=(D_MODEL + 1) * D_FF + (D_FF + 1) * D_MODEL,
        reveals_more="feed-forward-trains-too-much",
        reveals_fewer="feed-forward-layers-frozen",
    )
    laws.reaches_input(network, x, place=0, called="x", cotangent=cotangent)


@points(1, RELU)
def test_drawn_networks_agree_with_pytorch(student: Student, draw: Draw, layers: Layers) -> None:
    """On drawn inputs of both signs, PyTorch's linear layers and ReLU say the same.

    So they do where no hidden feature is above 0.
    """
    x, network = draw(3, 4, D_MODEL), student.FeedForward(D_MODEL, D_FF)
    theirs = nn.Sequential(layers["linear1"], nn.ReLU(), layers["linear2"])
    expect.close(
        loaded(network, layers, no_bias="feed-forward-no-bias")(x),
        theirs(x),
        "On inputs of both signs the result differs from PyTorch's linear, ReLU, linear with the "
        "same weights and biases. If earlier tests fail as well, start there. If not: is each "
        "layer used as a whole, bias included?",
    )
    layers["linear1"].get_parameter("bias").sub_(1e3)
    expect.close(
        network_with(student, layers)(x),
        theirs(x),
        "Where all hidden features are below 0, the ReLU leaves nothing of them. What is left of "
        "linear2 then?",
    )
