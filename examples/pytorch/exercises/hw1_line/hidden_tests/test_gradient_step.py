"""Hidden tests of `gradient_step`: on a layer of our own weights, against the gradient by hand."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.testing import ModuleProxy, Student, expect, points

Draw = Callable[..., torch.Tensor]
State = dict[str, torch.Tensor]


def drawn_layer(student: Student, draw: Draw) -> tuple[ModuleProxy, State]:
    """Make a layer of drawn weights, with the class that the notebook's own solution defines."""
    state = {"weight": draw(2, 3), "bias": draw(2)}
    layer: ModuleProxy = student.Linear(3, 2)
    layer.load(state)
    return layer, state


def stepped(state: State, x: torch.Tensor, wanted: torch.Tensor, rate: float) -> State:
    """Return the weights after one step, by the formula: the gradient of a mean of squares."""
    slope = 2 * (x @ state["weight"].T + state["bias"] - wanted) / wanted.numel()
    return {
        "weight": state["weight"] - rate * slope.T @ x,
        "bias": state["bias"] - rate * slope.sum(0),
    }


@points(1)
def test_the_loss_is_that_before_the_step(student: Student, draw: Draw) -> None:
    """A float comes back: the mean squared error of the weights that were given."""
    layer, state = drawn_layer(student, draw)
    x, wanted = draw(5, 3), draw(5, 2)
    loss = student.gradient_step(layer, x, wanted, 0.5)
    assert isinstance(loss, float), "Return the loss as a float; a tensor drags its history along."
    right = ((x @ state["weight"].T + state["bias"] - wanted) ** 2).mean()
    expect.close(loss, float(right), "The loss isn't that of the weights before the step.")


@points(2)
def test_one_step_goes_down_by_the_rate(student: Student, draw: Draw) -> None:
    """After a step, each parameter is p − rate · gradient, and with rate 0 it is what it was."""
    x, wanted = draw(5, 3), draw(5, 2)
    for rate in (0.5, 0.0):
        layer, state = drawn_layer(student, draw)
        student.gradient_step(layer, x, wanted, rate)
        after = layer.state()
        for name, right in stepped(state, x, wanted, rate).items():
            expect.close(
                after[name],
                right,
                f"After one step with rate {rate}, `{name}` isn't p − rate · gradient. Which way "
                "does it go, and how far?",
            )


@points(2)
def test_a_second_step_forgets_the_first(student: Student, draw: Draw) -> None:
    """Two steps on different numbers: the gradient of the first has no part in the second."""
    layer, state = drawn_layer(student, draw)
    for rate in (0.5, 0.25):
        x, wanted = draw(5, 3), draw(5, 2)
        student.gradient_step(layer, x, wanted, rate)
        state = stepped(state, x, wanted, rate)
    expect.close(
        layer.state()["weight"],
        state["weight"],
        "The first step may be right, but after a second one the weights aren't. What does "
        "`backward` do where a gradient is already?",
    )
