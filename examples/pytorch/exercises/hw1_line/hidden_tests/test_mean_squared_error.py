"""Hidden tests of `mean_squared_error`: a law, then agreement with PyTorch."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.testing import Student, expect, points

Draw = Callable[..., torch.Tensor]


@points(1)
def test_twice_as_wrong_is_four_times_the_loss(student: Student, draw: Draw) -> None:
    """Differences twice as large give a loss four times as large, and none of them gives 0."""
    wanted, difference = draw(4, 3), draw(4, 3)
    none, once, twice = (
        student.mean_squared_error(wanted + factor * difference, wanted) for factor in (0, 1, 2)
    )
    assert torch.is_tensor(once) and once.shape == (), "A tensor of one number is asked for."
    assert once > 0, "Your loss isn't above 0, though guess and wish differ."
    expect.close(none, 0, "A guess that is right has a loss of 0, but yours hasn't.")
    expect.close(twice / once, 4, "Double all differences: by how much should their squares grow?")


@points(2)
def test_agrees_with_pytorch_whatever_the_size(student: Student, draw: Draw) -> None:
    """On drawn numbers, the loss is that of `nn.functional.mse_loss`."""
    for shape in ((5, 3), (2, 7), (1, 1)):
        guess, wanted = draw(*shape), draw(*shape)
        expect.close(
            student.mean_squared_error(guess, wanted),
            nn.functional.mse_loss(guess, wanted),
            f"For tensors of shape {shape}, your loss isn't the mean of the squares. How many "
            "numbers are averaged?",
        )
