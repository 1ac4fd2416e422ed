"""Hidden tests of `positional_encoding`: laws of the table, then the formula entry by entry."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.testing import Student, expect, points

Table = Callable[[int, int], torch.Tensor]


@points(1)
def test_the_first_two_columns_are_sine_and_cosine_of_the_position(student: Student) -> None:
    """Positions count from 0; column 0 is the sine of the position itself, column 1 its cosine."""
    table = student.positional_encoding(9, 6)
    expect.array(table, (9, 6), "tensor")
    position = torch.arange(9.0)
    expect.close(
        table[:, :2],
        torch.stack([position.sin(), position.cos()], dim=1),
        "The first pair of columns should hold the sine and the cosine of the position. At "
        "position 0 these are 0 and 1.",
    )


@points(1)
def test_each_pair_of_columns_shares_one_angle(student: Student) -> None:
    """Columns 2i and 2i+1 are the sine and cosine of one angle, so their squares sum to 1."""
    table = student.positional_encoding(40, 8)
    expect.array(table, (40, 8), "tensor")
    pairs = table.unflatten(1, (4, 2))
    expect.close(
        pairs.square().sum(-1),
        torch.ones(40, 4),
        "The squares of two neighbouring columns (0 and 1, 2 and 3, …) should sum to 1, since sine "
        "and cosine stand side by side and share their angle.",
    )
    assert (pairs[-1] != pairs[0]).any(-1).all(), (
        "Some pair of columns is the same at the first and the last position. Each pair should "
        "turn with the position, if slowly."
    )


@points(1)
def test_the_angles_slow_down_as_they_should(student: Student) -> None:
    """For each i, some column is the sine of the position divided by 10000 to the 2i/d_model."""
    table = student.positional_encoding(12, 8)
    expect.array(table, (12, 8), "tensor")
    waves = torch.sin(torch.arange(12.0).unsqueeze(1) / 10000 ** (torch.arange(0, 8, 2) / 8))
    distance = (table.unsqueeze(2) - waves.unsqueeze(1)).abs().amax(0)  # (column, wave)
    assert (distance.amin(0) < 1e-4).all(), (
        "One of the sines is in no column, so some angle grows too fast or too slowly. Mind the "
        "exponent 2i/d_model: 2i is the number of the even column itself, 0, 2, 4, …, and the base "
        "is 10000."
    )


@points(1)
def test_an_odd_d_model_ends_with_a_sine(student: Student, sinusoids: Table) -> None:
    """With an odd d_model, the table is right up to its last column."""
    expect.close(
        student.positional_encoding(11, 7),
        sinusoids(11, 7),
        "With d_model = 7 the table is not what the formula says. There are four sines and three "
        "cosines, and the exponents are divided by 7.",
    )


@points(1)
def test_long_tables_follow_the_formula(student: Student, sinusoids: Table) -> None:
    """Every entry of a table of 100 positions and 16 columns is what the formula says."""
    expect.close(
        student.positional_encoding(100, 16),
        sinusoids(100, 16),
        "Some entries of a longer table differ from the formula. Check them one by one against "
        "sine on even and cosine on odd columns, with the same angle for the two of a pair.",
        tolerance=2e-4,
    )
